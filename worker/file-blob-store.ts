import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { BlobStore } from '../core/contract.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

const KEY_PART = /^[A-Za-z0-9._%-]+$/;
/** File systems take names of 255 bytes; an escaped workflow id may be longer, and a draft needs its suffix. */
const NAME_CHARS = 200;
/** Ends a folder that is a piece of a longer part; no key has this character. */
const CONTINUED = '~';
const DRAFT = '~draft';

/** Finished parts of traces repeat themselves much: a tenth is left of them. A short text stays as anybody can read it. */
const COMPRESSED_FROM_CHARS = 4_096;
const GZIP_MAGIC = [0x1f, 0x8b] as const;

/**
 * A blob store of files below `<dataDir>/blobs`, one a key; folders are made when first written to. A long text is
 * compressed (`zcat -f` prints either kind), under the same name, so that it is replaced whole by whatever comes next.
 */
export function createFileBlobStore(dataDir: string): BlobStore {
  const dir = join(dataDir, 'blobs');
  return {
    put: async (key, text) => put(join(dir, ...fileNames(key)), text),
    putNew: async (key, text) => putNew(join(dir, ...fileNames(key)), text),
    get: async (key) => readIfThere(join(dir, ...fileNames(key))),
    list: (prefix) => list(dir, prefix),
  };
}

/** A reader, and a crash, see the old text or the new one: the file is written beside its place and then moved there. */
async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${randomUUID().slice(0, 8)}${DRAFT}`;
  try {
    await writeFile(draft, await bytesOf(text));
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** A link is made whole or not at all, and never over another file. */
async function putNew(path: string, text: string): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${randomUUID().slice(0, 8)}${DRAFT}`;
  try {
    await writeFile(draft, await bytesOf(text));
    await link(draft, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  // Three switches a turn are looked for and are mostly not there: to find that out by an exception costs 0.1 ms each.
  if (!existsSync(path)) return undefined;
  try {
    return await textOf(await readFile(path));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function bytesOf(text: string): Promise<string | Buffer> {
  return text.length < COMPRESSED_FROM_CHARS ? text : compress(text);
}

/** No UTF-8 begins with gzip's two bytes: the second of them never stands behind one of ASCII. */
async function textOf(bytes: Buffer): Promise<string> {
  const isCompressed = GZIP_MAGIC.every((byte, i) => bytes[i] === byte);
  return (isCompressed ? await decompress(bytes) : bytes).toString('utf8');
}

async function list(dir: string, prefix: string): Promise<readonly string[]> {
  // Only the folder that the prefix names is read: a run's segments are found among all runs' by their path.
  const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  const names = await namesIn(join(dir, ...(folder === '' ? [] : fileNames(folder.slice(0, -1)))));
  const keys = names.filter((name) => !name.endsWith(DRAFT)).map((name) => folder + keyOf(name));
  return keys.filter((key) => key.startsWith(prefix)).sort();
}

async function namesIn(dir: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(dir, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Folders and file of a key. @throws Error for a key that would leave the folder or is not one. */
function fileNames(key: string): readonly string[] {
  const parts = key.split('/');
  const bad = parts.find((part) => !KEY_PART.test(part) || part === '.' || part === '..');
  if (bad !== undefined) throw new Error(`"${key}" cannot be the key of a blob: "${bad}" may not be a part of one.`);
  return parts.flatMap(pieces);
}

function pieces(part: string): readonly string[] {
  if (part.length <= NAME_CHARS) return [part];
  return [part.slice(0, NAME_CHARS) + CONTINUED, ...pieces(part.slice(NAME_CHARS))];
}

/** The opposite of `fileNames`. */
function keyOf(path: string): string {
  return path.split(sep).join('/').split(`${CONTINUED}/`).join('');
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
