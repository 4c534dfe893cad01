import { randomUUID } from 'node:crypto';
import { collectSamples, measures } from '../figures.ts';
import { against } from '../rows.ts';
import type { Part } from './part.ts';

const LENGTHS = [10, 50, 100, 200];
const SHORT_LENGTHS = [5, 10];

/** What a run leaves behind and what it sends to the model, by its length. Bytes do not vary: one round. */
export const bytes: Part = async ({ subjects, ground, isShort, report }) => {
  const samples = collectSamples();
  const units: Record<string, string> = {};
  for (const turns of isShort ? SHORT_LENGTHS : [20, ...LENGTHS]) {
    report(`bytes: ${turns} turns`);
    for (const subject of await subjects()) {
      const key = `bytes-${randomUUID()}`;
      await subject.run({ key, turns });
      const sent = (await ground.model.requests(key)).reduce((sum, request) => sum + request.bytes, 0);
      for (const [figure, value] of [[`kept at ${turns}`, await subject.storedBytes(key)], [`sent at ${turns}`, sent]] as const) {
        units[figure] = 'kB';
        samples.add(subject.name, figure, value / 1_000);
      }
    }
  }
  return { measures: measures(samples, { part: 'bytes', units, against }) };
};
