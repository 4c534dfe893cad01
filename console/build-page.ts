import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Beside the compiled code in a package, and there from a checkout too: `dist/` is nobody's source. */
const FROM_SOURCE = import.meta.url.endsWith('.ts');
const SOURCE = fileURLToPath(new URL('./page/', import.meta.url));
const BUILT = fileURLToPath(new URL(FROM_SOURCE ? '../dist/console/page/' : './page/', import.meta.url));
/** Says of which sources the built page was made. */
const STAMP = 'built-from.txt';

/**
 * The folder of the built page. From a checkout it is built when it is missing or older than its sources, which takes
 * two seconds; a package carries it.
 */
export async function pageDir(report: (message: string) => void): Promise<string> {
  if (!FROM_SOURCE) return BUILT;
  const sources = await sourcesHash();
  const built = existsSync(join(BUILT, STAMP)) ? await readFile(join(BUILT, STAMP), 'utf8') : '';
  if (built === sources) return BUILT;
  report('Building the page …');
  await buildPage(sources);
  return BUILT;
}

/** Builds beside the folder and then takes its place: two processes that build at once both end with a whole page. */
async function buildPage(sources: string): Promise<void> {
  const { build } = await import('vite');
  const fresh = join(BUILT, '..', `page-${process.pid}`);
  await build({
    root: SOURCE, configFile: false, logLevel: 'error', base: './',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: { outDir: fresh, emptyOutDir: true, target: 'es2022', modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
  });
  await writeFile(join(fresh, STAMP), sources);
  await rm(BUILT, { recursive: true, force: true });
  await rename(fresh, BUILT).catch(async (error: unknown) => {
    // Another process was faster: its page is the same.
    await rm(fresh, { recursive: true, force: true });
    if (!existsSync(join(BUILT, STAMP))) throw error;
  });
}

async function sourcesHash(): Promise<string> {
  const files = await readdir(SOURCE, { recursive: true, withFileTypes: true });
  const hash = createHash('sha256');
  for (const path of files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name)).sort()) {
    hash.update(path.slice(SOURCE.length)).update(await readFile(path));
  }
  hash.update(await readFile(fileURLToPath(import.meta.url)));
  return hash.digest('hex');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await pageDir((message) => console.error(message));
