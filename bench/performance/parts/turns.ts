import { randomUUID } from 'node:crypto';
import { collectSamples, measures } from '../figures.ts';
import type { Samples } from '../figures.ts';
import { against } from '../rows.ts';
import type { Subject } from '../subject.ts';
import type { Part, PartContext } from './part.ts';

const UNITS = {
  'ms a turn at 20': 'ms', 'ms a turn at 100': 'ms', 'at 100 against at 20': '×',
  'worker CPU a turn': 'ms', 'server CPU a turn': 'ms', 'at turns 1-20': 'ms', 'at turns 81-100': 'ms',
};

const WARM_RUNS = 3;

/** What a turn takes, one run at a time: at 20 and at 100 turns, and the processor time behind it. */
export const turns: Part = async (context) => {
  const subjects = await context.subjects();
  const samples = collectSamples();
  // What runs for the first time loads and compiles; a worker that has made some hundred turns is as fast as it gets.
  for (let run = 1; run <= WARM_RUNS; run += 1) {
    context.report(`turns: warming up, ${run} of ${WARM_RUNS}`);
    for (const subject of subjects) await subject.run({ key: `warm-${randomUUID()}`, turns: context.isShort ? 5 : 100 });
  }
  for (let round = 1; round <= context.rounds; round += 1) {
    context.report(`turns: round ${round} of ${context.rounds}`);
    for (const subject of rotated(subjects, round)) await measured(subject, samples, context);
  }
  return { measures: measures(samples, { part: 'turns', units: UNITS, against }) };
};

/** Each round begins with another row, so that none is always first. */
export function rotated<T>(all: readonly T[], by: number): readonly T[] {
  return all.map((_, i) => all[(i + by) % all.length]).filter((one) => one !== undefined);
}

async function measured(subject: Subject, samples: Samples, { ground, isShort }: PartContext): Promise<void> {
  const lengths = isShort ? [5, 10] as const : [20, 100] as const;
  const add = (figure: keyof typeof UNITS, value: number | undefined) => samples.add(subject.name, figure, value);
  const [short, long] = [await timed(subject, lengths[0]), await timed(subject, lengths[1])];
  add('ms a turn at 20', short.msATurn);
  add('ms a turn at 100', long.msATurn);
  add('at 100 against at 20', long.msATurn / short.msATurn);
  add('worker CPU a turn', long.workerCpu);
  add('server CPU a turn', long.serverCpu);
  const seen = await ground.model.requests(long.key);
  const gap = (from: number, to: number) => ((seen[to]?.atMs ?? NaN) - (seen[from]?.atMs ?? NaN)) / (to - from);
  if (!isShort) {
    add('at turns 1-20', gap(0, 20));
    add('at turns 81-100', gap(80, 100));
  }
}

async function timed(subject: Subject, count: number) {
  const key = `turns-${randomUUID()}`;
  const [worker, server] = [subject.workerCpuMs(), subject.serverCpuMs()];
  const startMs = performance.now();
  await subject.run({ key, turns: count });
  const ms = performance.now() - startMs;
  const since = (before: number | undefined, after: number | undefined) => (before === undefined || after === undefined ? undefined : (after - before) / count);
  return { key, msATurn: ms / count, workerCpu: since(worker, subject.workerCpuMs()), serverCpu: since(server, subject.serverCpuMs()) };
}
