import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir } from '../../worker/cache-dir.ts';

/** The server that the embedded one is a small form of. */
export const SERVER_VERSION = '1.32.2';

export interface ServerBinaries {
  readonly server: string;
  /** Temporal's tool that makes and updates the tables. */
  readonly sql: string;
}

/**
 * Temporal's server and its schema tool, built from Go's module proxy when they are not in the cache (5 to 10 minutes).
 * Needs `go` from 1.21 on: it fetches the toolchain that the server asks for by itself.
 */
export function serverBinaries(say: (message: string) => void): ServerBinaries {
  const bin = join(cacheDir(process.env), `temporal-server-${SERVER_VERSION}`);
  const binaries = { server: join(bin, 'server'), sql: join(bin, 'sql') };
  if (existsSync(binaries.server) && existsSync(binaries.sql)) return binaries;
  mkdirSync(bin, { recursive: true });
  say(`Building Temporal's server ${SERVER_VERSION} …`);
  const commands = ['server', 'tools/sql'].map((command) => `go.temporal.io/server/cmd/${command}@v${SERVER_VERSION}`);
  const { status, error } = spawnSync('go', ['install', '-ldflags', '-s -w', ...commands], {
    stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, GOBIN: bin, GOTOOLCHAIN: 'auto' },
  });
  if (status !== 0) throw new Error(`Temporal's server could not be built: ${error?.message ?? `go ended with ${status}`}`);
  return binaries;
}
