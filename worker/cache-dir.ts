import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Where what was fetched or built is kept for all projects of this user: `$XDG_CACHE_HOME` or `~/.cache`. */
export function cacheDir(env: NodeJS.ProcessEnv): string {
  const base = env['XDG_CACHE_HOME'];
  // The XDG specification has relative paths ignored: they would mean another folder in each working directory.
  return join(base !== undefined && isAbsolute(base) ? base : join(homedir(), '.cache'), 'caseworker');
}
