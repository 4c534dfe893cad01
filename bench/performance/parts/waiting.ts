import { randomUUID } from 'node:crypto';
import { ownQueue } from '../caseworker/own-queue.ts';
import type { OwnQueue } from '../caseworker/own-queue.ts';
import { collectSamples, measures } from '../figures.ts';
import { residentBytes } from '../process-figures.ts';
import type { Part, PartContext } from './part.ts';

/** Started at once; the rest waits, so that no start times out on a machine with few cores. */
const AT_ONCE = 50;
const MEGABYTE = 1_000_000;

/** Runs that wait for a person: what they cost the worker in memory. */
export const waiting: Part = async (context) => {
  const samples = collectSamples();
  const queue = ownQueue(context.ground);
  const worker = await queue.startWorker();
  const add = (figure: string) => samples.add('caseworker', figure, megabytes(worker.pid));
  // With the first few runs everything that is loaded once is loaded.
  await untilWaiting(context, queue, 5);
  add('5 waiting');
  const counts = context.isShort ? [10] : [200, 2_000];
  for (const [i, count] of counts.entries()) {
    context.report(`waiting: ${count} runs`);
    await untilWaiting(context, queue, count - (counts[i - 1] ?? 5));
    add(`${count} waiting`);
  }
  await worker.stop();
  const units = Object.fromEntries(samples.keys().map(({ figure }) => [figure, 'MB']));
  return { measures: measures(samples, { part: 'waiting', units }) };
};

async function untilWaiting({ ground }: PartContext, queue: OwnQueue, count: number): Promise<void> {
  for (let done = 0; done < count; done += AT_ONCE) {
    const keys = Array.from({ length: Math.min(AT_ONCE, count - done) }, () => `waiting-${randomUUID()}`);
    await Promise.all(keys.map(async (key) => {
      await queue.start({ key, turns: 5, askAt: 3 });
      await isWaiting(ground.client, key);
    }));
  }
}

/** A run that waits has told persons so: `notify` is the last of its activities. */
async function isWaiting({ workflow }: PartContext['ground']['client'], key: string): Promise<void> {
  for (;;) {
    const { events } = await workflow.getHandle(key).fetchHistory();
    const told = events?.find(({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name === 'notify');
    const isDone = events?.some(({ activityTaskCompletedEventAttributes: done }) => String(done?.scheduledEventId) === String(told?.eventId));
    if (told && isDone) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function megabytes(pid: number): number | undefined {
  const bytes = residentBytes(pid);
  return bytes === undefined ? undefined : bytes / MEGABYTE;
}
