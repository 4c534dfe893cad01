import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { withFileLock } from './file-lock.ts';
import { isAlive } from './process-identity.ts';
import { answers, setRetention } from './server-health.ts';
import type { RunningServer } from './server-record.ts';
import { portsOf, readRecord, removeRecord, writeRecord } from './server-record.ts';
import type { Ports, ServerProcess } from './server-process.ts';
import { startServerProcess, stopServerProcess } from './server-process.ts';
import type { UserEntry } from './server-users.ts';
import { addUser, hasLiveUser } from './server-users.ts';
import { findTemporal } from './temporal-binary.ts';

/** Temporal's own usual ports: what people have in their bookmarks. */
const USUAL_PORTS: Ports = { grpc: 7233, ui: 8233 };
const NAMESPACE = 'default';
/** Long against one probe of a server that is busy; a dead one refuses at once. */
const JOIN_PROBE_MS = 5_000;
/** Under the lock a binary may be fetched (45 MB) and a server started. */
const LOCK_TIMEOUT_MS = 300_000;

export interface AcquireOptions {
  readonly dataDir: string;
  /** Told in words what is being done, a line at a time. */
  readonly report: (message: string) => void;
  readonly env?: NodeJS.ProcessEnv;
  /** `usual`: 7233 and 8233 when they are free. `free`: any. Default: usual. */
  readonly ports?: 'usual' | 'free';
}

export interface EmbeddedServer {
  readonly address: string;
  readonly namespace: string;
  readonly uiUrl: string;
  readonly startedByUs: boolean;
  /** Takes this user back; the last one stops the server, whoever started it. The data stays. Safe to call twice. */
  release(): Promise<void>;
}

/**
 * Joins the Temporal server of a data folder, or starts it. It runs until its last user has released it; users that
 * were killed do not count.
 * @throws Error when no server can be found, fetched or started; the message says what was tried.
 */
export async function acquireServer(options: AcquireOptions): Promise<EmbeddedServer> {
  const dir = serverDir(options.dataDir);
  return locked(dir, async () => {
    const running = await findRunning(dir);
    const server = running ?? (await start(dir, options));
    const release = releaseOnce(dir, addUser(usersDir(dir)));
    return { address: server.address, namespace: NAMESPACE, uiUrl: server.uiUrl, startedByUs: running === undefined, release };
  });
}

/** The server of a data folder when one runs and answers; nothing is started. */
export async function runningServer(dataDir: string): Promise<{ readonly address: string; readonly uiUrl: string } | undefined> {
  return findRunning(serverDir(dataDir));
}

/**
 * Counts as a user without starting anything: a server that others start in between stays up for the next of them.
 * @returns the function that takes it back, and stops the server when nobody else needs it.
 */
export async function holdServer(dataDir: string): Promise<() => Promise<void>> {
  const dir = serverDir(dataDir);
  return locked(dir, () => Promise.resolve(releaseOnce(dir, addUser(usersDir(dir)))));
}

function releaseOnce(dir: string, user: UserEntry): () => Promise<void> {
  let released: Promise<void> | undefined;
  return () => (released ??= locked(dir, () => release(dir, user)));
}

async function release(dir: string, user: UserEntry): Promise<void> {
  user.remove();
  if (hasLiveUser(usersDir(dir))) return;
  const recorded = readRecord(dir);
  if (recorded !== undefined) await stopServerProcess(recorded.process);
  removeRecord(dir);
}

async function start(dir: string, options: AcquireOptions): Promise<RunningServer> {
  const crashed = readRecord(dir);
  // One that lives and does not answer would share the file with the new one.
  if (crashed !== undefined) await stopServerProcess(crashed.process);
  const binary = await findTemporal({ env: options.env ?? process.env, report: options.report });
  // After a crash the same ports again: workers that are still up find the new server by themselves.
  const preferred = portsOf(crashed) ?? (options.ports === 'free' ? undefined : USUAL_PORTS);
  const started = await startServerProcess({ binary, dir, ...(preferred === undefined ? {} : { preferred }) });
  const server = await madeReady(dir, started);
  options.report(`Started a Temporal server at ${server.address}, its pages at ${server.uiUrl}, its data in ${dir}`);
  return server;
}

async function madeReady(dir: string, { process, ports }: ServerProcess): Promise<RunningServer> {
  const server = { process, address: `127.0.0.1:${ports.grpc}`, uiUrl: `http://127.0.0.1:${ports.ui}` };
  try {
    await setRetention(server.address, NAMESPACE);
  } catch (error) {
    await stopServerProcess(process);
    throw error;
  }
  writeRecord(dir, server);
  return server;
}

async function findRunning(dir: string): Promise<RunningServer | undefined> {
  const recorded = readRecord(dir);
  if (recorded === undefined || !isAlive(recorded.process)) return undefined;
  return (await answers(recorded.address, JOIN_PROBE_MS)) ? recorded : undefined;
}

function locked<T>(dir: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(dir, { recursive: true });
  return withFileLock({ path: join(dir, 'lock'), what: 'the Temporal server to be started or stopped', timeoutMs: LOCK_TIMEOUT_MS }, work);
}

function serverDir(dataDir: string): string {
  return join(dataDir, 'server');
}

function usersDir(dir: string): string {
  return join(dir, 'users');
}
