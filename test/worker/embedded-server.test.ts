import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client, Connection } from '@temporalio/client';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { acquireServer, holdServer, runningServer } from '../../worker/embedded-server.ts';
import { isAlive } from '../../worker/process-identity.ts';
import { answers } from '../../worker/server-health.ts';
import { temporaryDataDir, testServer } from '../support/test-server.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

const userLine = z.object({ address: z.string(), startedByUs: z.boolean() });
const record = z.object({ pid: z.number(), startTime: z.string().optional(), address: z.string() });
const quiet = () => undefined;

/** Another process that uses the server of the folder. */
async function user(dataDir: string) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'test/support/server-user.ts', dataDir], { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  for await (const line of createInterface({ input: child.stdout })) {
    return { ...userLine.parse(JSON.parse(line)), leave: () => leave(child), kill: () => kill(child) };
  }
  throw new Error('The process ended without a server.');
}

async function leave(child: ChildProcess): Promise<void> {
  child.stdin?.end();
  await once(child, 'exit');
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

function recorded(dataDir: string) {
  const { pid, startTime, address } = record.parse(JSON.parse(readFileSync(join(dataDir, 'server', 'server.json'), 'utf8')));
  return { address, process: startTime === undefined ? { pid } : { pid, startTime } };
}

test('closed runs are kept for 30 days, not for the one day of a dev server', async () => {
  const { connection, namespace } = await testServer();
  const { config } = await connection.workflowService.describeNamespace({ namespace });
  expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(30 * 24 * 60 * 60);
});

test('of two processes that start at once one starts the server and the other joins it; the last to leave stops it', async () => {
  const dataDir = temporaryDataDir();
  const [one, other] = await Promise.all([user(dataDir), user(dataDir)]);
  expect(other.address).toBe(one.address);
  expect([one.startedByUs, other.startedByUs].filter(Boolean)).toHaveLength(1);
  const server = recorded(dataDir);

  await (one.startedByUs ? one : other).leave();
  expect(await answers(server.address, 5_000)).toBe(true);
  await (one.startedByUs ? other : one).leave();
  expect(isAlive(server.process)).toBe(false);
  expect(existsSync(join(dataDir, 'server', 'server.json'))).toBe(false);
  expect(readdirSync(join(dataDir, 'server', 'users'))).toEqual([]);
});

test('a user that was killed does not keep the server up', async () => {
  const dataDir = temporaryDataDir();
  const killed = await user(dataDir);
  const last = await acquireServer({ dataDir, report: quiet });
  expect(last).toMatchObject({ startedByUs: false, address: killed.address });
  const server = recorded(dataDir);
  await killed.kill();
  await last.release();
  expect(isAlive(server.process)).toBe(false);
});

test('a server that was killed is started again on its old address, with its runs', async () => {
  const dataDir = temporaryDataDir();
  const first = await acquireServer({ dataDir, report: quiet, ports: 'free' });
  await startRunWithoutWorker(first.address);
  process.kill(recorded(dataDir).process.pid, 'SIGKILL');
  const second = await acquireServer({ dataDir, report: quiet, ports: 'free' });
  expect(second).toMatchObject({ startedByUs: true, address: first.address, uiUrl: first.uiUrl });
  expect(await statusOfRun(second.address)).toBe('RUNNING');
  await first.release();
  expect(await answers(second.address, 5_000)).toBe(true);
  await second.release();
  expect(await answers(second.address, 500)).toBe(false);
});

test('what was stopped in order has its runs at the next start', async () => {
  const dataDir = temporaryDataDir();
  const first = await acquireServer({ dataDir, report: quiet, ports: 'free' });
  await startRunWithoutWorker(first.address);
  await first.release();
  const second = await acquireServer({ dataDir, report: quiet, ports: 'free' });
  expect(await statusOfRun(second.address)).toBe('RUNNING');
  await second.release();
});

test('when the usual ports are taken the server takes free ones', async () => {
  const blockers = await Promise.all([7233, 8233].map(occupy));
  const server = await acquireServer({ dataDir: temporaryDataDir(), report: quiet });
  expect(await answers(server.address, 5_000)).toBe(true);
  expect(server.address).not.toBe('127.0.0.1:7233');
  expect(server.uiUrl).not.toBe('http://127.0.0.1:8233');
  expect((await fetch(server.uiUrl)).ok).toBe(true);
  await server.release();
  for (const blocker of blockers) blocker.close();
});

test('a process that has the id of an old server by chance is neither used nor ended', async () => {
  const dataDir = temporaryDataDir();
  const bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  children.push(bystander);
  mkdirSync(join(dataDir, 'server'));
  const stale = { pid: bystander.pid, startTime: '1', address: '127.0.0.1:1', uiUrl: 'http://127.0.0.1:2' };
  writeFileSync(join(dataDir, 'server', 'server.json'), JSON.stringify(stale));
  expect(await runningServer(dataDir)).toBeUndefined();
  const server = await acquireServer({ dataDir, report: quiet, ports: 'free' });
  expect(server.startedByUs).toBe(true);
  await server.release();
  expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
});

test('to hold a server starts none, and keeps one up between its users', async () => {
  const dataDir = temporaryDataDir();
  const release = await holdServer(dataDir);
  expect(await runningServer(dataDir)).toBeUndefined();
  const server = await acquireServer({ dataDir, report: quiet, ports: 'free' });
  await server.release();
  expect(await runningServer(dataDir)).toMatchObject({ address: server.address });
  await release();
  expect(await answers(server.address, 500)).toBe(false);
});

test('a server that cannot start says so with the end of its log', async () => {
  const dataDir = temporaryDataDir();
  mkdirSync(join(dataDir, 'server', 'temporal.db'), { recursive: true });
  await expect(acquireServer({ dataDir, report: quiet, ports: 'free' })).rejects.toThrow(/ended at once.*server\.log:\n.+/s);
});

async function startRunWithoutWorker(address: string): Promise<void> {
  await withClient(address, (client) => client.workflow.start('agentRun', { workflowId: 'kept', taskQueue: 'nobody' }));
}

async function statusOfRun(address: string): Promise<string> {
  return withClient(address, async (client) => (await client.workflow.getHandle('kept').describe()).status.name);
}

async function withClient<T>(address: string, work: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address });
  try {
    return await work(new Client({ connection }));
  } finally {
    await connection.close();
  }
}

/** Taken by this test or by somebody else on the machine: taken either way. */
async function occupy(port: number) {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await Promise.race([once(server, 'listening'), once(server, 'error')]).catch(() => undefined);
  return server;
}
