import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readTasks } from '../../cli/read-tasks.ts';

const COLUMNS = { id: 'ticket', task: 'question' };

async function csv(text: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'caseworker-tasks-')), 'tasks.csv');
  await writeFile(file, text);
  return file;
}

describe('a file of tasks', () => {
  test('columns are found by name, quotes, commas and a byte order mark are read', async () => {
    const file = await csv('\ufeffquestion,ticket\n"Late, and cold?",T-1\n"He said ""no"".",T-2\n');
    expect(await readTasks(file, COLUMNS)).toEqual([
      { id: 'T-1', task: 'Late, and cold?' },
      { id: 'T-2', task: 'He said "no".' },
    ]);
  });

  test('a missing column is named with the ones there are and the option that chooses', async () => {
    await expect(readTasks(await csv('id,task\n1,x\n'), COLUMNS)).rejects.toThrow(
      /no column "ticket".*id, task.*--id-column/,
    );
    await expect(readTasks(await csv('ticket;question\n1;x\n'), COLUMNS)).rejects.toThrow(/separated by semicolons/);
  });

  test('an id twice, an empty task and an id with a space are refused with their row, before anything is started', async () => {
    await expect(readTasks(await csv('ticket,question\na,x\na,y\n'), COLUMNS)).rejects.toThrow(
      /row 3: its id is that of row 2/,
    );
    await expect(readTasks(await csv('ticket,question\na,\n'), COLUMNS)).rejects.toThrow(/row 2: The task is empty/);
    await expect(readTasks(await csv('ticket,question\n,x\n'), COLUMNS)).rejects.toThrow(/row 2: its id is empty/);
    await expect(readTasks(await csv('ticket,question\na b,x\n'), COLUMNS)).rejects.toThrow(
      /row 2: The id has white space/,
    );
  });

  test('a file that is not there, is empty or no CSV is a usage error', async () => {
    await expect(readTasks('/nowhere/tasks.csv', COLUMNS)).rejects.toMatchObject({ kind: 'usage', message: '/nowhere/tasks.csv does not exist.' });
    await expect(readTasks(await csv('ticket,question\n'), COLUMNS)).rejects.toMatchObject({ kind: 'usage', message: expect.stringContaining('no rows under its headings') });
    await expect(readTasks(await csv('\n'), COLUMNS)).rejects.toMatchObject({ kind: 'usage', message: expect.stringContaining('is empty') });
    await expect(readTasks(await csv('ticket,question\n"a,x\n'), COLUMNS)).rejects.toMatchObject({ kind: 'usage' });
    await expect(readTasks(await csv('ticket,question\n1,Late, and cold?\n'), COLUMNS)).rejects.toThrow(/stands in quotes/);
    await expect(readTasks(await csv('ticket;question\n1;"Late?"\n'), COLUMNS)).rejects.toThrow(/separated by semicolons/);
  });
});
