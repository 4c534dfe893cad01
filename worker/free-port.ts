import { createServer } from 'node:net';

const HOST = '127.0.0.1';

/** The port when nothing listens on it, else one that the system says is free. It may be taken before it is used. */
export async function portOrFree(preferred: number): Promise<number> {
  return (await listenOnce(preferred)) ?? freePort();
}

export async function freePort(): Promise<number> {
  const port = await listenOnce(0);
  if (port === undefined) throw new Error(`No port of ${HOST} is free.`);
  return port;
}

function listenOnce(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, HOST, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : undefined));
    });
  });
}
