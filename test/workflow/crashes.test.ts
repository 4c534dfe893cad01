import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../client/caseworker-client.ts';
import type { CaseworkerClient } from '../../client/types.ts';
import { startScriptedModel } from '../../models/index.ts';
import type { ScriptedModel, Scripts } from '../../models/index.ts';
import { acquireServer } from '../../worker/embedded-server.ts';
import { createFileBlobStore } from '../../worker/file-blob-store.ts';
import { openGate } from '../support/gate.ts';
import type { Gate } from '../support/gate.ts';
import { failedWorkflowTasks, historyOf } from '../support/histories.ts';
import { speaker } from '../support/speaker.ts';
import { cleanEnvironment, temporaryDataDir, testBundle, testServer, uniqueTaskQueue } from '../support/test-server.ts';
import { startWorkerProcess } from '../support/worker-process.ts';

const say = speaker('function-calling');
const scripts: Scripts = {
  'in-model': [say.call('I look.', 'look', { gate: 'open' }), { ...say.call('I look on.', 'look', { gate: 'open-2' }), heldBy: 'second' }, say.answer('All seen.')],
  'in-read': [say.call('I look.', 'look', { gate: 'read' }), say.answer('All seen.')],
  'in-local-read': [say.call('I look.', 'glance', { gate: 'local-read' }), say.answer('All seen.')],
  'in-write': [say.call('I pay.', 'pay', { gate: 'write' }), say.answer('Paid.')],
  'in-idempotent': [say.call('I book.', 'book', { gate: 'idempotent' }), say.answer('Booked.')],
  'key-forgotten': [say.call('I book.', 'book_briefly', { gate: 'key-forgotten' }), say.answer('Booked.')],
  'server-down': [say.call('I look.', 'look', { gate: 'down' }), say.answer('All seen.')],
};

let model: ScriptedModel;
let gate: Gate;
beforeAll(async () => {
  [model, gate] = await Promise.all([startScriptedModel(scripts), openGate()]);
  gate.open('open');
  gate.open('open-2');
});
afterAll(async () => {
  await gate.close();
  await model.close();
});

interface Place {
  readonly client: CaseworkerClient;
  readonly temporal: Client;
  readonly start: () => ReturnType<typeof startWorkerProcess>;
}

async function place(address: string, connection: Connection): Promise<Place> {
  const taskQueue = uniqueTaskQueue();
  const dataDir = temporaryDataDir();
  const { codePath } = await testBundle();
  const settings = { address, taskQueue, modelUrl: model.baseURL, gateUrl: gate.url, dataDir, bundle: codePath };
  return {
    client: createClient({ connection, namespace: 'default', taskQueue, blobs: createFileBlobStore(dataDir) }),
    temporal: new Client({ connection }),
    start: () => startWorkerProcess(settings),
  };
}

/** Starts a run, kills its worker once it is where the test wants it, lets another worker go on. */
async function killedWhile(key: keyof typeof scripts  , isThere: () => Promise<void>, goOn: () => void) {
  const { address, connection } = await testServer();
  const { client, temporal, start } = await place(address, connection);
  const first = await start();
  const { id } = await client.start({ agent: 'gate', task: `script:${key} Look.` });
  await isThere();
  await first.kill();
  goOn();
  const second = await start();
  const result = await client.result(id, { waitMs: 50_000 });
  await second.stop();
  expect(failedWorkflowTasks(await historyOf(temporal, id))).toEqual([]);
  return { result, askedByTurn: [0, 1, 2].map((turn) => model.requestsFor(key).filter((request) => request.turn === turn).length) };
}

describe('a worker killed with SIGKILL', () => {
  test('in a model call: the run goes on, and no finished model call is made again', async () => {
    const isThere = () => model.until((requests) => requests.some(({ key, turn }) => key === 'in-model' && turn === 1));
    const { result, askedByTurn } = await killedWhile('in-model', isThere, () => model.release('second'));
    expect(result).toMatchObject({ endReason: 'final_answer', answer: 'All seen.', usage: { turns: 3, modelCalls: 4 } });
    expect(askedByTurn).toEqual([1, 2, 1]);
    expect(result?.usage.estimatedTokens).toBeGreaterThan(0);
  });

  test('in a read: it is read again', async () => {
    const { result, askedByTurn } = await killedWhile('in-read', () => gate.arrived('read', 1), () => gate.open('read'));
    expect(result).toMatchObject({ endReason: 'final_answer' });
    expect(gate.count('read')).toBe(2);
    expect(askedByTurn).toEqual([1, 1, 0]);
  });

  test('in a read that is made within the workflow task: it is read again, and the model is not asked again', async () => {
    const { result, askedByTurn } = await killedWhile('in-local-read', () => gate.arrived('local-read', 1), () => gate.open('local-read'));
    expect(result).toMatchObject({ endReason: 'final_answer' });
    expect(gate.count('local-read')).toBeGreaterThan(1);
    expect(askedByTurn).toEqual([1, 1, 0]);
  });

  test('in an idempotent write: it is sent again under the same key', async () => {
    const { result } = await killedWhile('in-idempotent', () => gate.arrived('idempotent', 1), () => gate.open('idempotent'));
    expect(result).toMatchObject({ endReason: 'final_answer' });
    expect(gate.count('idempotent')).toBe(2);
  });

  test('in an idempotent write whose key the other side keeps no longer: it is not sent again, its outcome is unknown and a person gets the run', async () => {
    const { result } = await killedWhile('key-forgotten', () => gate.arrived('key-forgotten', 1), () => gate.open('key-forgotten'));
    expect(result).toMatchObject({
      endReason: 'hand_over', stops: [{ detail: 'unknown_outcome' }], handOver: { inDoubt: [{ tool: 'book_briefly', args: { gate: 'key-forgotten' } }] },
    });
    expect(gate.count('key-forgotten')).toBe(1);
  });

  test('in a write that may run once: it is not run again, its outcome is unknown and a person gets the run', async () => {
    const { result } = await killedWhile('in-write', () => gate.arrived('write', 1), () => gate.open('write'));
    expect(result).toMatchObject({
      endReason: 'hand_over', stops: [{ detail: 'unknown_outcome' }], handOver: { inDoubt: [{ tool: 'pay', args: { gate: 'write' } }] },
    });
    expect(gate.count('write')).toBe(1);
  });
});

test('a server that was killed and started again on its data: the run goes on with the worker that stayed up', async () => {
  const dataDir = temporaryDataDir();
  const acquire = () => acquireServer({ dataDir, report: () => undefined, env: cleanEnvironment(), ports: 'free' });
  const server = await acquire();
  const connection = await Connection.connect({ address: server.address });
  const { client, start } = await place(server.address, connection);
  const worker = await start();
  const { id } = await client.start({ agent: 'gate', task: 'script:server-down Look.' });
  await gate.arrived('down', 1);
  const { pid } = JSON.parse(readFileSync(join(dataDir, 'server', 'server.json'), 'utf8')) as { pid: number };
  process.kill(pid, 'SIGKILL');
  gate.open('down');
  const again = await acquire();
  expect(again.startedByUs).toBe(true);
  expect(await client.result(id, { waitMs: 50_000 })).toMatchObject({ endReason: 'final_answer', answer: 'All seen.' });
  expect(model.requestsFor('server-down').map(({ turn }) => turn)).toEqual([0, 1]);
  await worker.stop();
  await connection.close();
  await again.release();
  await server.release();
});
