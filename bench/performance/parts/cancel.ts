import { randomUUID } from 'node:crypto';
import { createClient } from '../../../client/caseworker-client.ts';
import { createFileBlobStore } from '../../../worker/file-blob-store.ts';
import { ownQueue } from '../caseworker/own-queue.ts';
import { collectSamples, measures, quantile } from '../figures.ts';
import type { Part } from './part.ts';

const UNITS = { 'from cancel to closed': 'ms', p95: 'ms' };

/** A person cancels while the model is thinking: how long until the run is closed. */
export const cancel: Part = async ({ ground, isShort, report }) => {
  const { place, model } = ground;
  const queue = ownQueue(ground);
  const worker = await queue.startWorker();
  const client = createClient({
    connection: place.connection, namespace: place.cluster.namespace, taskQueue: queue.taskQueue, blobs: createFileBlobStore(place.dataDir),
  });
  const samples = collectSamples();
  report('cancel');
  const times: number[] = [];
  for (let n = 0; n < (isShort ? 2 : 25); n += 1) {
    const key = `cancel-${randomUUID()}`;
    const run = await queue.start({ key, turns: 5, holdAt: 2 });
    await model.until(key, (requests) => requests.length > 1);
    const startMs = performance.now();
    await client.cancel(key, { by: { name: 'bench', verified: false }, reason: 'measured' });
    await run.result();
    times.push(performance.now() - startMs);
    samples.add('caseworker', 'from cancel to closed', times.at(-1));
  }
  samples.add('caseworker', 'p95', quantile(times.sort((a, b) => a - b), 0.95));
  await worker.stop();
  return { measures: measures(samples, { part: 'cancel', units: UNITS }) };
};
