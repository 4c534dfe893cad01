import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, readIdentity, thisProcess } from './process-identity.ts';

/** How often a taken lock is looked at again: short against what is done under it, which is seconds. */
const RETRY_MS = 50;

export interface LockOptions {
  readonly path: string;
  /** What is waited for, in the error: "the start of the Temporal server". */
  readonly what: string;
  readonly timeoutMs: number;
}

/**
 * Runs `work` while no other process (and no other caller of this one) holds the same file. A lock whose process has
 * ended is taken over.
 * @throws Error that names the holder when the lock is not free in time.
 */
export async function withFileLock<T>(options: LockOptions, work: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(options.path), { recursive: true });
  const deadline = Date.now() + options.timeoutMs;
  while (!take(options.path)) {
    breakStale(options.path);
    if (Date.now() > deadline) throw new Error(heldText(options));
    await sleep(RETRY_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(options.path, { force: true });
  }
}

/** A hard link of a finished file: unlike an exclusive create, the lock never exists without its owner in it. */
function take(path: string): boolean {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(thisProcess()));
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Only the holder of a second lock may remove a stale one: else a slow remover takes away the next owner's. */
function breakStale(path: string): void {
  if (!isStale(path)) return;
  const guard = `${path}.break`;
  if (!take(guard)) {
    if (isStale(guard)) rmSync(guard, { force: true });
    return;
  }
  try {
    if (isStale(path)) rmSync(path, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
}

function isStale(path: string): boolean {
  const owner = ownerOf(path);
  return owner !== undefined && !isAlive(owner);
}

function ownerOf(path: string) {
  try {
    return readIdentity(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function heldText({ path, what, timeoutMs }: LockOptions): string {
  const holder = ownerOf(path)?.pid;
  const who = holder === undefined ? 'another process' : `process ${holder}`;
  return `Waited ${Math.round(timeoutMs / 1000)} s for ${what}, which ${who} holds. End that process, or remove ${path} if it is not one of Caseworker's.`;
}
