import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { FORMS } from '../../bench/two-forms/fault-runs.ts';
import { FAULTS } from '../../bench/two-forms/faults.ts';
import { linesOf } from '../../bench/two-forms/lines.ts';
import { TASKS } from '../../bench/two-forms/tasks.ts';
import { NO_COUNTS } from '../../core/agent.ts';

const DOCUMENT = await readFile(new URL('../../docs/two-forms.md', import.meta.url), 'utf8');

function between(name: string): readonly string[] {
  const [, part] = new RegExp(`<!-- ${name} -->\\n([^]*?)\\n<!-- end of ${name} -->`).exec(DOCUMENT) ?? [];
  if (part === undefined) throw new Error(`docs/two-forms.md has no place for "${name}"`);
  return part.split('\n');
}

/** Cells of the rows of a table, without its headings. */
function rows(name: string): readonly (readonly string[])[] {
  return between(name).slice(2).map((line) => line.split('|').slice(1, -1).map((cell) => cell.trim()));
}

const FIX = 'npm run bench:two-forms -- --write';

describe(`docs/two-forms.md holds what the bench measures today (else: ${FIX})`, () => {
  test('its tasks are those of the bench, each in both forms, and their sum', () => {
    const expected = [...TASKS.map(({ agent, kind }) => `${agent}: ${kind}`), '**all**'].flatMap((task) => FORMS.map((form) => `${task} ${form}`));
    expect(rows('tasks').map(([task, form]) => `${task} ${form}`)).toEqual(expected);
  });

  test('its counters are those of a run', () => {
    expect(rows('counters').map(([name]) => name)).toEqual(Object.keys(NO_COUNTS).map((name) => `\`${name}\``));
  });

  test('its odd replies are those of the bench; what a form cannot meet, and only that, cannot happen', () => {
    const expected = FAULTS.map(({ name, lines }) => [name, ...FORMS.map((form) => lines[form] !== undefined)]);
    expect(rows('faults').map(([name, ...became]) => [name, ...became.map((text) => text !== 'cannot happen')])).toEqual(expected);
  });

  test('its lists of files are those that would go with a form', async () => {
    const expected = await Promise.all(FORMS.map(async (form) => [form, (await linesOf(form)).files.map((file) => `\`${file}\``).join(', ')]));
    expect(rows('lines').map(([form, , files]) => [form, files])).toEqual(expected);
  });

  test('says on what machine it was measured', () => {
    expect(between('machine')).toEqual([expect.stringMatching(/^Measured on \d{4}-\d\d-\d\d with Node \d+\.\d+\.\d+ on \w+ \w+, \d+ cores\.$/)]);
  });
});
