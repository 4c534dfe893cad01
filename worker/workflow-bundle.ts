import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DataConverter } from '@temporalio/common';
import { DefaultLogger, bundleWorkflowCode } from '@temporalio/worker';
import { writeFileAtomically } from './atomic-file.ts';
import { guardImports } from './bundle-guard.ts';
import { asWritten } from './bundle-target.ts';
import { cacheDir } from './cache-dir.ts';
import { withFileLock } from './file-lock.ts';

/** A build takes 2 to 5 s, more on a busy machine; another process that builds the same is waited for. */
const BUILD_LOCK_MS = 120_000;
/** Bundles of code that has changed since are of no use to anybody. */
const KEEP_MS = 30 * 24 * 60 * 60 * 1000;

const FOLDERS: readonly string[] = ['core', 'workflows'];
const require = createRequire(import.meta.url);
/** `.ts` in a checkout, `.js` in an installed package: the bundle is made of what runs. */
const EXTENSION = extname(fileURLToPath(import.meta.url));
/** How a bundle is built is part of what it is. */
const BUILDER = ['workflow-bundle', 'bundle-target', 'bundle-guard'].map((name) => fileURLToPath(new URL(`${name}${EXTENSION}`, import.meta.url)));
/** In the sandbox only: outside, what cannot be read should throw. One that is set with a data converter takes its place. */
const OWN_CONVERTER = fileURLToPath(new URL(`../workflows/payload-converter${EXTENSION}`, import.meta.url));

export interface BundleOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly report: (message: string) => void;
  /** Its converter modules become part of the bundle, since they run in the sandbox too. */
  readonly dataConverter?: DataConverter;
  /** Folder of the workflow code and of the core it is made of; another one in tests. */
  readonly root?: string;
}

/**
 * The workflow code as one file for the worker, built when nobody has built this code before and kept in the cache.
 * @throws Error that names the module when the code imports one that must not be in the sandbox.
 */
export async function workflowBundle(options: BundleOptions): Promise<{ readonly codePath: string }> {
  const root = options.root ?? fileURLToPath(new URL('..', import.meta.url));
  const dir = join(cacheDir(options.env), 'bundles');
  const codePath = join(dir, `${bundleKey(root, options.dataConverter)}.js`);
  if (existsSync(codePath)) return { codePath };
  const lock = { path: `${codePath}.lock`, what: 'the workflow code to be bundled', timeoutMs: BUILD_LOCK_MS };
  await withFileLock(lock, async () => {
    if (existsSync(codePath)) return;
    const started = Date.now();
    writeFileAtomically(codePath, await build(root, options.dataConverter));
    options.report(`Bundled the workflow code in ${((Date.now() - started) / 1000).toFixed(1)} s; it is kept until the code changes`);
    removeOld(dir);
  });
  return { codePath };
}

async function build(root: string, dataConverter: DataConverter | undefined): Promise<string> {
  const guard = guardImports(FOLDERS.map((folder) => join(root, folder)));
  const problems: string[] = [];
  const { payloadConverterPath = OWN_CONVERTER, failureConverterPath } = dataConverter ?? {};
  const workflowsPath = join(root, 'workflows', `index${EXTENSION}`);
  try {
    const { code } = await bundleWorkflowCode({
      workflowsPath,
      // Once for all runs of a worker, where each would load and warm up its own: left as written, and shared, a turn of 100 fell
      // from 1.39 to 1.32 times the floor's, one of 20 from 1.48 to 1.38. No module may keep anything of a run; lint sees to it.
      preloadModules: [workflowsPath],
      // webpack's report of a good build is of no use to somebody who runs agents.
      logger: new DefaultLogger('ERROR', ({ message }) => problems.push(message)),
      webpackConfigHook: (config) => asWritten(guard.hook(config)),
      payloadConverterPath,
      ...(failureConverterPath === undefined ? {} : { failureConverterPath }),
    });
    if (guard.found.size === 0) return code;
  } catch (error) {
    if (guard.found.size === 0) throw new Error(`The workflow code could not be bundled: ${problems.join('\n')}`, { cause: error });
  }
  throw new Error(`Workflow code may import core/, workflows/ and @temporalio/workflow only, but it imports ${[...guard.found].join(', ')}.`);
}

/** Everything that the bundle is made of: our code, the SDK, the converters, and what builds it. */
function bundleKey(root: string, dataConverter: DataConverter | undefined): string {
  const hash = createHash('sha256');
  hash.update(`${sdkVersion()} node ${process.versions.node.split('.')[0] ?? ''}\n`);
  const converters = [dataConverter?.payloadConverterPath ?? OWN_CONVERTER, dataConverter?.failureConverterPath].filter((path) => path !== undefined);
  for (const path of [...codeFiles(root), ...converters, ...BUILDER]) {
    const text = readFileSync(path);
    hash.update(`${path.startsWith(root) ? path.slice(root.length) : path} ${text.length}\n`).update(text);
  }
  return hash.digest('hex').slice(0, 32);
}

function codeFiles(root: string): readonly string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith(EXTENSION) && !name.endsWith('.d.ts'))
      .sort()
      .map((name) => join(root, folder, name)),
  );
}

function sdkVersion(): string {
  const manifest: unknown = require('@temporalio/worker/package.json');
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : '';
}

function removeOld(dir: string): void {
  for (const name of readdirSync(dir)) {
    const path = join(dir, name);
    if (name.endsWith('.js') && Date.now() - statSync(path).mtimeMs > KEEP_MS) rmSync(path, { force: true });
  }
}
