import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

export interface WorkerProcess {
  /** Ends it at once, as a crash of its machine would. */
  kill(): Promise<void>;
  /** Asks it to stop, as a deploy would, and waits for its end. */
  stop(): Promise<void>;
}

export interface WorkerSettings {
  readonly address: string;
  readonly taskQueue: string;
  readonly modelUrl: string;
  readonly gateUrl: string;
  readonly dataDir: string;
  readonly bundle: string;
}

const children = new Set<ChildProcess>();
afterAll(async () => {
  for (const child of children) await end(child, 'SIGKILL');
});

/** Starts `worker-main.ts` and waits until it is about to poll. */
export async function startWorkerProcess(settings: WorkerSettings): Promise<WorkerProcess> {
  const child = fork(fileURLToPath(new URL('worker-main.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      ADDRESS: settings.address, TASK_QUEUE: settings.taskQueue, MODEL_URL: settings.modelUrl, GATE_URL: settings.gateUrl,
      DATA_DIR: settings.dataDir, BUNDLE: settings.bundle,
    },
  });
  children.add(child);
  const [first] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [unknown];
  if (first !== 'ready') throw new Error(`the worker ended before it polled, exit code ${String(first)}`);
  return { kill: () => end(child, 'SIGKILL'), stop: () => end(child, 'SIGTERM') };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  children.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}
