import { observationKey } from '../core/contract.ts';
import type { ActInput, BlobStore } from '../core/contract.ts';
import { wholeGraphemes } from './cut-text.ts';
import { thisRun } from './this-run.ts';
import { cutMark } from './tool-observation.ts';
import type { Outcome } from './tool-observation.ts';

/** Ids named to a model that asked for one that is not there. */
const IDS_SHOWN = 40;

/**
 * Brings back an observation of this run, from a character on, as much as fits one observation. Reads only what is kept
 * under this run's own key: no id can name another run's. Throws when the store is down.
 */
export async function recall(input: ActInput, blobs: BlobStore): Promise<Outcome> {
  const { id } = input.args;
  const from = input.args.from ?? 0;
  if (typeof id !== 'string' || !/^\d{1,6}\.p?\d{1,6}$/.test(id)) return unknownId(input, blobs, JSON.stringify(id ?? null).slice(0, 60));
  if (typeof from !== 'number' || !Number.isSafeInteger(from) || from < 0) {
    return { status: 'error', text: '"from" must be a whole number of characters, 0 or more; leave it out to start at the beginning.' };
  }
  const text = await blobs.get(observationKey(thisRun().workflowId, input.firstRunId, id));
  if (text === undefined) return unknownId(input, blobs, id);
  if (from >= text.length) {
    return { status: 'empty', text: `Observation ${id} has ${text.length} characters, so there is nothing from ${from} on: you have seen all of it.` };
  }
  return { status: 'ok', text: partOf(text, { id, from, max: input.observationChars }) };
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

async function unknownId(input: ActInput, blobs: BlobStore, asked: string): Promise<Outcome> {
  const prefix = observationKey(thisRun().workflowId, input.firstRunId, 'x').replace(/x\.txt$/, '');
  const keys = await blobs.list(prefix);
  const ids = keys.flatMap((key) => /(\d+\.\d+)\.txt$/.exec(key)?.[1] ?? []).sort(byTurn);
  const known = ids.slice(-IDS_SHOWN).join(', ');
  return { status: 'error', text: `There is no observation ${asked} to recall. ${known ? `There are: ${known}.` : 'No tool has been called yet.'}` };
}

function byTurn(a: string, b: string): number {
  const [turnA = 0, callA = 0] = a.split('.').map(Number);
  const [turnB = 0, callB = 0] = b.split('.').map(Number);
  return turnA - turnB || callA - callB;
}
