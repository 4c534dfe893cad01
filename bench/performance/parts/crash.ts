import { randomUUID } from 'node:crypto';
import { ownQueue } from '../caseworker/own-queue.ts';
import { collectSamples, measures } from '../figures.ts';
import type { SeenRequest } from '../model-server.ts';
import type { Part, PartContext } from './part.ts';

const UNITS = {
  'SIGKILL to next model call': 'ms', 'new worker up to next model call': 'ms', 'finished model calls made again': '', 'model calls in flight made again': '',
};
const KILL_AT = 8;
const TURNS = 12;

/** A worker is killed and another one started: in the middle of a model call, and wherever the run happens to be. */
export const crash: Part = async (context) => {
  const samples = collectSamples();
  for (let round = 1; round <= context.rounds; round += 1) {
    context.report(`crash: round ${round} of ${context.rounds}`);
    for (const [name, holdAt] of [['killed within a model call', KILL_AT], ['killed anywhere', 0]] as const) {
      const found = await killed(context, holdAt);
      for (const [figure, value] of Object.entries(found)) samples.add(name, figure, value);
    }
  }
  return { measures: measures(samples, { part: 'crash', units: UNITS }) };
};

async function killed({ ground }: PartContext, holdAt: number): Promise<Readonly<Record<keyof typeof UNITS, number>>> {
  const queue = ownQueue(ground);
  const first = await queue.startWorker();
  const key = `crash-${randomUUID()}`;
  const run = await queue.start({ key, turns: TURNS, holdAt });
  await ground.model.until(key, (requests) => requests.some(({ next }) => next === KILL_AT));
  const killedMs = performance.timeOrigin + performance.now();
  await first.kill();
  const before = (await ground.model.requests(key)).length;
  const second = await queue.startWorker();
  const upMs = performance.timeOrigin + performance.now();
  const seen = await ground.model.until(key, (requests) => requests.length > before);
  const nextMs = seen[before]?.atMs ?? NaN;
  if (holdAt === 0) await run.result();
  else await run.terminate();
  await second.stop();
  const again = madeAgain(await ground.model.requests(key));
  return {
    'SIGKILL to next model call': nextMs - killedMs,
    'new worker up to next model call': nextMs - upMs,
    'finished model calls made again': again.filter((next) => next < KILL_AT).length,
    'model calls in flight made again': again.filter((next) => next >= KILL_AT).length,
  };
}

function madeAgain(requests: readonly SeenRequest[]): readonly number[] {
  return requests.map(({ next }) => next).filter((next, i, all) => all.indexOf(next) < i);
}
