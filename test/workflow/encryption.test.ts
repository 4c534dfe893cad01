import { randomBytes } from 'node:crypto';
import type { DataConverter } from '@temporalio/common';
import proto from '@temporalio/proto';
import { afterAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createClient } from '../../client/caseworker-client.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { loadDataConverter } from '../../worker/data-converter.ts';
import { workflowBundle } from '../../worker/workflow-bundle.ts';
import { failedWorkflowTasks, historyOf } from '../support/histories.ts';
import { speaker } from '../support/speaker.ts';
import { deskAgent, startDesk } from '../support/start-desk.ts';
import type { Desk } from '../support/start-desk.ts';
import { temporaryDataDir, testServer, uniqueTaskQueue } from '../support/test-server.ts';

const CANARY = 'canary-51c9e2';
const say = speaker('function-calling');
const desks: Desk[] = [];
afterAll(async () => {
  for (const desk of desks.splice(0)) await desk.close();
});

async function encryption(): Promise<DataConverter> {
  vi.stubEnv('CASEWORKER_CODEC_KEY', `k1:${randomBytes(32).toString('base64')}`);
  const dataConverter = await loadDataConverter({ CASEWORKER_DATA_CONVERTER: 'examples/encryption/data-converter.ts' });
  return dataConverter ?? {};
}

test('with encryption a read that is made within the workflow task cannot be read on the server, but in the trace', async () => {
  const { connection, nativeConnection, namespace } = await testServer();
  const dataConverter = await encryption();
  const bundle = await workflowBundle({ env: process.env, report: () => undefined, dataConverter });
  const nearby = defineTool({
    name: 'search', description: 'Finds text.', input: z.object({ query: z.string() }), effect: 'read', local: true, run: ({ query }) => `found ${query}`,
  });
  const desk = await startDesk(
    { connection, nativeConnection, namespace, bundle, taskQueue: uniqueTaskQueue(), dataDir: temporaryDataDir() },
    { dataConverter, agents: [deskAgent({ tools: [nearby] })], script: [say.call('I look.', 'search', { query: CANARY }), say.answer('Found.')] },
  );
  desks.push(desk);
  const { id } = await desk.run({ task: 'Find it.' });
  const history = await historyOf(desk.temporal, id);
  expect(history.events?.some(({ markerRecordedEventAttributes: marker }) => marker?.markerName === 'core_local_activity')).toBe(true);
  expect(Buffer.from(proto.temporal.api.history.v1.History.encode(history).finish()).includes(CANARY)).toBe(false);
  expect(JSON.stringify(await desk.client.trace(id))).toContain(`found ${CANARY}`);
});

test('with encryption nothing of a run can be read on the server: task, arguments, observations, failures, answer', async () => {
  const { connection, nativeConnection, namespace } = await testServer();
  const dataConverter = await encryption();
  const bundle = await workflowBundle({ env: process.env, report: () => undefined, dataConverter });
  const desk = await startDesk(
    { connection, nativeConnection, namespace, bundle, taskQueue: uniqueTaskQueue(), dataDir: temporaryDataDir() },
    {
      dataConverter,
      script: {
        answers: [say.call(`I look for ${CANARY}.`, 'search', { query: CANARY }), say.answer(`It was ${CANARY}.`)],
        denied: () => ({ status: 401, body: { error: { message: `no key for ${CANARY}` } } }),
      },
    },
  );
  desks.push(desk);

  const answered = await desk.run({ task: `script:answers Find ${CANARY}.`, constraints: [`Say nothing of ${CANARY}.`] });
  expect(answered.result).toMatchObject({ endReason: 'final_answer', answer: `It was ${CANARY}.` });
  const denied = await desk.run({ task: `script:denied Find ${CANARY}.` });
  expect(denied.result.endReason).toBe('error');

  for (const { id } of [answered, denied]) {
    const history = await historyOf(desk.temporal, id);
    expect(failedWorkflowTasks(history)).toEqual([]);
    expect(Buffer.from(proto.temporal.api.history.v1.History.encode(history).finish()).includes(CANARY)).toBe(false);
    const description = await connection.workflowService.describeWorkflowExecution({ namespace, execution: { workflowId: id } });
    expect(JSON.stringify(description)).not.toContain(CANARY);
    expect(JSON.stringify(await desk.client.trace(id))).toContain(CANARY);
  }

  // Whoever has no key is told so instead of being shown nothing.
  const keyless = createClient({ connection, namespace, taskQueue: desk.taskQueue, blobs: desk.blobs });
  await expect(keyless.trace(answered.id)).rejects.toMatchObject({ kind: 'unreadable' });
});
