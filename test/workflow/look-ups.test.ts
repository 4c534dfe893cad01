import { Client } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../client/caseworker-client.ts';
import type { CaseworkerClient } from '../../client/types.ts';
import type { RunResult } from '../../core/run.ts';
import { startScriptedModel } from '../../models/index.ts';
import type { ScriptedModel, Scripts } from '../../models/index.ts';
import { createFileBlobStore } from '../../worker/file-blob-store.ts';
import { openGate } from '../support/gate.ts';
import type { Gate } from '../support/gate.ts';
import { failedWorkflowTasks, historyOf } from '../support/histories.ts';
import { speaker } from '../support/speaker.ts';
import { temporaryDataDir, testBundle, testServer, uniqueTaskQueue } from '../support/test-server.ts';
import { startWorkerProcess } from '../support/worker-process.ts';
import type { WorkerSettings } from '../support/worker-process.ts';

const say = speaker('function-calling');
const pays = (gate: string) => say.call('I pay.', 'pay_traced', { gate });
/** What the other side says when it is asked what became of the call; in `twice` it says nothing before that worker dies too. */
const CASES = ['happened', 'did-not-happen', 'fails', 'cannot-tell', 'talks-nonsense', 'twice'] as const;
type Case = (typeof CASES)[number];
const scripts: Scripts = Object.fromEntries(
  CASES.map((name) => [name, name === 'did-not-happen' ? [pays(name), pays(name), say.answer('Finished.')] : [pays(name), say.answer('Finished.')]]),
);
const asked = (name: Case) => `what-became-of-${name}`;

let model: ScriptedModel;
let gate: Gate;
let client: CaseworkerClient;
let temporal: Client;
const ids = new Map<Case, string>();
const idOf = (name: Case) => ids.get(name) ?? '';

beforeAll(async () => {
  [model, gate] = await Promise.all([startScriptedModel(scripts), openGate()]);
  const { connection } = await testServer();
  temporal = new Client({ connection });
  gate.says(asked('happened'), { body: JSON.stringify({ happened: true, result: 'receipt 7' }) });
  gate.says(asked('did-not-happen'), { body: JSON.stringify({ happened: false }) });
  gate.says(asked('fails'), { status: 500 });
  gate.says(asked('cannot-tell'), { body: 'null' });
  gate.says(asked('talks-nonsense'), { body: '{"happened": "perhaps"}' });

  const dataDir = temporaryDataDir();
  await startWorkerProcess(await killedInTheirWrite(CASES.filter((name) => name !== 'twice'), dataDir));
  // A task queue of its own: the others' look-ups are not to be cut off with it.
  const settings = await killedInTheirWrite(['twice'], dataDir);
  const second = await startWorkerProcess(settings);
  await gate.arrived(asked('twice'), 1);
  await second.kill();
  gate.says(asked('twice'), { body: JSON.stringify({ happened: true, result: 'receipt 8' }) });
  await startWorkerProcess(settings);
}, 180_000);
afterAll(async () => {
  await gate.close();
  await model.close();
});

/** All runs are in their write when their worker dies; what the next worker needs comes back. */
async function killedInTheirWrite(names: readonly Case[], dataDir: string): Promise<WorkerSettings> {
  const { address, connection } = await testServer();
  const { codePath } = await testBundle();
  const settings = { address, taskQueue: uniqueTaskQueue(), modelUrl: model.baseURL, gateUrl: gate.url, dataDir, bundle: codePath };
  const worker = await startWorkerProcess(settings);
  client = createClient({ connection, namespace: 'default', taskQueue: settings.taskQueue, blobs: createFileBlobStore(dataDir) });
  for (const name of names) ids.set(name, (await client.start({ agent: 'gate', task: `script:${name} Pay.` })).id);
  await Promise.all(names.map((name) => gate.arrived(name, 1)));
  await worker.kill();
  // A blind second try would get through.
  for (const name of names) gate.open(name);
  return settings;
}

async function ended(name: Case): Promise<RunResult | undefined> {
  const result = await client.result(idOf(name), { waitMs: 90_000 });
  expect(failedWorkflowTasks(await historyOf(temporal, idOf(name)))).toEqual([]);
  return result;
}

async function effectsOf(name: Case) {
  return (await client.effects(idOf(name))).effects;
}

describe('a worker is killed in a write that may run once, whose tool can look up what became of it', { timeout: 120_000 }, () => {
  test('it happened: the run goes on with what was found, and nothing is sent again', async () => {
    expect(await ended('happened')).toMatchObject({ endReason: 'final_answer' });
    expect(gate.count('happened')).toBe(1);
    expect(gate.count(asked('happened'))).toBe(1);
    expect(await effectsOf('happened')).toMatchObject([{ call: '1.1', kind: 'once', outcome: 'ok', attempts: 2, text: 'receipt 7' }]);
  });

  test('it did not happen: the model is told so, and may ask for it once more', async () => {
    expect(await ended('did-not-happen')).toMatchObject({ endReason: 'final_answer' });
    expect(gate.count('did-not-happen')).toBe(2);
    expect(await effectsOf('did-not-happen')).toMatchObject([
      { call: '1.1', outcome: 'error', attempts: 2, text: expect.stringContaining('did not happen') },
      { call: '2.1', outcome: 'ok', attempts: 1, text: 'passed did-not-happen' },
    ]);
  });

  test.each(['fails', 'cannot-tell', 'talks-nonsense'] as const)('the look-up %s: the outcome is in doubt, a person gets the run, and nothing is sent again', async (name) => {
    expect(await ended(name)).toMatchObject({
      endReason: 'hand_over', stops: [{ detail: 'unknown_outcome' }], handOver: { inDoubt: [{ tool: 'pay_traced', args: { gate: name } }] },
    });
    expect(gate.count(name)).toBe(1);
    expect(gate.count(asked(name))).toBe(1);
    expect(await effectsOf(name)).toMatchObject([{ call: '1.1', outcome: 'unknown' }]);
    expect(model.requestsFor(name)).toHaveLength(1);
  });

  test('the worker that looks it up is killed too: it is looked up again, and nothing is sent again', async () => {
    expect(await ended('twice')).toMatchObject({ endReason: 'final_answer' });
    expect(gate.count('twice')).toBe(1);
    expect(gate.count(asked('twice'))).toBeGreaterThanOrEqual(2);
    expect(await effectsOf('twice')).toMatchObject([{ call: '1.1', outcome: 'ok', text: 'receipt 8' }]);
  });
});
