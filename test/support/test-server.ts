import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connection } from '@temporalio/client';
import { Client } from '@temporalio/client';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { NativeConnection } from '@temporalio/worker';
import { afterAll, inject } from 'vitest';
import type { Cluster } from '../../worker/connect.ts';
import { connectClient, connectWorker, openCluster } from '../../worker/connect.ts';
import { holdServer } from '../../worker/embedded-server.ts';
import { workflowBundle } from '../../worker/workflow-bundle.ts';

/** The real Temporal dev server that all tests of a run share. */
export interface TestServer {
  readonly cluster: Cluster;
  readonly address: string;
  readonly namespace: string;
  readonly dataDir: string;
  readonly connection: Connection;
  readonly nativeConnection: NativeConnection;
  readonly client: Client;
}

let server: Promise<TestServer> | undefined;

/** The shared server, started by whoever asks first; its connections are closed after the file's last test. */
export function testServer(): Promise<TestServer> {
  return (server ??= open());
}

/** Registered where the file is loaded: a hook that is added while a test runs is too late. */
afterAll(async () => {
  if (server === undefined) return;
  const { cluster, connection, nativeConnection } = await server;
  server = undefined;
  await connection.close();
  await nativeConnection.close();
  await cluster.release();
});

async function open(): Promise<TestServer> {
  // Every step of every worker is news to nobody who reads the results of tests.
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const dataDir = inject('testDataDir');
  // No TEMPORAL_*: tests must not reach somebody's real cluster.
  const env = cleanEnvironment();
  const cluster = await openCluster({ env, dataDir, report, mayStart: true, ports: 'free' });
  const connection = await connectClient(cluster);
  const nativeConnection = await connectWorker(cluster);
  const client = new Client({ connection, namespace: cluster.namespace });
  return { cluster, address: cluster.address, namespace: cluster.namespace, dataDir, connection, nativeConnection, client };
}

let bundle: Promise<{ readonly codePath: string }> | undefined;

/** The workflow code as the worker takes it, bundled once for all files and all runs. */
export function testBundle(): Promise<{ readonly codePath: string }> {
  return (bundle ??= workflowBundle({ env: process.env, report }));
}

/** A queue of its own for each test: another test's worker never takes its tasks. */
export function uniqueTaskQueue(): string {
  return `test-${randomUUID()}`;
}

/** A folder that is removed after the file's last test, and with it the server that a failed test left running there. */
export function temporaryDataDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'caseworker-data-'));
  temporary.push(dir);
  return dir;
}

const temporary: string[] = [];
afterAll(async () => {
  for (const dir of temporary.splice(0)) {
    if (existsSync(join(dir, 'server', 'server.json'))) await stopServerOf(dir);
    rmSync(dir, { recursive: true, force: true });
  }
});

async function stopServerOf(dataDir: string): Promise<void> {
  rmSync(join(dataDir, 'server', 'users'), { recursive: true, force: true });
  const release = await holdServer(dataDir);
  await release();
}

/** The environment without what names another cluster, its profile file included. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('TEMPORAL_') && !name.startsWith('CASEWORKER_DATA'));
  return { ...Object.fromEntries(kept), TEMPORAL_CONFIG_FILE: '/nonexistent/temporal.toml' };
}

/** What is fetched or built is news while it happens; on stderr, so that stdout ends with the counts. */
function report(message: string): void {
  process.stderr.write(`${message}\n`);
}
