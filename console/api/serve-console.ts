import { serve } from '@hono/node-server';
import { isIP } from 'node:net';
import { createClient } from '../../client/caseworker-client.ts';
import { UsageError } from '../../client/errors.ts';
import { accessServer } from '../../client/server-access.ts';
import type { ClientOptions } from '../../client/server-access.ts';
import { createApp } from './app.ts';
import type { JwtConfig } from './auth-config.ts';
import { createBusy } from './busy.ts';
import { pageRoutes } from './page-files.ts';
import { routeTable } from './routes.ts';
import { localSignIn, tokenSignIn } from './sign-in.ts';

/** Who is let in: the user of this machine, or whoever has a token. */
export type Auth =
  | { readonly kind: 'local'; readonly name: string; readonly roles?: readonly string[] }
  | { readonly kind: 'token'; readonly config: JwtConfig };

export interface ConsoleOptions {
  readonly server: ClientOptions;
  readonly auth: Auth;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Folder of the built page. */
  readonly pageDir: string;
  readonly agents: readonly string[];
  readonly webUiOf: (id: string) => string | undefined;
  readonly version: string;
  readonly log: (error: unknown) => void;
}

export interface RunningConsole {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves API and page until it is closed.
 * @throws UsageError when it would answer other machines without asking who is there, or the port is taken
 */
export async function serveConsole(options: ConsoleOptions): Promise<RunningConsole> {
  const { host, port, auth, server, log } = options;
  if (auth.kind === 'local' && !isLoopback(host)) {
    throw new UsageError(`Listening on ${host} needs sign-in: other machines reach it. Name a configuration with --auth (docs/console.md), or listen on 127.0.0.1.`);
  }
  const client = createClient(server);
  const routes = routeTable({ ...options, client, access: accessServer(server) }, await pageRoutes(options.pageDir));
  const signIn = auth.kind === 'local' ? localSignIn(auth.name, auth.roles) : tokenSignIn(auth.config);
  const busy = createBusy();
  const app = createApp({ routes, signIn, onlyLoopback: auth.kind === 'local', busy, log });
  const running = await listening(app.fetch, { host, port });
  return { ...running, close: () => running.close().then(busy.idle) };
}

function listening(fetch: ReturnType<typeof createApp>['fetch'], { host, port }: { readonly host: string; readonly port: number }): Promise<RunningConsole> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch, hostname: host, port, overrideGlobalObjects: false }, ({ port: taken }) => {
      const name = isIP(host) === 6 ? `[${host}]` : host;
      resolve({
        url: `http://${name}:${taken}`,
        close: () => new Promise((done) => {
          server.close(() => done());
          // Streams of events never end by themselves.
          if ('closeAllConnections' in server) server.closeAllConnections();
        }),
      });
    });
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? new UsageError(`The port ${port} of ${host} is taken: name another one with --port.`, { cause: error }) : error);
    });
  });
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
