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
  /** Opens it; everybody who comes under this name from now on is told this instead of "passed". */
  says(name: string, answer: GateAnswer): void;
  close(): Promise<void>;
}

export interface GateAnswer {
  readonly status?: number;
  readonly body?: string;
}

export async function openGate(): Promise<Gate> {
  const held = new Map<string, ServerResponse[]>();
  const counts = new Map<string, number>();
  const opened = new Set<string>();
  const answers = new Map<string, GateAnswer>();
  const waiting = new Set<() => void>();
  const pass = (name: string, response: ServerResponse) => {
    const { status = 200, body = `passed ${name}` } = answers.get(name) ?? {};
    response.writeHead(status).end(body);
  };
  const server = createServer((request, response) => {
    const name = decodeURIComponent((request.url ?? '/').slice(1));
    counts.set(name, (counts.get(name) ?? 0) + 1);
    if (opened.has(name)) pass(name, response);
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
      for (const response of held.get(name)?.splice(0) ?? []) pass(name, response);
    },
    says: (name, answer) => {
      answers.set(name, answer);
      opened.add(name);
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
