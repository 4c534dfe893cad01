import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A process of the bench: told what to do by its environment, and says `ready` when it can. */
export interface Child {
  readonly pid: number;
  readonly process: ChildProcess;
  /** Sends a request and waits for its answer; requests may overlap. */
  ask(request: object): Promise<unknown>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export interface ChildOptions {
  /** Relative to this folder. */
  readonly file: string;
  readonly settings: object;
  /** Another Node, for engines that need one; ours runs on the bench's own. */
  readonly node?: string;
}

/** With BENCH_CPU_PROFILE every process of the bench writes where its processor time went, into this folder, when it ends. */
function profiling(): readonly string[] {
  const dir = process.env['BENCH_CPU_PROFILE'];
  return dir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${dir}`];
}

/** Starts a process and waits until it is ready. @throws Error when it ends before. */
export async function startChild({ file, settings, node }: ChildOptions): Promise<Child> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), {
    ...(node === undefined ? { execArgv: ['--import', 'tsx', ...profiling()] } : { execPath: node, execArgv: [...profiling()] }),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, BENCH_SETTINGS: JSON.stringify(settings), NODE_NO_WARNINGS: '1', CASEWORKER_METRICS: 'off' },
  });
  const waiting = new Map<number, { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }>();
  const ready = new Promise<void>((resolve, reject) => {
    child.on('message', (message: { readonly n?: number; readonly value?: unknown; readonly error?: string } | 'ready') => {
      if (message === 'ready') return resolve();
      const asked = waiting.get(message.n ?? -1);
      if (message.error === undefined) asked?.resolve(message.value);
      else asked?.reject(new Error(message.error));
    });
    child.once('exit', (code) => {
      const ended = new Error(`${file} ended with exit code ${String(code)}`);
      reject(ended);
      for (const { reject: rejectOne } of waiting.values()) rejectOne(ended);
    });
  });
  await ready;
  let requests = 0;
  return {
    pid: child.pid ?? 0,
    process: child,
    ask: (request) =>
      new Promise((resolve, reject) => {
        const n = (requests += 1);
        const done = <T>(settle: (value: T) => void) => (value: T) => {
          waiting.delete(n);
          settle(value);
        };
        waiting.set(n, { resolve: done(resolve), reject: done(reject) });
        child.send({ n, ...request });
      }),
    kill: () => end(child, 'SIGKILL'),
    stop: () => end(child, 'SIGTERM'),
  };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}
