import { randomUUID } from 'node:crypto';
import { cpus } from 'node:os';
import type { Child } from '../child.ts';
import { ownQueue } from '../caseworker/own-queue.ts';
import { collectSamples, measures } from '../figures.ts';
import { cpuMs } from '../process-figures.ts';
import type { Part, PartContext } from './part.ts';

const UNITS = { 'turns a second': '/s', 'cores used by workers': '', 'cores used by the server': '', 'cores there are': '' };
const TURNS = 10;

/** Where one machine ends: the same runs on one, two and four workers against one server. */
export const workers: Part = async (context) => {
  const samples = collectSamples();
  for (let round = 1; round <= Math.min(3, context.rounds); round += 1) {
    for (const count of context.isShort ? [1, 2] : [1, 2, 4]) {
      context.report(`workers: ${count}, round ${round}`);
      const found = await busyWith(context, count);
      for (const [figure, value] of Object.entries(found)) samples.add(`${count} ${count === 1 ? 'worker' : 'workers'}`, figure, value);
    }
  }
  return { measures: measures(samples, { part: 'workers', units: UNITS }) };
};

async function busyWith({ ground, isShort }: PartContext, count: number): Promise<Readonly<Record<keyof typeof UNITS, number | undefined>>> {
  const queue = ownQueue(ground);
  const up: Child[] = [];
  for (let i = 0; i < count; i += 1) up.push(await queue.startWorker());
  const together = async (runs: number, turns: number) => {
    const keys = Array.from({ length: runs }, () => `workers-${randomUUID()}`);
    await Promise.all(keys.map(async (key) => void (await (await queue.start({ key, turns })).result())));
  };
  await together(count * 4, 2);
  const cpu = () => ({ workers: sum(up.map(({ pid }) => cpuMs(pid))), server: cpuMs(ground.serverPid) });
  const [before, startMs] = [cpu(), performance.now()];
  const runs = isShort ? 4 : 50;
  await together(runs, TURNS);
  const [after, ms] = [cpu(), performance.now() - startMs];
  for (const worker of up) await worker.stop();
  const cores = (from: number | undefined, to: number | undefined) => (from === undefined || to === undefined ? undefined : (to - from) / ms);
  return {
    'turns a second': (runs * TURNS * 1_000) / ms,
    'cores used by workers': cores(before.workers, after.workers),
    'cores used by the server': cores(before.server, after.server),
    'cores there are': cpus().length,
  };
}

function sum(values: readonly (number | undefined)[]): number | undefined {
  return values.reduce<number | undefined>((total, value) => (total === undefined || value === undefined ? undefined : total + value), 0);
}
