import { randomUUID } from 'node:crypto';
import { createClient } from '../../../client/caseworker-client.ts';
import { createFileBlobStore } from '../../../worker/file-blob-store.ts';
import { ownQueue } from '../caseworker/own-queue.ts';
import { collectSamples, measures } from '../figures.ts';
import type { Part, PartContext } from './part.ts';

const UNITS = { 'answer to next model call, run in memory': 'ms', 'answer to next model call, after a replay': 'ms' };
const LENGTHS = [5, 20, 50, 100, 150];
const SHORT_LENGTHS = [3];

/** A run that waited comes back: what it takes with the run in the worker's memory, and on a worker that must replay it. */
export const replay: Part = async (context) => {
  const samples = collectSamples();
  for (let round = 1; round <= Math.min(3, context.rounds); round += 1) {
    for (const turns of context.isShort ? SHORT_LENGTHS : LENGTHS) {
      context.report(`replay: ${turns} turns, round ${round}`);
      for (const [figure, isNewWorker] of [['answer to next model call, run in memory', false], ['answer to next model call, after a replay', true]] as const) {
        samples.add(`${turns} turns`, figure, await comesBackMs(context, { turns, isNewWorker }));
      }
    }
  }
  return { measures: measures(samples, { part: 'replay', units: UNITS }) };
};

async function comesBackMs({ ground }: PartContext, { turns, isNewWorker }: { readonly turns: number; readonly isNewWorker: boolean }): Promise<number> {
  const { place, model } = ground;
  const queue = ownQueue(ground);
  const client = createClient({
    connection: place.connection, namespace: place.cluster.namespace, taskQueue: queue.taskQueue, blobs: createFileBlobStore(place.dataDir),
  });
  const key = `replay-${randomUUID()}`;
  let worker = await queue.startWorker();
  const run = await queue.start({ key, turns: turns + 1, askAt: turns });
  await model.until(key, (requests) => requests.length >= turns);
  let call: string | undefined;
  while (call === undefined) call = (await client.progress(key))?.question?.call;
  if (isNewWorker) {
    await worker.stop();
    worker = await queue.startWorker();
    // Its first run ever loads what every run needs; only the replay is to be measured.
    const warm = `warm-${randomUUID()}`;
    await (await queue.start({ key: warm, turns: 2 })).result();
  }
  const before = (await model.requests(key)).length;
  const startMs = performance.timeOrigin + performance.now();
  await client.answer(key, { by: { name: 'bench', verified: false }, text: 'The next one.' });
  const seen = await model.until(key, (requests) => requests.length > before);
  await run.terminate();
  await worker.stop();
  return (seen[before]?.atMs ?? NaN) - startMs;
}
