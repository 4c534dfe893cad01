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
  const records = parsed(file, await contents(file));
  if (records.length === 0) throw new UsageError(`${file} has no rows under its headings.`);
  for (const column of [columns.id, columns.task]) {
    const headings = Object.keys(records[0] ?? {});
    if (!headings.includes(column)) {
      const option = column === columns.id ? '--id-column' : '--task-column';
      throw new UsageError(
        `${file} has no column "${column}". Its columns: ${headings.join(', ')}. Choose one with ${option}.`,
      );
    }
  }
  const rows = records.map((record) => ({
    id: record[columns.id]?.trim() ?? '',
    task: record[columns.task]?.trim() ?? '',
  }));
  const seen = new Map<string, number>();
  rows.forEach(({ id, task }, i) => {
    const problem = startProblem({ agent: 'any', id, task }) ?? twice(seen.get(id));
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
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`, {
      cause: error,
    });
  }
}

function parsed(file: string, text: string): readonly Record<string, string>[] {
  try {
    return parse<Record<string, string>>(text, { columns: true, bom: true, skip_empty_lines: true, trim: true });
  } catch (error) {
    throw new UsageError(`${file} is not CSV: ${error instanceof Error ? error.message : String(error)}.`, {
      cause: error,
    });
  }
}
