import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { UsageError } from '../client/errors.ts';
import { startProblem } from '../client/start-problem.ts';

export interface TaskRow {
  readonly id: string;
  readonly task: string;
}

/** The rows of a CSV file with headings. @throws UsageError that names file, row and what to change; nothing is started then. */
export async function readTasks(
  file: string,
  columns: { readonly id: string; readonly task: string },
): Promise<readonly TaskRow[]> {
  const text = await contents(file);
  const records = parsed(file, text);
  if (records.length === 0) throw new UsageError(`${file} ${text.trim() === '' ? 'is empty' : 'has no rows under its headings'}.`);
  for (const column of [columns.id, columns.task]) {
    const headings = Object.keys(records[0] ?? {});
    if (!headings.includes(column)) {
      const option = column === columns.id ? '--id-column' : '--task-column';
      const fix = headings.length === 1 && headings[0]?.includes(';') ? 'It is separated by semicolons: save it with commas.' : `Choose one with ${option}.`;
      throw new UsageError(`${file} has no column "${column}". Its columns: ${headings.join(', ')}. ${fix}`);
    }
  }
  const rows = records.map((record) => ({
    id: record[columns.id]?.trim() ?? '',
    task: record[columns.task]?.trim() ?? '',
  }));
  const seen = new Map<string, number>();
  rows.forEach(({ id, task }, i) => {
    const problem = id === '' ? 'its id is empty: each row needs one of its own.' : (startProblem({ agent: 'any', id, task }) ?? twice(seen.get(id)));
    // Row 1 of a spreadsheet is the headings.
    if (problem) throw new UsageError(`${file}, row ${i + 2}: ${problem}`);
    seen.set(id, i + 2);
  });
  return rows;
}

function twice(row: number | undefined): string | undefined {
  return row === undefined ? undefined : `its id is that of row ${row} too: each run needs its own.`;
}

async function contents(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(isMissing ? `${file} does not exist.` : `${file} cannot be read: ${why}.`, { cause: error });
  }
}

function parsed(file: string, text: string): readonly Record<string, string>[] {
  try {
    return parse<Record<string, string>>(text, { columns: true, bom: true, skip_empty_lines: true, trim: true });
  } catch (error) {
    const [headings = ''] = text.trimStart().split('\n', 1);
    const fix = headings.includes(';') && !headings.includes(',') ? 'It is separated by semicolons: save it with commas.' : 'A text with a comma or a quote in it stands in quotes ("a, b"), a quote in it twice.';
    throw new UsageError(`${file} is not CSV: ${error instanceof Error ? error.message : String(error)}. ${fix}`, { cause: error });
  }
}
