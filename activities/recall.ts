import { archivePrefix, observationKey } from '../core/contract.ts';
import type { ActInput, BlobStore } from '../core/contract.ts';
import { archivedObservation } from './archive.ts';
import { wholeGraphemes } from './cut-text.ts';
import { thisRun } from './this-run.ts';
import { cutMark } from './tool-observation.ts';
import type { Outcome } from './tool-observation.ts';

/**
 * Brings back an observation of this run, from a character on, as much as fits one observation. Reads only what is kept
 * under this run's own key: no id can name another run's. Throws when the store is down.
 */
export async function recall(input: ActInput, blobs: BlobStore): Promise<Outcome> {
  const { id } = input.args;
  const from = input.args.from ?? 0;
  if (typeof id !== 'string' || !/^\d{1,6}\.p?\d{1,6}$/.test(id)) return unknownId(input, JSON.stringify(id ?? null).slice(0, 60));
  if (typeof from !== 'number' || !Number.isSafeInteger(from) || from < 0) {
    return { status: 'error', text: '"from" must be a whole number of characters, 0 or more; leave it out to start at the beginning.' };
  }
  const text = await wholeText(input, id, blobs);
  if (text === undefined) return unknownId(input, id);
  if (from >= text.length) {
    return { status: 'empty', text: `Observation ${id} has ${text.length} characters, so there is nothing from ${from} on: you have seen all of it.` };
  }
  return { status: 'ok', text: partOf(text, { id, from, max: input.observationChars }) };
}

/** The run itself has it; of what was cut the store has the whole; of what an earlier execution left behind, the archive. */
async function wholeText({ firstRunId, recall: own }: ActInput, id: string, blobs: BlobStore): Promise<string | undefined> {
  const { workflowId } = thisRun();
  return (
    own?.text ??
    (await blobs.get(observationKey(workflowId, firstRunId, id))) ??
    archivedObservation(blobs, archivePrefix(workflowId, firstRunId), id)
  );
}

function partOf(text: string, { id, from, max }: { readonly id: string; readonly from: number; readonly max: number }): string {
  // A number that a model made up may point between the halves of a surrogate pair.
  const start = /[\udc00-\udfff]/.test(text.charAt(from)) ? from - 1 : from;
  const rest = text.slice(start);
  if (rest.length <= max && start === 0) return rest;
  const end = `\n[end of ${id}]`;
  if (rest.length + end.length <= max) return rest + end;
  const mark = (kept: number) => cutMark(id, { from: start, kept, total: text.length, isKept: true });
  const kept = wholeGraphemes(rest, Math.max(1, max - mark(text.length).length));
  return rest.slice(0, kept) + mark(kept);
}

function unknownId({ recall: own }: ActInput, asked: string): Outcome {
  const known = own?.known.join(', ') ?? '';
  return { status: 'error', text: `There is no observation ${asked} to recall. ${known ? `There are: ${known}.` : 'No tool has been called yet.'}` };
}
