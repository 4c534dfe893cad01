import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, portOrFree } from './free-port.ts';
import type { ProcessIdentity } from './process-identity.ts';
import { identityOf, isAlive } from './process-identity.ts';
import { answers } from './server-health.ts';

const HOST = '127.0.0.1';
/** A start takes 1 to 3 s; the rest is for a slow disk and a busy machine. */
const START_TIMEOUT_MS = 60_000;
const PROBE_MS = 1_000;
const POLL_MS = 100;
/** An orderly end takes 2 to 3 s. The file survives a kill too: SQLite's journal is replayed at the next start. */
const STOP_GRACE_MS = 10_000;
/** A port can be taken between our look and the server's; each go picks new ones. */
const START_ATTEMPTS = 3;
const LOG_LINES_SHOWN = 5;

export interface Ports {
  readonly grpc: number;
  readonly ui: number;
}

export interface ServerProcess {
  readonly process: ProcessIdentity;
  readonly ports: Ports;
}

export interface StartOptions {
  readonly binary: string;
  /** Folder of the server's file and log. */
  readonly dir: string;
  /** Taken when free; free ones instead of those that are not. Absent: any free ones. */
  readonly preferred?: Ports;
}

/**
 * Starts a dev server that outlives this process and waits until it answers.
 * @throws Error with the end of the server's log when it does not.
 */
export async function startServerProcess(options: StartOptions): Promise<ServerProcess> {
  let preferred = options.preferred;
  for (let attempt = 1; ; attempt += 1) {
    const ports = await choosePorts(preferred);
    const server = { process: await spawnServer(options, ports), ports };
    const outcome = await waitUntilItAnswers(server);
    if (outcome === 'answers') return server;
    await stopServerProcess(server.process);
    if (outcome === 'silent' || attempt === START_ATTEMPTS) throw new Error(failedStart(options.dir, outcome));
    preferred = undefined;
  }
}

/** Asks the process to end, and ends it when it does not. Returns when it is gone. */
export async function stopServerProcess(server: ProcessIdentity): Promise<void> {
  for (const [signal, graceMs] of [['SIGTERM', STOP_GRACE_MS], ['SIGKILL', STOP_GRACE_MS]] as const) {
    if (!isAlive(server)) return;
    send(signal, server.pid);
    const deadline = Date.now() + graceMs;
    while (isAlive(server) && Date.now() < deadline) await sleep(POLL_MS);
  }
}

export function serverLog(dir: string): string {
  return join(dir, 'server.log');
}

async function choosePorts(preferred: Ports | undefined): Promise<Ports> {
  if (preferred === undefined) return { grpc: await freePort(), ui: await freePort() };
  return { grpc: await portOrFree(preferred.grpc), ui: await portOrFree(preferred.ui) };
}

function spawnServer({ binary, dir }: StartOptions, ports: Ports): Promise<ProcessIdentity> {
  const log = openLog(dir);
  // Its own process group: Ctrl-C in the terminal must not reach a server that other processes use.
  const child = spawn(binary, serverArguments(dir, ports), { detached: true, stdio: ['ignore', log, log], env: ownEnvironment() });
  closeSync(log);
  child.unref();
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`${binary} could not be started: ${error.message}`)));
    child.once('spawn', () => {
      if (child.pid !== undefined) resolve(identityOf(child.pid));
    });
  });
}

/** The log of the start before is kept: it is what tells why a server died. */
function openLog(dir: string): number {
  const path = serverLog(dir);
  try {
    renameSync(path, `${path}.1`);
  } catch {
    // The first start in this folder.
  }
  return openSync(path, 'w');
}

function serverArguments(dir: string, ports: Ports): readonly string[] {
  // Measured: a turn of two activities takes 122 ms with the defaults and 63 ms with these. WAL with NORMAL loses
  // nothing when the process is killed, and the limits are made for a shared server's disk.
  const pragmas = ['journal_mode=WAL', 'synchronous=NORMAL'];
  const dynamic = ['transferProcessorMaxPollRPS', 'timerProcessorMaxPollRPS', 'visibilityProcessorMaxPollRPS'];
  return [
    'server', 'start-dev', '--ip', HOST, '--port', String(ports.grpc), '--ui-port', String(ports.ui),
    '--db-filename', join(dir, 'temporal.db'), '--log-level', 'warn',
    ...pragmas.flatMap((pragma) => ['--sqlite-pragma', pragma]),
    ...dynamic.flatMap((key) => ['--dynamic-config-value', `history.${key}=10000`]),
  ];
}

/** Settings that name another cluster are for clients, not for the server that we start. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TEMPORAL_')));
}

async function waitUntilItAnswers(server: ServerProcess): Promise<'answers' | 'ended' | 'silent'> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (!isAlive(server.process)) return 'ended';
    // Alive is asked again: what answers on the port may be another server, and ours ended because of it.
    if (await answers(`${HOST}:${server.ports.grpc}`, PROBE_MS) && isAlive(server.process)) return 'answers';
    await sleep(POLL_MS);
  }
  return 'silent';
}

function failedStart(dir: string, outcome: 'ended' | 'silent'): string {
  const how = outcome === 'ended' ? 'ended at once' : `did not answer within ${START_TIMEOUT_MS / 1000} s`;
  return `The Temporal server ${how}. The end of its log, ${serverLog(dir)}:\n${lastLines(serverLog(dir))}`;
}

function lastLines(path: string): string {
  try {
    return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-LOG_LINES_SHOWN).join('\n');
  } catch {
    return '(no log)';
  }
}

function send(signal: 'SIGTERM' | 'SIGKILL', pid: number): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended between the look and the signal.
  }
}
