import { ESLint } from 'eslint';
import { beforeAll, expect, test } from 'vitest';

let eslint: ESLint;

beforeAll(() => {
  // Without types: the rules of imports and purity need none, and files that do not exist have none.
  eslint = new ESLint({ overrideConfig: [{ files: ['**/*.ts'], languageOptions: { parserOptions: { projectService: false } } }], ruleFilter: ({ ruleId }) => RULES.includes(ruleId) });
});

const RULES: readonly string[] = ['no-restricted-imports', 'no-restricted-syntax', 'no-restricted-globals'];

async function broken(filePath: string, code: string): Promise<readonly (string | null)[]> {
  const [result] = await eslint.lintText(code, { filePath });
  return result?.messages.map(({ ruleId, message }) => ruleId ?? message) ?? [];
}

test.each([
  ['core/x.ts', '../worker/connect.ts'],
  ['core/x.ts', '../tools/define-tool.ts'],
  ['core/x.ts', 'node:fs'],
  ['core/x.ts', 'crypto'],
  ['core/x.ts', '@temporalio/workflow'],
  ['workflows/x.ts', '../activities/think.ts'],
  ['workflows/x.ts', '@temporalio/worker'],
  ['workflows/x.ts', 'zod'],
  ['workflows/x.ts', 'node:crypto'],
  ['models/x.ts', '../activities/think.ts'],
  ['models/deeper/x.ts', '../../worker/connect.ts'],
  ['tools/x.ts', '../models/model.ts'],
  ['activities/x.ts', '../worker/connect.ts'],
  ['worker/x.ts', '../workflows/index.ts'],
  ['worker/x.ts', '../client/types.ts'],
  ['client/x.ts', '../worker/connect.ts'],
  ['client/x.ts', '../workflows/agent-run.ts'],
  ['console/x.ts', '../worker/connect.ts'],
  ['cli/x.ts', '../workflows/index.ts'],
])('%s may not import %s', async (file, imported) => {
  expect(await broken(file, `import ${JSON.stringify(imported)};`)).toEqual(['no-restricted-imports']);
});

test.each([
  ['core/x.ts', './json.ts'],
  ['workflows/x.ts', '../core/json.ts'],
  ['workflows/x.ts', '@temporalio/workflow'],
  ['activities/x.ts', '../models/model.ts'],
  ['worker/x.ts', '../activities/think.ts'],
  ['client/x.ts', '../workflows/messages.ts'],
  ['cli/commands/x.ts', '../../client/types.ts'],
  ['examples/x/y.ts', '../../worker/connect.ts'],
])('%s may import %s', async (file, imported) => {
  expect(await broken(file, `import ${JSON.stringify(imported)};`)).toEqual([]);
});

test.each(['new Date();', 'Date.now();', 'Math.random();', '"a".localeCompare("b");', '"a".toLocaleLowerCase();', '/\\p{L}/u.test("a");'])(
  'the core has no clock, no chance and no locale: %s',
  async (code) => {
    expect(await broken('core/x.ts', code)).toEqual(['no-restricted-syntax']);
  },
);

test.each(['Intl', 'process', 'setTimeout', 'fetch'])('neither the core nor a workflow reaches for %s', async (name) => {
  expect(await broken('core/x.ts', `${name}.x;`)).toEqual(['no-restricted-globals']);
  expect(await broken('workflows/x.ts', `${name}.x;`)).toEqual(['no-restricted-globals']);
});

test.each(['let newest;', 'export let newest;', 'const seen = new Map();', 'export const seen = new Set<string>();', 'const all: string[] = [];', 'const byId = {};'])(
  'no module of the workflow code keeps anything of a run, since all runs of a worker share it: %s',
  async (code) => {
    expect(await broken('core/x.ts', code)).toEqual(['no-restricted-syntax']);
    expect(await broken('workflows/x.ts', code)).toEqual(['no-restricted-syntax']);
    expect(await broken('workflows/x.ts', `function f() { ${code.replace('export ', '')} }`)).toEqual([]);
  },
);
