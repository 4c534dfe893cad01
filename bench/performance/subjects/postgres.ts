import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../worker/free-port.ts';

/** A PostgreSQL of one's own with empty data, on its defaults. */
export interface Postgres {
  readonly url: string;
  readonly pid: number;
  close(): Promise<void>;
}

const POLL_MS = 50;
const START_MS = 30_000;

/** Where Debian's packages have the server's programs, which are not on the PATH. */
export function postgresPrograms(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)).map((version) => join(debian, version, 'bin')) : [];
  return [...versions, ...(process.env['PATH'] ?? '').split(delimiter)].find((dir) => existsSync(join(dir, 'initdb')) && existsSync(join(dir, 'postgres')));
}

/** PostgreSQL refuses to run as root: then it runs as the user that its package made. */
function owner(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: id('-u'), gid: id('-g') };
}

export async function startPostgres(programs: string): Promise<Postgres> {
  const dir = mkdtempSync(join(tmpdir(), 'caseworker-bench-pg-'));
  const user = owner();
  if (user) chownSync(dir, user.uid, user.gid);
  const options = { cwd: dir, ...user };
  const made = spawnSync(join(programs, 'initdb'), ['-D', join(dir, 'data'), '-U', 'bench', '-A', 'trust'], { ...options, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
  const port = await freePort();
  const server = spawn(join(programs, 'postgres'), ['-D', join(dir, 'data'), '-p', String(port), '-h', '127.0.0.1', '-k', dir], { ...options, stdio: 'ignore' });
  const close = async () => {
    const exited = once(server, 'exit');
    server.kill('SIGINT');
    await exited;
    rmSync(dir, { recursive: true, force: true });
  };
  const deadline = Date.now() + START_MS;
  const answers = () => spawnSync(join(programs, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)]).status === 0;
  while (!answers()) {
    if (Date.now() > deadline || server.exitCode !== null) throw new Error('PostgreSQL did not start');
    await sleep(POLL_MS);
  }
  return { url: `postgresql://bench@127.0.0.1:${port}/postgres`, pid: server.pid ?? 0, close };
}
