import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { archiveKey, archivePrefix, observationKey } from '../../core/contract.ts';
import { createFileBlobStore } from '../../worker/file-blob-store.ts';
import { temporaryDataDir } from '../support/test-server.ts';

test('what was put is read back, replaced by a second put, and missing when it never was', async () => {
  const blobs = createFileBlobStore(temporaryDataDir());
  await blobs.put('a/b.txt', 'one ₹25 🙂');
  expect(await blobs.get('a/b.txt')).toBe('one ₹25 🙂');
  await blobs.put('a/b.txt', 'two');
  expect(await blobs.get('a/b.txt')).toBe('two');
  expect(await blobs.get('a/c.txt')).toBeUndefined();
  expect(await blobs.get('a/b.txt/c')).toBeUndefined();
  expect(await blobs.list('')).toEqual(['a/b.txt']);
});

test('a long text takes less room, whatever signs it is made of, and a short one that comes after it is read as it is', async () => {
  const dataDir = temporaryDataDir();
  const blobs = createFileBlobStore(dataDir);
  const long = Array.from({ length: 2_000 }, (_, n) => `{"call":"${n}.1","text":"₹${n} 🙂"}`).join('\n');
  await blobs.put('a.json', long);
  expect(await blobs.putNew('b.json', long)).toBe(true);
  expect([await blobs.get('a.json'), await blobs.get('b.json')]).toEqual([long, long]);
  expect(statSync(join(dataDir, 'blobs', 'a.json')).size).toBeLessThan(long.length / 3);
  await blobs.put('a.json', 'short');
  expect(await blobs.get('a.json')).toBe('short');
  writeFileSync(join(dataDir, 'blobs', 'old.json'), long);
  expect(await blobs.get('old.json')).toBe(long);
});

test('a list holds the keys of one prefix, in order, and nothing half written', async () => {
  const dataDir = temporaryDataDir();
  const blobs = createFileBlobStore(dataDir);
  const keys = [10, 2, 1].map((first) => archiveKey('run', 'id', first));
  for (const key of [...keys, archiveKey('run', 'other', 1), archiveKey('run-2', 'id', 1)]) await blobs.put(key, 'x');
  writeFileSync(join(dataDir, 'blobs', `${keys[0] ?? ''}.1234~draft`), 'half');
  expect(await blobs.list(archivePrefix('run', 'id'))).toEqual([...keys].reverse());
  expect(await blobs.list('archive/run/i')).toEqual([...keys].reverse());
  expect(await blobs.list('archive/nobody/')).toEqual([]);
});

test.each(['', '..', '../x', 'a/../../x', '/etc/passwd', 'a//b', 'a/', 'a\\b', 'a\0b', 'a b', 'x~', '.'])(
  'a key that could leave the folder is refused: %j',
  async (key) => {
    const dataDir = temporaryDataDir();
    const blobs = createFileBlobStore(dataDir);
    await expect(blobs.put(key, 'x')).rejects.toThrow('cannot be the key of a blob');
    await expect(blobs.get(key)).rejects.toThrow('cannot be the key of a blob');
    expect(readdirSync(dataDir)).toEqual([]);
  },
);

test('whatever the id of a run is, its keys are taken and listed as they are', async () => {
  const blobs = createFileBlobStore(temporaryDataDir());
  const ids = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }).filter((id) => id !== '.' && id !== '..');
  await fc.assert(
    fc.asyncProperty(ids, fc.uuid(), async (id, firstRunId) => {
      const keys = [archiveKey(id, firstRunId, 1), observationKey(id, firstRunId, '3.1')];
      for (const key of keys) await blobs.put(key, id);
      expect(await blobs.get(keys[1] ?? '')).toBe(id);
      expect(await blobs.list(archivePrefix(id, firstRunId))).toEqual([keys[0]]);
    }),
    { numRuns: 100, seed: 7 },
  );
});

test('of many writers at once one wins whole', async () => {
  const blobs = createFileBlobStore(temporaryDataDir());
  const texts = Array.from({ length: 20 }, (_, n) => String(n).repeat(50_000));
  await Promise.all(texts.map((text) => blobs.put('k', text)));
  expect(texts).toContain(await blobs.get('k'));
  expect(await blobs.list('')).toEqual(['k']);
});

test('of two writers of one new key one wins, and the other is told', async () => {
  const store = createFileBlobStore(temporaryDataDir());
  const won = await Promise.all(Array.from({ length: 20 }, (_, i) => store.putNew('effects/aa/one.json', String(i))));
  expect(won.filter(Boolean)).toHaveLength(1);
  expect(await store.get('effects/aa/one.json')).toBe(String(won.indexOf(true)));
  expect(await store.list('effects/')).toEqual(['effects/aa/one.json']);
});
