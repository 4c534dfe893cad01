import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface WorkerPool {
  /** Kills a worker at once, as a crash of its machine would, and starts another. False when it is dead already. */
  kill(worker: string): boolean;
  /** Any worker that is up. */
  some(pick: (below: number) => number): string | undefined;
  /** Resolves when as many workers poll as the pool has places. */
  whole(): Promise<void>;
  close(): Promise<void>;
}

/** Keeps a number of worker processes up, each with a name of its own that no later one has. */
export function startWorkers(places: number, env: Readonly<Record<string, string>>): WorkerPool {
  const ready = new Map<string, ChildProcess>();
  const children = new Set<ChildProcess>();
  const waiting = new Set<() => void>();
  let count = 0;
  let closing = false;

  const start = (): void => {
    const worker = `w${(count += 1)}`;
    const child = fork(fileURLToPath(new URL('worker-main.ts', import.meta.url)), {
      execArgv: ['--import', 'tsx'], stdio: ['ignore', 'ignore', 'pipe', 'ipc'], env: { ...process.env, ...env, WORKER: worker },
    });
    children.add(child);
    child.once('message', () => {
      ready.set(worker, child);
      for (const look of [...waiting]) look();
    });
    child.once('exit', () => {
      children.delete(child);
      ready.delete(worker);
      // One that cannot start while the server is down is started again, like everything else that died.
      if (!closing) setTimeout(start, 200);
    });
  };
  for (let i = 0; i < places; i += 1) start();

  return {
    kill: (worker) => {
      const child = ready.get(worker);
      if (!child) return false;
      ready.delete(worker);
      return child.kill('SIGKILL');
    },
    some: (pick) => [...ready.keys()][pick(Math.max(1, ready.size))],
    whole: () =>
      new Promise((resolve) => {
        const look = () => {
          if (ready.size < places) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    close: async () => {
      closing = true;
      await Promise.all([...children].map(async (child) => {
        const exited = once(child, 'exit');
        child.kill('SIGTERM');
        await exited;
      }));
    },
  };
}
