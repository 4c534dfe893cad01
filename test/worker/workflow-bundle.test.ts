import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { types } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { expect, test } from 'vitest';
import { workflowBundle } from '../../worker/workflow-bundle.ts';
import { temporaryDataDir } from '../support/test-server.ts';

/** A project with workflow code of its own and a cache of its own. */
function project(files: Readonly<Record<string, string>>) {
  const root = temporaryDataDir();
  const said: string[] = [];
  symlinkSync(join(process.cwd(), 'node_modules'), join(root, 'node_modules'));
  for (const folder of ['core', 'workflows']) mkdirSync(join(root, folder));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  return { root, write, said, options: { env: { XDG_CACHE_HOME: join(root, 'cache') }, report: (message: string) => void said.push(message), root } };
}

const GOOD = {
  'core/answer.ts': "export const answer: string = 'a mark in the bundle';",
  'workflows/index.ts': "import { answer } from '../core/answer.ts';\nexport async function agentRun(): Promise<string> { return answer; }",
};

test('code is bundled once, by whichever process is first, and again only when it changed', async () => {
  const { options, said, write } = project(GOOD);
  const [one, other] = await Promise.all([workflowBundle(options), workflowBundle(options)]);
  expect(other).toEqual(one);
  expect(said).toHaveLength(1);
  expect(said[0]).toMatch(/^Bundled the workflow code in \d+\.\d s/);
  expect(readFileSync(one.codePath, 'utf8')).toContain('a mark in the bundle');
  expect(readdirSync(dirname(one.codePath))).toHaveLength(1);

  write('core/answer.ts', "export const answer: string = 'another mark';");
  const changed = await workflowBundle(options);
  expect(changed.codePath).not.toBe(one.codePath);
  expect(readFileSync(changed.codePath, 'utf8')).toContain('another mark');
});

test('a bundle with a package or with Node in it fails and names each such import and its file', async () => {
  const imports = "import { z } from 'zod';\nimport { readFileSync } from 'node:fs';\nimport { parse } from 'csv-parse/sync';\n";
  const { options, root } = project({
    'core/schema.ts': `${imports}export const schema = [z, readFileSync, parse];`,
    'workflows/index.ts': "import { schema } from '../core/schema.ts';\nexport async function agentRun(): Promise<unknown> { return schema; }",
  });
  const error: unknown = await workflowBundle(options).catch((thrown: unknown) => thrown);
  expect(String(error)).toContain('may import core/, workflows/ and @temporalio/workflow only');
  for (const name of ['zod', 'node:fs', 'csv-parse/sync']) expect(String(error)).toContain(`${name} (in ${join(root, 'core', 'schema.ts')})`);
});

test('code that cannot be bundled fails with what the bundler says', async () => {
  const { options } = project({ 'workflows/index.ts': "export { agentRun } from './gone.ts';" });
  await expect(workflowBundle(options)).rejects.toThrow(/could not be bundled: .*gone\.ts/s);
});

test('the converter modules are part of the bundle, and another converter makes another bundle', async () => {
  const { options, root, write } = project(GOOD);
  write('failure.cjs', "exports.failureConverter = { mark: 'a mark of the converter' };");
  const plain = await workflowBundle(options);
  const converted = await workflowBundle({ ...options, dataConverter: { failureConverterPath: join(root, 'failure.cjs') } });
  expect(converted.codePath).not.toBe(plain.codePath);
  expect(readFileSync(converted.codePath, 'utf8')).toContain('a mark of the converter');
});

test("the project's own workflow code can be bundled", async () => {
  const { codePath } = await workflowBundle({ env: process.env, report: () => undefined });
  expect(readFileSync(codePath, 'utf8')).toContain('agentRun');
});

test('the bundle has the code as it is written but for its types, and a worker loads it once for all runs', async () => {
  const { options } = project({
    'core/answer.ts': 'export function merged(a: object, b: object): object { return { ...a, ...b }; }',
    'workflows/index.ts': "import { merged } from '../core/answer.ts';\nexport async function agentRun(): Promise<object> { return merged({}, {}); }",
  });
  const { codePath } = await workflowBundle(options);
  const code = readFileSync(codePath, 'utf8');
  expect(code).toMatch(/\.\.\.a,\s+\.\.\.b/);
  expect(code).not.toContain('_object_spread');
  expect(/preloadModules\(\) \{\s*__webpack_require__\([^)]*workflows\/index\.ts/.test(code)).toBe(true);
});

test("nothing that the project's bundle shares between runs remembers where a search stood", async () => {
  const { codePath } = await workflowBundle({ env: process.env, report: () => undefined });
  const { modules } = loaded(codePath);
  expect(Object.keys(modules).filter((path) => path.includes('/core/'))).toContain('./core/state.ts');
  expect(Object.entries(modules).flatMap(([path, { exports }]) => searchers(exports).map((name) => `${path}${name}`))).toEqual([]);
  // The look itself finds them.
  expect(searchers({ table: [{ open: /a/y, harmless: /a/i }], close: /a/g })).toEqual(['.table.0.open', '.close']);
});

test('stacks are short where the code is shared, and left alone where a worker has frozen what it would set', async () => {
  const { codePath } = await workflowBundle({ env: process.env, report: () => undefined });
  expect(loaded(codePath).stackDepth).toBe(5);
  expect(loaded(codePath, { setUp: 'Object.freeze(Error)', load: 'importWorkflows' }).stackDepth).toBe(10);
});

type Modules = Readonly<Record<string, { readonly exports: unknown }>>;

/** What a worker has loaded before its first run, by path, and how deep its stacks are then. `setUp` is done before. */
function loaded(codePath: string, { setUp = '', load = 'preloadModules' } = {}): { readonly modules: Modules; readonly stackDepth: unknown } {
  const modules: Modules = {};
  const context = createContext({ __webpack_module_cache__: modules, AsyncLocalStorage, TextEncoder, TextDecoder, URL, URLSearchParams, AbortController });
  runInContext(readFileSync(codePath, 'utf8'), context);
  runInContext(`${setUp}; __TEMPORAL__.${load}()`, context);
  return { modules, stackDepth: runInContext('Error.stackTraceLimit', context) };
}

/** Paths of the regular expressions in a value that keep their place. */
function searchers(value: unknown, seen = new Set<unknown>()): readonly string[] {
  if (typeof value !== 'object' || value === null || seen.has(value)) return [];
  seen.add(value);
  // Of another context, so no instance of this one's class.
  if (types.isRegExp(value)) return value.global || value.sticky ? [''] : [];
  return Object.entries(value).flatMap(([name, member]) => searchers(member, seen).map((path) => `.${name}${path}`));
}
