import { readFile, writeFile } from 'node:fs/promises';
import { runFaults } from './two-forms/fault-runs.ts';
import { linesOf } from './two-forms/lines.ts';
import { openPlace } from './two-forms/place.ts';
import { counterTable, faultTable, lineTable, machineLine, taskTable } from './two-forms/tables.ts';
import { runTasks } from './two-forms/tasks.ts';

/**
 * The same tasks and the same odd replies in both forms, on a real server and a real worker. Prints the tables of
 * docs/two-forms.md; with `--write` puts them there, between the marks that name them.
 */
const DOCUMENT = new URL('../docs/two-forms.md', import.meta.url);

const place = await openPlace((message) => console.error(message));
const tables: Record<string, string> = { machine: machineLine(new Date()) };
try {
  const tasks = await runTasks(place);
  tables.tasks = taskTable(tasks);
  tables.counters = counterTable(tasks);
  tables.faults = faultTable(await runFaults(place));
} finally {
  await place.close();
}
tables.lines = lineTable({ 'function-calling': await linesOf('function-calling'), text: await linesOf('text') });

for (const [name, text] of Object.entries(tables)) console.log(`${name}\n\n${text}\n`);
if (process.argv.includes('--write')) await writeFile(DOCUMENT, filledIn(await readFile(DOCUMENT, 'utf8'), tables));

/** Throws when a table has no place in the document. */
function filledIn(document: string, filling: Readonly<Record<string, string>>): string {
  return Object.entries(filling).reduce((text, [name, table]) => {
    const [begin, end] = [`<!-- ${name} -->\n`, `\n<!-- end of ${name} -->`];
    const [from, to] = [text.indexOf(begin), text.indexOf(end)];
    if (from < 0 || to < 0) throw new Error(`docs/two-forms.md has no place for "${name}".`);
    return `${text.slice(0, from + begin.length)}${table}${text.slice(to)}`;
  }, document);
}
