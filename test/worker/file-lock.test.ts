import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTick } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { withFileLock } from '../../worker/file-lock.ts';
import { identityOf, thisProcess } from '../../worker/process-identity.ts';
import { temporaryDataDir } from '../support/test-server.ts';

const lockIn = (dir: string, timeoutMs = 30_000) => ({ path: join(dir, 'lock'), what: 'the test', timeoutMs });

test('only one at a time is inside', async () => {
  const lock = lockIn(temporaryDataDir());
  let inside = 0;
  let most = 0;
  const work = () => withFileLock(lock, async () => {
    inside += 1;
    most = Math.max(most, inside);
    await nextTick();
    inside -= 1;
  });
  await Promise.all(Array.from({ length: 8 }, work));
  expect(most).toBe(1);
  expect(existsSync(lock.path)).toBe(false);
});

test('a lock whose process has ended is taken over', async () => {
  const lock = lockIn(temporaryDataDir());
  const ended = spawnSync(process.execPath, ['-e', '']);
  writeFileSync(lock.path, JSON.stringify({ pid: ended.pid }));
  expect(await withFileLock(lock, () => Promise.resolve('in'))).toBe('in');
});

test.runIf(existsSync('/proc/self/stat'))('a lock whose process id belongs to another process now is taken over', async () => {
  const lock = lockIn(temporaryDataDir());
  writeFileSync(lock.path, JSON.stringify({ ...identityOf(process.pid), startTime: '1' }));
  expect(await withFileLock(lock, () => Promise.resolve('in'))).toBe('in');
});

test('a lock that is held too long is an error that names the holder and the file, and stays', async () => {
  const lock = lockIn(temporaryDataDir(), 0);
  const held = JSON.stringify(thisProcess());
  writeFileSync(lock.path, held);
  await expect(withFileLock(lock, () => Promise.resolve())).rejects.toThrow(new RegExp(`the test, which process ${process.pid} holds.*${lock.path}`));
  expect(readFileSync(lock.path, 'utf8')).toBe(held);
});

test('work that fails gives the lock back', async () => {
  const lock = lockIn(temporaryDataDir());
  await expect(withFileLock(lock, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(existsSync(lock.path)).toBe(false);
});
