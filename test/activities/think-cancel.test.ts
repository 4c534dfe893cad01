import { CancelledFailure } from '@temporalio/activity';
import { Client, Connection } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, test } from 'vitest';
import { createThink } from '../../activities/think.ts';
import type { Item } from '../../core/transcript.ts';
import { ModelFailure } from '../../models/model.ts';
import { createRegistry } from '../../tools/registry.ts';
import { pinnedAgent } from '../support/pinned-agent.ts';

const agent = pinnedAgent();
const task: Item = {
  type: 'task', goal: 'Look at order 88213.', constraints: [], budget: { kind: 'tokens', tokens: 1 },
  agent: { name: 'desk', version: '1', hash: 'f', form: 'text', model: 'scripted' },
};
const INPUT = {
  turn: 1, firstRunId: 'first', base: 0, delta: [task],
  allowance: { promptBytes: 100_000, inputTokens: 10, outputTokens: 10, timeoutMs: 60_000, timeLeftMs: 60_000 },
};

test('a cancelled model call tells what it and the attempts before it may have cost', async () => {
  const beats: unknown[] = [];
  const environment = new MockActivityEnvironment({
    workflowExecution: { workflowId: 'run-1', runId: 'r' }, attempt: 3, heartbeatDetails: { attempts: 1, unknownBilling: 0, ms: 200 },
  }, { client: new Client({ connection: Connection.lazy() }) });
  environment.on('heartbeat', (details: unknown) => {
    beats.push(details);
    if (beats.length === 1) environment.cancel();
  });
  const think = createThink({
    registry: createRegistry([]),
    cache: { extend: () => Promise.resolve({ agent, first: 0, items: [task] }) },
    blobs: { put: () => Promise.resolve(), putNew: () => Promise.resolve(true), get: () => Promise.resolve(undefined), list: () => Promise.resolve([]) },
    modelFor: () => Promise.resolve({
      complete: ({ signal }) => new Promise((_, reject) => {
        const aborted = () => reject(new ModelFailure({ type: 'Model.Unavailable', message: 'aborted', retryable: true, billing: 'unknown' }));
        if (signal.aborted) aborted();
        else signal.addEventListener('abort', aborted);
      }),
    }),
  });
  const thrown: unknown = await environment.run(think, INPUT).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(CancelledFailure);
  // Attempt 1 told of itself, attempt 2 vanished and may have been billed, so may this one.
  expect(thrown).toMatchObject({ details: [{ attempts: 3, unknownBilling: 2 }] });
  expect(beats[0]).toMatchObject({ attempts: 2, unknownBilling: 1, isRunning: true });
  expect(beats.at(-1)).toEqual(expect.not.objectContaining({ isRunning: true }));
});
