import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A place outside of Temporal where tools arrive and are held: what happened there, happened. */
export interface Gate {
  readonly url: string;
  /** Resolves when this many have arrived under a name. */
  arrived(name: string, times: number): Promise<void>;
  count(name: string): number;
  /** Lets everybody under this name go on, now and from now on. */
  open(name: string): void;
  close(): Promise<void>;
}

export async function openGate(): Promise<Gate> {
  const held = new Map<string, ServerResponse[]>();
  const counts = new Map<string, number>();
  const opened = new Set<string>();
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const name = decodeURIComponent((request.url ?? '/').slice(1));
    counts.set(name, (counts.get(name) ?? 0) + 1);
    if (opened.has(name)) response.end(`passed ${name}`);
    else held.set(name, [...(held.get(name) ?? []), response]);
    for (const look of waiting) look();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    count: (name) => counts.get(name) ?? 0,
    arrived: (name, times) =>
      new Promise((resolve) => {
        const look = () => {
          if ((counts.get(name) ?? 0) < times) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    open: (name) => {
      opened.add(name);
      for (const response of held.get(name)?.splice(0) ?? []) response.end(`passed ${name}`);
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
