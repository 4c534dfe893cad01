import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { workerPolls } from '../../cli/task-queue-pollers.ts';
import { temporaryDataDir, testServer, uniqueTaskQueue } from '../support/test-server.ts';
import { runCli, startCli, type RunningCli } from './run-cli.ts';

const DATA = temporaryDataDir();
const NO_WORKER = 'No worker is up: what has not ended is kept and goes on as soon as one is: npm run -s caseworker -- dev';

/** A model that never answers, so that runs go on for as long as they are looked at. */
const model = createServer(() => asked());
let asked: () => void = () => undefined;
const modelAsked = () => new Promise<void>((resolve) => {
  asked = resolve;
});

describe('runs whose worker dies', { timeout: 240_000 }, () => {
  let server: Readonly<Record<string, string>>;
  const on = (taskQueue: string) => ({ ...server, CASEWORKER_TASK_QUEUE: taskQueue });

  beforeAll(async () => {
    const { address } = await testServer();
    await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
    server = { CASEWORKER_DATA: DATA, TEMPORAL_ADDRESS: address, OPENAI_BASE_URL: url, OPENAI_MODEL: 'silent', OPENAI_API_KEY: 'none' };
  }, 120_000);
  afterAll(() => {
    model.closeAllConnections();
    model.close();
  });

  const worker = async (taskQueue: string): Promise<RunningCli> => {
    const started = startCli(['worker'], on(taskQueue));
    await started.said('Ctrl-C ends it.');
    return started;
  };

  test('whoever watches them is told once, and once when a worker is back; data stays data; the last line says what is true then', async () => {
    const queue = uniqueTaskQueue();
    const file = join(DATA, 'tasks.csv');
    await writeFile(file, 'id,task\nleft-1,Is order 88213 late?\nleft-2,Is order 88214 late?\n');
    const first = await worker(queue);
    const [begun, watching] = [modelAsked(), startCli(['run', 'order-desk', '--each', file, '-o', 'json'], on(queue))];
    await begun;
    const gone = watching.said(NO_WORKER);
    first.kill();
    await gone;
    const back = watching.said('A worker is up again.');
    const second = await worker(queue);
    await back;
    watching.interrupt();
    const { stdout, stderr, code } = await watching.ended;
    expect(stderr.split(NO_WORKER)).toHaveLength(2);
    expect(stderr).toContain('2 runs go on as long as a worker is up.');
    expect({ stdout: JSON.parse(stdout), code }).toEqual({ stdout: [], code: 130 });

    // Looked up by the run: whoever watches may have another queue set.
    const { connection, namespace } = await testServer();
    const isServed = (of: Parameters<typeof workerPolls>[0]['of']) => workerPolls({ connection, namespace, of });
    expect([await isServed({ run: 'left-1' }), await isServed({ taskQueue: uniqueTaskQueue() })]).toEqual([true, false]);
    const following = startCli(['trace', 'left-1', '-f'], on(queue));
    await following.said('Following left-1');
    const left = following.said(NO_WORKER);
    second.kill();
    await left;
    following.interrupt();
    expect((await following.ended).stderr).toMatch(/it was not cancelled\. The run is kept and goes on as soon as a worker is up: .* dev\n/);
    expect(await isServed({ run: 'left-1' })).toBe(false);
  });

  test('the list says it once below its table, and one run that is shown says it too', async () => {
    const queue = uniqueTaskQueue();
    for (const id of ['idle-1', 'idle-2']) await runCli(['run', 'order-desk', 'Is order 88213 late?', '--id', id, '--detach'], on(queue));
    const query = ['list', '--query', 'WorkflowId STARTS_WITH "idle-"'];
    // Visibility lags behind the runs.
    let listed = await runCli(query, on(queue));
    for (let tries = 0; tries < 10 && !/idle-1[^]*idle-2|idle-2[^]*idle-1/.test(listed.stdout); tries += 1) listed = await runCli(query, on(queue));
    expect(listed.stderr.split(NO_WORKER)).toHaveLength(2);
    const shown = await runCli(['show', 'idle-1', '-o', 'json'], on(queue));
    expect(JSON.parse(shown.stdout)).toMatchObject({ summary: { status: 'running', taskQueue: queue }, goal: 'Is order 88213 late?', noWorker: true });
    expect(shown.stderr).toContain(NO_WORKER);
  });

  test('a command with a worker of its own says nothing of the kind, and neither does who looks meanwhile', async () => {
    const queue = uniqueTaskQueue();
    const [begun, running] = [modelAsked(), startCli(['run', 'order-desk', 'Is order 88213 late?', '--id', 'own'], on(queue))];
    await begun;
    const shown = await runCli(['show', 'own', '-o', 'json'], on(queue));
    expect(JSON.parse(shown.stdout)).toMatchObject({ noWorker: false });
    const listed = await runCli(['list', '--query', 'WorkflowId = "own"'], on(queue));
    expect(shown.stderr + listed.stderr).not.toContain('No worker');
    running.interrupt();
    model.closeAllConnections();
    const { stderr } = await running.ended;
    expect(stderr).not.toContain('No worker');
    // Its own worker goes with it.
    expect(stderr).toContain('The run is kept and goes on as soon as a worker is up');
  });
});
