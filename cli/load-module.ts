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
    if (TYPESCRIPT.includes(extname(path)) && !FROM_SOURCE) await readTypeScript();
    return defaultOf(await import(pathToFileURL(path).href));
  } catch (error) {
    throw new UsageError(`The ${what} ${path} cannot be loaded: ${errorText(error)}`, { cause: error });
  }
}

/** A file is an ES module or CommonJS, by the package.json that is nearest to it: both are made readable. */
async function readTypeScript(): Promise<void> {
  const [modules, commonJs] = await Promise.all([import('tsx/esm/api'), import('tsx/cjs/api')]);
  commonJs.register();
  modules.register();
}

/** Of a module that was compiled to CommonJS the default export is one level further in. */
function defaultOf(module: unknown): unknown {
  const first = memberDefault(module);
  return memberDefault(first) ?? first;
}

function memberDefault(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'default' in value ? value.default : undefined;
}
