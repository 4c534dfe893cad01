import { Client } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../../client/caseworker-client.ts';
import type { CaseworkerClient } from '../../client/types.ts';
import { startScriptedModel } from '../../models/index.ts';
import type { ScriptedModel, Scripts } from '../../models/index.ts';
import { createFileBlobStore } from '../../worker/file-blob-store.ts';
import { openGate } from '../support/gate.ts';
import type { Gate } from '../support/gate.ts';
import { failedWorkflowTasks, historyOf } from '../support/histories.ts';
import { speaker } from '../support/speaker.ts';
import { temporaryDataDir, testBundle, testServer, uniqueTaskQueue } from '../support/test-server.ts';
import { startWorkerProcess } from '../support/worker-process.ts';

const say = speaker('function-calling');
const CASES = ['happened', 'not-happened', 'retried'] as const;
const pay = (gate: string) => say.call('I pay.', 'pay', { gate });
const scripts: Scripts = {
  happened: [pay('happened'), pay('happened'), say.answer('It is done.')],
  'not-happened': [pay('not-happened'), pay('not-happened'), say.answer('It is done.')],
  retried: [pay('retried'), pay('retried'), say.answer('It is done.')],
};
const by = { name: 'meera', verified: false };

let model: ScriptedModel;
let gate: Gate;
let client: CaseworkerClient;
let temporal: Client;
const ids: Record<string, string> = {};

/** One worker, killed while three payments are under way: nobody knows what became of any. */
beforeAll(async () => {
  [model, gate] = await Promise.all([startScriptedModel(scripts), openGate()]);
  const { address, connection } = await testServer();
  const taskQueue = uniqueTaskQueue();
  const dataDir = temporaryDataDir();
  const { codePath } = await testBundle();
  client = createClient({ connection, namespace: 'default', taskQueue, blobs: createFileBlobStore(dataDir) });
  temporal = new Client({ connection });
  const start = () => startWorkerProcess({ address, taskQueue, modelUrl: model.baseURL, gateUrl: gate.url, dataDir, bundle: codePath });
  const first = await start();
  for (const name of CASES) ids[name] = (await client.start({ agent: 'gate-waits', task: `script:${name} Pay.` })).id;
  await Promise.all(CASES.map((name) => gate.arrived(name, 1)));
  await first.kill();
  await start();
  for (const name of CASES) gate.open(name);
}, 120_000);
afterAll(async () => {
  await gate.close();
  await model.close();
});

async function inDoubt(name: string): Promise<string> {
  const id = ids[name] ?? '';
  // The heartbeat time-out of a write that is only slow is long.
  for (let tries = 0; tries < 20_000; tries += 1) {
    const progress = await client.progress(id);
    if (progress?.status === 'waiting_outcome') {
      expect(progress).toMatchObject({ doubts: [{ call: '1.1', tool: 'pay', args: { gate: name } }], handOver: { inDoubt: [{ call: '1.1' }], next: expect.stringContaining('settle') } });
      return id;
    }
  }
  throw new Error(`run ${id} is not in doubt: ${JSON.stringify(await client.show(id))}`);
}

async function answered(id: string) {
  const result = await client.result(id, { waitMs: 60_000 });
  expect(failedWorkflowTasks(await historyOf(temporal, id))).toEqual([]);
  return result;
}

test('it happened: the run goes on, and the same call asked again does not run', async () => {
  const id = await inDoubt('happened');
  expect(await client.settle(id, { call: '1.1', outcome: 'happened', result: 'paid, receipt 7', by })).toMatchObject({ state: 'applied' });
  expect(await client.settle(id, { call: '1.1', outcome: 'not_happened', by })).toMatchObject({ state: 'refused', because: expect.stringContaining('is known: ok, paid, receipt 7') });
  expect(await answered(id)).toMatchObject({ endReason: 'final_answer' });
  expect(gate.count('happened')).toBe(1);
  // A copy of the first turn knows it too: nothing is in doubt there, and nothing is paid again.
  const fork = await client.fork(id, { atTurn: 1, requestedBy: by });
  expect(await answered(fork.id)).toMatchObject({ endReason: 'final_answer' });
  expect((await client.effects(fork.id)).effects).toMatchObject([{ call: '1.1', outcome: 'ok', settledBy: { person: by } }]);
  expect(gate.count('happened')).toBe(1);
}, 90_000);

test('it did not happen: the model may ask for it again, and then it runs', async () => {
  const id = await inDoubt('not-happened');
  expect(await client.settle(id, { call: '1.1', outcome: 'not_happened', by })).toMatchObject({ state: 'applied' });
  expect(await answered(id)).toMatchObject({ endReason: 'final_answer' });
  expect(gate.count('not-happened')).toBe(2);
}, 90_000);

test('tried again by a person: once, and what comes back is what became of the first', async () => {
  const id = await inDoubt('retried');
  const decision = { id: 'retry-it', call: '1.1', outcome: 'retry', by } as const;
  expect(await client.settle(id, decision)).toMatchObject({ state: 'applied' });
  await client.settle(id, decision);
  expect(await answered(id)).toMatchObject({ endReason: 'final_answer' });
  expect(gate.count('retried')).toBe(2);
}, 90_000);
