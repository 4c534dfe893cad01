import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { SeenRequest } from './model-server.ts';

/** The model that answers at once, in a process of its own so that its work is nobody's processor time. */
export interface BenchModel {
  readonly baseURL: string;
  requests(key: string): Promise<readonly SeenRequest[]>;
  /** Asks until the requests of a run are as wanted. */
  until(key: string, isTrue: (requests: readonly SeenRequest[]) => boolean): Promise<readonly SeenRequest[]>;
  close(): Promise<void>;
}

const POLL_MS = 5;

export async function startModel(): Promise<BenchModel> {
  const child = spawn(process.execPath, ['--import', 'tsx', fileURLToPath(new URL('model-server.ts', import.meta.url))], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { baseURL } = JSON.parse(line) as { readonly baseURL: string };
  const requests = async (key: string): Promise<readonly SeenRequest[]> => {
    const response = await fetch(`${new URL(baseURL).origin}/requests/${encodeURIComponent(key)}`);
    return (await response.json()) as readonly SeenRequest[];
  };
  return {
    baseURL,
    requests,
    until: async (key, isTrue) => {
      for (;;) {
        const seen = await requests(key);
        if (isTrue(seen)) return seen;
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    },
    close: async () => {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    },
  };
}
