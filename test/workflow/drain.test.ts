import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../client/caseworker-client.ts';
import { startScriptedModel } from '../../models/index.ts';
import type { ScriptedModel } from '../../models/index.ts';
import { createFileBlobStore } from '../../worker/file-blob-store.ts';
import { openGate } from '../support/gate.ts';
import type { Gate } from '../support/gate.ts';
import { failedWorkflowTasks, historyOf } from '../support/histories.ts';
import { speaker } from '../support/speaker.ts';
import { temporaryDataDir, testBundle, testServer, uniqueTaskQueue } from '../support/test-server.ts';
import { startWorkerProcess } from '../support/worker-process.ts';

const say = speaker('function-calling');
let model: ScriptedModel;
let gate: Gate;
beforeAll(async () => {
  model = await startScriptedModel({
    'in-model': [{ ...say.call('I look.', 'look', { gate: 'open' }), heldBy: 'reply' }, say.answer('Finished.')],
    'in-write': [say.call('I pay.', 'pay', { gate: 'write' }), say.answer('Finished.')],
  });
  gate = await openGate();
  gate.open('open');
});
afterAll(async () => {
  await gate.close();
  await model.close();
});

/** A run is under way when its worker is told to stop, as a deploy does it; another one is there to go on. */
async function stoppedWhile(key: string, isThere: () => Promise<void>, letGo: () => void) {
  const { address, connection, client: temporal } = await testServer();
  const { codePath } = await testBundle();
  const settings = { address, taskQueue: uniqueTaskQueue(), modelUrl: model.baseURL, gateUrl: gate.url, dataDir: temporaryDataDir(), bundle: codePath };
  const client = createClient({ connection, namespace: 'default', taskQueue: settings.taskQueue, blobs: createFileBlobStore(settings.dataDir) });
  const first = await startWorkerProcess(settings);
  const { id } = await client.start({ agent: 'gate', task: `script:${key} Look.` });
  await isThere();
  const gone = first.stop();
  const second = await startWorkerProcess(settings);
  letGo();
  await gone;
  const result = await client.result(id, { waitMs: 50_000 });
  await second.stop();
  expect(failedWorkflowTasks(await historyOf(temporal, id))).toEqual([]);
  return { id, client, result };
}

describe('a worker that is told to stop (SIGTERM)', () => {
  test('finishes the model call that runs: it is not paid for twice, and no run takes it for a cancel', async () => {
    const { result } = await stoppedWhile('in-model', () => model.until((requests) => requests.some(({ key }) => key === 'in-model')), () => model.release('reply'));
    expect(result).toMatchObject({ endReason: 'final_answer', usage: { turns: 2, modelCalls: 2, estimatedTokens: 0 } });
    expect(model.requestsFor('in-model').map(({ turn }) => turn)).toEqual([0, 1]);
  });

  test('finishes the write that runs: its outcome is known', async () => {
    const { id, client, result } = await stoppedWhile('in-write', () => gate.arrived('write', 1), () => gate.open('write'));
    expect(result).toMatchObject({ endReason: 'final_answer' });
    expect(gate.count('write')).toBe(1);
    expect((await client.effects(id)).effects).toMatchObject([{ tool: 'pay', kind: 'once', outcome: 'ok', attempts: 1 }]);
  });
});
