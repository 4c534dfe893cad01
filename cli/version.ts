import { readFileSync } from 'node:fs';
import { FROM_SOURCE } from './command-name.ts';

/** The package's own version; built files lie one folder deeper than the sources. */
export const VERSION = packageVersion();

function packageVersion(): string {
  const path = new URL(FROM_SOURCE ? '../package.json' : '../../package.json', import.meta.url);
  const manifest: unknown = JSON.parse(readFileSync(path, 'utf8'));
  const version =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : undefined;
  return typeof version === 'string' ? version : 'unknown';
}
