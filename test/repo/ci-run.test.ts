import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDataDir } from '../support/test-server.ts';

/** `.ci/run` with an npm that does what the test says. */
function ciWith(npm: string) {
  const dir = temporaryDataDir();
  writeFileSync(join(dir, 'npm'), `#!/bin/sh\ncase "$1" in\nci) ${npm.includes('CI_FAILS') ? 'exit 1' : 'exit 0'};;\nrun) ${npm};;\nesac\n`);
  chmodSync(join(dir, 'npm'), 0o755);
  const { stdout, status } = spawnSync('bash', ['.ci/run'], { encoding: 'utf8', env: { ...process.env, PATH: `${dir}:${process.env['PATH'] ?? ''}` } });
  return { lines: stdout.trimEnd().split('\n'), status };
}

test.each([
  ['everything passed', 'echo "7 passed, 0 failed, 1 skipped"', ['7 passed, 0 failed, 1 skipped'], 0],
  ['a test failed', 'echo "6 passed, 1 failed"; exit 1', ['6 passed, 1 failed'], 1],
  ['something was said after the counts', 'echo "6 passed, 1 failed"; echo late >&2; exit 1', ['6 passed, 1 failed', 'late', '6 passed, 1 failed'], 1],
  ['types or lint broke before the tests', 'echo "x.ts: error"; exit 2', ['x.ts: error', '0 passed, 1 failed'], 2],
  ['the runner ended well without a word', 'exit 0', ['0 passed, 1 failed'], 1],
  ['packages could not be installed', 'echo CI_FAILS', ['0 passed, 1 failed'], 1],
])('%s: the last line and the exit code say so', (_, npm, lines, status) => {
  expect(ciWith(npm)).toEqual({ lines, status });
});
