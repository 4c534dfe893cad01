import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';

const result = z.object({
  machine: z.string().min(1),
  short: z.literal(true),
  skipped: z.array(z.object({ subject: z.string(), why: z.string() })),
  measures: z.array(z.object({ part: z.string(), subject: z.string(), figure: z.string(), samples: z.array(z.number()).min(1), median: z.number() })),
});

const SUBJECTS = [
  'floor, both regular', 'floor, tool local', 'floor with the prompt, both regular', 'floor with the prompt, tool local',
  'caseworker, function calling, tool local', 'caseworker, text, tool local',
  'caseworker, function calling, both regular', 'caseworker, text, both regular',
];
/** Without the peers, and without the parts that take minutes in any form. */
const PARTS = ['turns', 'busy', 'bytes', 'flat', 'crash', 'cancel'];

test('the bench runs: every part gives figures of the product, beside those of the floor', { timeout: 400_000 }, async () => {
  const dir = mkdtempSync(join(tmpdir(), 'caseworker-bench-test-'));
  const file = join(dir, 'result.json');
  await promisify(execFile)(process.execPath, ['--import', 'tsx', 'bench/performance.ts', ...PARTS, '--short', '--json', file], { timeout: 390_000 });
  const { measures, skipped } = result.parse(JSON.parse(readFileSync(file, 'utf8')));
  rmSync(dir, { recursive: true, force: true });

  expect([...new Set(measures.map(({ part }) => part))]).toEqual(PARTS);
  for (const part of ['turns', 'busy', 'bytes']) {
    const subjects = new Set(measures.filter((one) => one.part === part).map(({ subject }) => subject));
    expect(subjects).toEqual(new Set(SUBJECTS));
  }
  expect(skipped).toContainEqual({ subject: 'peers', why: 'not asked for (--peers)' });
  const repeated = measures.filter(({ figure }) => figure === 'finished model calls made again');
  expect(repeated.map(({ samples }) => samples)).toEqual([[0], [0]]);
});
