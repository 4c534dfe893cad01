import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { createClient } from '../../client/caseworker-client.ts';
import { openAiChat, startScriptedModel } from '../../models/index.ts';
import type { ScriptedModel } from '../../models/index.ts';
import { defineAgent } from '../../tools/define-agent.ts';
import type { Notification } from '../../tools/notify.ts';
import { createWorker } from '../../worker/create-worker.ts';
import { createFileBlobStore } from '../../worker/file-blob-store.ts';
import { openTill, payTool } from '../support/approval-desk.ts';
import type { Till } from '../support/approval-desk.ts';
import { speaker } from '../support/speaker.ts';
import { getOrder } from '../support/start-desk.ts';
import { temporaryDataDir, testBundle } from '../support/test-server.ts';
import { timeSkippingEnvironment } from '../support/time-skipping.ts';

const say = speaker('function-calling');
let environment: TestWorkflowEnvironment;
let model: ScriptedModel;
let till: Till;
beforeAll(async () => {
  [environment, till] = await Promise.all([timeSkippingEnvironment(), openTill()]);
  model = await startScriptedModel([say.call('I pay.', 'pay', { order_id: '88213', amount: 25 }), say.answer('Paid.')]);
});
afterAll(async () => {
  await environment.teardown();
  await model.close();
  await till.close();
});

test('nobody decides for three days: persons are told once more, then the call is denied and the run handed over', async () => {
  const told: Notification[] = [];
  const agent = defineAgent({
    name: 'desk', version: '1', instructions: 'You work at the desk.', tools: [getOrder, payTool(till)], onStop: 'end',
    notify: (notification) => told.push(notification),
  });
  const blobs = createFileBlobStore(temporaryDataDir());
  const chat = openAiChat({ baseURL: model.baseURL, apiKey: 'test' });
  const { codePath } = await testBundle();
  const worker = await createWorker({
    connection: environment.nativeConnection, namespace: 'default', taskQueue: 'deadline', agents: [agent], blobs,
    models: { nameFor: (name) => name ?? 'scripted', modelFor: () => Promise.resolve(chat) },
    workflowBundle: { codePath }, searchAttributes: [],
  });
  const result = await worker.runUntil(async () => {
    const started = await environment.currentTimeMs();
    const handle = await environment.client.workflow.start('agentRun', {
      taskQueue: 'deadline', workflowId: 'three-days', args: [{ agent: 'desk', task: 'Refund order 88213.' }],
    });
    const ended: unknown = await handle.result();
    expect((await environment.currentTimeMs()) - started).toBeGreaterThanOrEqual(3 * 86_400_000);
    return ended;
  });
  expect(result).toMatchObject({ endReason: 'hand_over', stops: [{ detail: 'approval_expired' }], handOver: { remains: [expect.stringContaining('pay')] } });
  expect(told.map(({ event }) => event)).toEqual(['waiting', 'reminder', 'ended']);
  expect(till.paid).toEqual([]);
  const { entries } = await createClient({ connection: environment.connection, namespace: 'default', taskQueue: 'deadline', blobs }).trace('three-days');
  expect(entries.some((entry) => entry.kind === 'item' && entry.item.type === 'observation' && entry.item.status === 'denied')).toBe(true);
});
