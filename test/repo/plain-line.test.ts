import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

// Inside the project, so that the tests in it find vitest.
const dir = mkdtempSync(join(process.cwd(), 'node_modules', '.plain-line-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Runs a test file in a vitest of its own, with the project's reporter and nothing else of its settings. */
function lastLineOf(code: string) {
  writeFileSync(join(dir, 'x.test.ts'), `import { afterAll, test, expect } from 'vitest';\n${code}`);
  writeFileSync(join(dir, 'vitest.config.ts'), 'export default {};');
  const reporter = join(process.cwd(), 'test', 'support', 'plain-line-reporter.ts');
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--root', dir, '--config', join(dir, 'vitest.config.ts'), '--reporter', 'default', '--reporter', reporter];
  const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { line: stdout.trimEnd().split('\n').at(-1), ok: status === 0 };
}

test('the last line counts what passed, failed and was skipped', () => {
  const code = "test('a', () => {}); test('b', () => { expect(1).toBe(2); }); test.skip('c', () => {}); test('d', () => {});";
  expect(lastLineOf(code)).toEqual({ line: '2 passed, 1 failed, 1 skipped', ok: false });
});

test('a run in which everything passed says so with nothing more', () => {
  expect(lastLineOf("test('a', () => {});")).toEqual({ line: '1 passed, 0 failed', ok: true });
});

test.each([
  ['a file that cannot be loaded', "import './gone.ts'; test('a', () => {});", '0 passed, 1 failed'],
  ['a hook that fails', "test('a', () => {}); afterAll(() => { throw new Error('hook'); });", '1 passed, 1 failed'],
  ['an error that nobody caught', "test('a', () => { void Promise.reject(new Error('lost')); });", '1 passed, 1 failed'],
])('%s counts as a failure', (_, code, line) => {
  expect(lastLineOf(code)).toEqual({ line, ok: false });
});
