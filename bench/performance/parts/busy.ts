import { randomUUID } from 'node:crypto';
import { collectSamples, measures } from '../figures.ts';
import { against } from '../rows.ts';
import type { Subject } from '../subject.ts';
import { rotated } from './turns.ts';
import type { Part } from './part.ts';

const UNITS = { 'turns a second': '/s', 'worker CPU a turn': 'ms', 'server CPU a turn': 'ms' };
const TURNS = 10;

/** Many runs at once: what the machine gets done. */
export const busy: Part = async (context) => {
  const subjects = await context.subjects();
  const samples = collectSamples();
  const runs = context.isShort ? 5 : 50;
  for (let round = 1; round <= context.rounds; round += 1) {
    context.report(`busy: round ${round} of ${context.rounds}`);
    for (const subject of rotated(subjects, round)) {
      const done = await atOnce(subject, runs);
      for (const [figure, value] of Object.entries(done)) samples.add(subject.name, figure, value);
    }
  }
  return { measures: measures(samples, { part: 'busy', units: UNITS, against }) };
};

async function atOnce(subject: Subject, runs: number): Promise<Readonly<Record<keyof typeof UNITS, number | undefined>>> {
  const [worker, server] = [subject.workerCpuMs(), subject.serverCpuMs()];
  const startMs = performance.now();
  await Promise.all(Array.from({ length: runs }, () => subject.run({ key: `busy-${randomUUID()}`, turns: TURNS })));
  const seconds = (performance.now() - startMs) / 1_000;
  const turns = runs * TURNS;
  const aTurn = (before: number | undefined, after: number | undefined) => (before === undefined || after === undefined ? undefined : (after - before) / turns);
  return { 'turns a second': turns / seconds, 'worker CPU a turn': aTurn(worker, subject.workerCpuMs()), 'server CPU a turn': aTurn(server, subject.serverCpuMs()) };
}
