import { Client } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../../client/caseworker-client.ts';
import { startScriptedModel } from '../../models/index.ts';
import type { ScriptedModel, Scripts } from '../../models/index.ts';
import { createFileBlobStore } from '../../worker/file-blob-store.ts';
import { heldCall } from '../support/approval-desk.ts';
import { openGate } from '../support/gate.ts';
import type { Gate } from '../support/gate.ts';
import { failedWorkflowTasks, historyOf } from '../support/histories.ts';
import { speaker } from '../support/speaker.ts';
import { temporaryDataDir, testBundle, testServer, uniqueTaskQueue } from '../support/test-server.ts';
import { startWorkerProcess } from '../support/worker-process.ts';

const say = speaker('function-calling');
const scripts: Scripts = {
  delivered: [say.call('I pay.', 'pay_held', { gate: 'delivered' }), say.answer('Done.')],
  between: [say.call('I pay.', 'pay_held', { gate: 'between' }), say.answer('Done.')],
};
const by = { name: 'meera', verified: false };

let model: ScriptedModel;
let gate: Gate;
beforeAll(async () => {
  [model, gate] = await Promise.all([startScriptedModel(scripts), openGate()]);
});
afterAll(async () => {
  await gate.close();
  await model.close();
});

async function place() {
  const { address, connection } = await testServer();
  const taskQueue = uniqueTaskQueue();
  const dataDir = temporaryDataDir();
  const { codePath } = await testBundle();
  return {
    client: createClient({ connection, namespace: 'default', taskQueue, blobs: createFileBlobStore(dataDir) }),
    temporal: new Client({ connection }),
    start: () => startWorkerProcess({ address, taskQueue, modelUrl: model.baseURL, gateUrl: gate.url, dataDir, bundle: codePath }),
  };
}

test('a decision that is sent while no worker is up lands, and is applied once when one comes', async () => {
  const { client, temporal, start } = await place();
  const first = await start();
  const { id } = await client.start({ agent: 'gate', task: 'script:delivered Pay.' });
  const { argsHash } = await heldCall({ client }, id, '1.1');
  await first.kill();
  const decision = { id: 'one-decision', call: '1.1', argsHash, by };
  expect(await client.approve(id, decision)).toEqual({ state: 'delivered' });
  expect(await client.approve(id, decision)).toEqual({ state: 'delivered' });
  gate.open('delivered');
  await start();
  expect(await client.result(id, { waitMs: 50_000 })).toMatchObject({ endReason: 'final_answer' });
  expect(gate.count('delivered')).toBe(1);
  expect(failedWorkflowTasks(await historyOf(temporal, id))).toEqual([]);
}, 90_000);

test('the worker is killed between the decision and the effect: the effect happens once', async () => {
  const { client, temporal, start } = await place();
  const first = await start();
  const { id } = await client.start({ agent: 'gate', task: 'script:between Pay.' });
  const { argsHash } = await heldCall({ client }, id, '1.1');
  const handle = temporal.workflow.getHandle(id);
  gate.open('between');
  // The signal is in history; whether the dead worker took it in or the next one does, one of them runs the call.
  await handle.signal('approve', { id: 'd', call: '1.1', argsHash, by });
  await first.kill();
  await start();
  const result = await client.result(id, { waitMs: 50_000 });
  expect(gate.count('between')).toBeLessThanOrEqual(1);
  // Killed while the call ran, nobody can know: that is told, and never tried again.
  expect([['final_answer', 1], ['hand_over', 1], ['hand_over', 0]]).toContainEqual([result?.endReason, gate.count('between')]);
  if (result?.endReason === 'hand_over') expect(result.stops.at(-1)).toMatchObject({ detail: 'unknown_outcome' });
  expect(failedWorkflowTasks(await historyOf(temporal, id))).toEqual([]);
}, 90_000);
