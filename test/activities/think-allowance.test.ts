import { ApplicationFailure } from '@temporalio/activity';
import { Client, Connection } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, test } from 'vitest';
import { createThink } from '../../activities/think.ts';
import type { ThinkInput, ThinkResult } from '../../core/contract.ts';
import { promptBytes, renderPrompt } from '../../core/prompt.ts';
import type { Item } from '../../core/transcript.ts';
import { createRegistry } from '../../tools/registry.ts';
import { pinnedAgent } from '../support/pinned-agent.ts';

test('a prompt that is larger than what was reserved is not sent, and the failure tells how large it is', async () => {
  const agent = pinnedAgent();
  const task: Item = {
    type: 'task', goal: 'Look at order 88213.', constraints: [], budget: { kind: 'tokens', tokens: 1 },
    agent: { name: 'desk', version: '1', hash: 'f', form: 'text', model: 'scripted' },
  };
  const think = createThink({
    registry: createRegistry([]),
    cache: { extend: () => Promise.resolve({ agent, first: 0, items: [task] }) },
    blobs: { put: () => Promise.resolve(), putNew: () => Promise.resolve(true), get: () => Promise.resolve(undefined), list: () => Promise.resolve([]) },
    modelFor: () => Promise.reject(new Error('no model may be asked')),
  });
  const environment = new MockActivityEnvironment({ workflowExecution: { workflowId: 'run-1', runId: 'r' } }, { client: new Client({ connection: Connection.lazy() }) });
  const input: ThinkInput = {
    turn: 1, firstRunId: 'first', base: 0, delta: [task],
    allowance: { promptBytes: 10, inputTokens: 10, outputTokens: 10, timeoutMs: 60_000, timeLeftMs: 60_000 },
  };
  const failure: unknown = await environment.run<[ThinkInput], ThinkResult, (input: ThinkInput) => Promise<ThinkResult>>(think, input).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ApplicationFailure);
  expect(failure).toMatchObject({
    type: 'Caseworker.OverAllowance', nonRetryable: true,
    details: [{ attempts: 0, unknownBilling: 0, ms: 0, promptBytes: promptBytes(renderPrompt(agent, [task], 0)) }],
  });
});
