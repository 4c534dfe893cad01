import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, readIdentity, thisProcess } from './process-identity.ts';

/** One user of the embedded server: a file named after its process. */
export interface UserEntry {
  remove(): void;
}

let entries = 0;

/** Says that this process needs the server. One process may say so several times, each is taken back by itself. */
export function addUser(usersDir: string): UserEntry {
  mkdirSync(usersDir, { recursive: true });
  entries += 1;
  const path = join(usersDir, `${process.pid}-${entries}`);
  writeFileSync(path, JSON.stringify(thisProcess()));
  return { remove: () => rmSync(path, { force: true }) };
}

/** Whether a living process still needs the server. Entries of those that ended without a word are removed. */
export function hasLiveUser(usersDir: string): boolean {
  let live = false;
  for (const name of namesIn(usersDir)) {
    const path = join(usersDir, name);
    if (belongsToLiveProcess(path)) live = true;
    else rmSync(path, { force: true });
  }
  return live;
}

function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

function belongsToLiveProcess(path: string): boolean {
  try {
    const user = readIdentity(readFileSync(path, 'utf8'));
    return user !== undefined && isAlive(user);
  } catch {
    return false;
  }
}
