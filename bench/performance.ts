import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Measure } from './performance/figures.ts';
import { startModel } from './performance/model.ts';
import { busy } from './performance/parts/busy.ts';
import { bytes } from './performance/parts/bytes.ts';
import { cancel } from './performance/parts/cancel.ts';
import { crash } from './performance/parts/crash.ts';
import { flat } from './performance/parts/flat.ts';
import type { Part } from './performance/parts/part.ts';
import { replay } from './performance/parts/replay.ts';
import { start } from './performance/parts/start.ts';
import { turns } from './performance/parts/turns.ts';
import { waiting } from './performance/parts/waiting.ts';
import { workers } from './performance/parts/workers.ts';
import type { OpenSubjects } from './performance/stages.ts';
import { openSubjects } from './performance/stages.ts';
import { openGround } from './performance/subjects/temporal.ts';
import type { Skipped } from './performance/subject.ts';
import { machineText, partTables } from './performance/tables.ts';
import { openPlace } from './two-forms/place.ts';

/**
 * What a run costs beside its model and its tools: `npm run bench [-- part … --peers --short --rounds 5 --only TEXT
 * --json FILE]`. Tables on stdout; with --json the same as data, after each part. `--only` takes the rows whose name holds
 * a text. Everything of one part is interleaved, round after round.
 */
const PARTS: Readonly<Record<string, Part>> = { turns, busy, bytes, flat, start, crash, cancel, replay, waiting, workers };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { peers: { type: 'boolean', default: false }, short: { type: 'boolean', default: false }, rounds: { type: 'string' }, json: { type: 'string' }, only: { type: 'string', default: '' } },
});
const unknown = positionals.find((name) => !(name in PARTS));
if (unknown !== undefined) {
  console.error(`There is no part "${unknown}"; there are: ${Object.keys(PARTS).join(', ')}.`);
  process.exit(2);
}
const rounds = Number(values.rounds ?? (values.short ? 1 : 5));
const report = (message: string) => console.error(message);

const place = await openPlace(report);
const model = await startModel();
const ground = await openGround(place, model);
let open: Promise<OpenSubjects> | undefined;
const subjects = async () => {
  const all = (await (open ??= openSubjects(ground, { peers: values.peers }))).subjects;
  return all.filter(({ name }) => name.includes(values.only));
};

const found: Measure[] = [];
const skipped: Skipped[] = [];
const machine = machineText(new Date());
async function save(): Promise<void> {
  if (values.json === undefined) return;
  await writeFile(values.json, `${JSON.stringify({ machine, rounds, short: values.short, skipped, measures: found }, undefined, 2)}\n`);
}

async function close(): Promise<void> {
  await (await open)?.close();
  await model.close();
  await place.close();
}
// What was started ends with it, a server and a database among it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void close().finally(() => process.exit(130)));

try {
  for (const name of positionals.length > 0 ? positionals : Object.keys(PARTS)) {
    const result = await PARTS[name]?.({ isShort: values.short, rounds, ground, subjects, report });
    if (!result) continue;
    found.push(...result.measures);
    skipped.push(...(result.skipped ?? []));
    console.log(`${name}\n\n${partTables(result.measures)}\n`);
    await save();
  }
  skipped.push(...((await open)?.skipped ?? []));
} finally {
  await close();
}
for (const { subject, why } of skipped) console.log(`Skipped: ${subject}, since ${why}`);
console.log(machine);
await save();
