import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UsageError } from '../client/errors.ts';
import { FROM_SOURCE } from './command-name.ts';
import { errorText } from './error-text.ts';

const TYPESCRIPT = ['.ts', '.mts', '.cts'];

/** A module's default export. TypeScript is loaded as it is, also by the installed command. @throws UsageError */
export async function defaultExport(path: string, what: string): Promise<unknown> {
  if (!existsSync(path)) throw new UsageError(`The ${what} ${path} does not exist.`);
  try {
    if (TYPESCRIPT.includes(extname(path)) && !FROM_SOURCE) (await import('tsx/esm/api')).register();
    const module: unknown = await import(pathToFileURL(path).href);
    return typeof module === 'object' && module !== null && 'default' in module ? module.default : undefined;
  } catch (error) {
    throw new UsageError(`The ${what} ${path} cannot be loaded: ${errorText(error)}`, { cause: error });
  }
}
