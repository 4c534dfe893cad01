import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../worker/free-port.ts';

export interface Postgres {
  readonly port: number;
  close(): Promise<void>;
}

const DEBIAN = '/usr/lib/postgresql';
const START_MS = 30_000;

/** A PostgreSQL of its own in a folder of its own, as Debian's package `postgresql` installs it. */
export async function startPostgres(): Promise<Postgres> {
  const bin = postgresBin();
  const owner = postgresOwner();
  const dir = mkdtempSync('/tmp/caseworker-postgres-');
  if (owner) chownSync(dir, owner.uid, owner.gid);
  const data = join(dir, 'data');
  const made = spawnSync(join(bin, 'initdb'), ['-D', data, '-U', 'temporal', '--auth=trust', '--encoding=UTF8', '--locale=C'], { ...owner, cwd: dir, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort();
  const child = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), '-k', dir, '-c', 'listen_addresses=127.0.0.1', '-c', 'max_connections=200'], {
    ...owner, cwd: dir, stdio: ['ignore', 'ignore', 'ignore'],
  });
  await answering({ bin, port, child });
  return {
    port,
    close: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGINT');
      await exited;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function answering({ bin, port, child }: { readonly bin: string; readonly port: number; readonly child: ChildProcess }): Promise<void> {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline && child.exitCode === null) {
    if (spawnSync(join(bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)]).status === 0) return;
    await sleep(200);
  }
  throw new Error('PostgreSQL did not start');
}

function postgresBin(): string {
  const version = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a))[0] : undefined;
  if (version === undefined) throw new Error(`There is no PostgreSQL below ${DEBIAN}: apt-get install postgresql`);
  return join(DEBIAN, version, 'bin');
}

/** PostgreSQL does not run as root; the package's own account does it then. */
function postgresOwner(): { readonly uid: number; readonly gid: number } | undefined {
  if (userInfo().uid !== 0) return undefined;
  const id = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: id('-u'), gid: id('-g') };
}
