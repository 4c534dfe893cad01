import { userInfo } from 'node:os';
import type { Person } from '../core/run.ts';

/** Who sits here, as the machine calls them; a name on a command line proves nothing, so it is not verified. */
export function personHere(named: string | undefined): Person {
  return { name: named?.trim() || accountName(), verified: false };
}

function accountName(): string {
  try {
    return userInfo().username || 'unknown';
  } catch {
    // An account without an entry, as containers have.
    return 'unknown';
  }
}
