import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { acquireServer } from '../../worker/embedded-server.ts';
import type { EmbeddedServer } from '../../worker/embedded-server.ts';
import { isAlive } from '../../worker/process-identity.ts';

/** The Temporal server that the harness works with, and can take away. */
export interface ChaosServer {
  readonly address: string;
  readonly namespace: string;
  /** Ends it at once; its data stays. */
  stop(): Promise<void>;
  /** Brings it back on the same address and data. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** The embedded server, on data of its own. */
export async function embeddedChaosServer(dataDir: string): Promise<ChaosServer> {
  const acquire = () => acquireServer({ dataDir, report: () => undefined, ports: 'free' });
  const held: EmbeddedServer[] = [await acquire()];
  const first = held[0];
  if (!first) throw new Error('the server was just acquired');
  return {
    address: first.address,
    namespace: first.namespace,
    stop: async () => {
      const { pid } = JSON.parse(readFileSync(join(dataDir, 'server', 'server.json'), 'utf8')) as { readonly pid: number };
      process.kill(pid, 'SIGKILL');
      while (isAlive({ pid })) await new Promise((resolve) => setImmediate(resolve));
    },
    start: async () => {
      held.push(await acquire());
    },
    close: async () => {
      for (const server of held.splice(0)) await server.release();
    },
  };
}
