import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const rows = readFileSync('docs/GUARANTEES.md', 'utf8')
  .split('\n')
  .flatMap((line) => {
    const match = /\| `(test\/[^`]+)`: (.+) \|$/.exec(line);
    return match?.[1] !== undefined && match[2] !== undefined ? [{ file: match[1], title: match[2] }] : [];
  });

test('there are guarantees, and each names a test', () => {
  expect(rows.length).toBeGreaterThan(15);
});

test.each(rows)('$file has: $title', ({ file, title }) => {
  expect(existsSync(file)).toBe(true);
  expect(readFileSync(file, 'utf8')).toContain(title);
});
