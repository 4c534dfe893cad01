import { createHash } from 'node:crypto';
import { observationKey } from '../core/contract.ts';
import type { ActInput, BlobStore } from '../core/contract.ts';
import { wellFormed } from '../core/data-text.ts';
import { seenWords } from '../core/seen-words.ts';
import type { EffectNote, ObservationItem, ObservationStatus } from '../core/transcript.ts';
import { cutWithMark } from './cut-text.ts';
import { thisRun } from './this-run.ts';

/** What came of a call, before it is cut to the length that the model sees. */
export interface Outcome {
  readonly status: ObservationStatus;
  readonly text: string;
  /** Present when a call with an effect was tried. */
  readonly effect?: EffectNote;
  /** The run is handed over, for this reason. */
  readonly handOver?: string;
  readonly handOverDetail?: ObservationItem['handOverDetail'];
}

/**
 * The observation of a call. The whole of a text that is cut is kept for `recall`; a store that is down costs the rest,
 * not the call. A result that is whole here is written down once, in the transcript, and its words are read from there.
 */
export async function observe(input: ActInput, outcome: Outcome, parts: { readonly blobs: BlobStore; readonly ms: number }): Promise<ObservationItem> {
  const text = wellFormed(outcome.text);
  const isCut = text.length > input.observationChars;
  const key = observationKey(thisRun().workflowId, input.firstRunId, input.call);
  const isKept = isCut && (await keep(parts.blobs, key, text));
  return {
    type: 'observation',
    call: input.call,
    tool: input.tool,
    status: outcome.status,
    text: cutWithMark(text, input.observationChars, (kept) => cutMark(input.call, { from: 0, kept, total: text.length, isKept })).text,
    ...(isKept ? { more: { blob: key, chars: text.length } } : {}),
    seen: isCut || outcome.status !== 'ok' ? seenIn(text, outcome.status, input) : [],
    hash: createHash('sha256').update(text).digest('hex'),
    ms: parts.ms,
    ...(outcome.handOver === undefined ? {} : { handOver: outcome.handOver }),
    ...(outcome.handOverDetail === undefined ? {} : { handOverDetail: outcome.handOverDetail }),
    ...(outcome.effect ? { effect: outcome.effect } : {}),
  };
}

async function keep(blobs: BlobStore, key: string, text: string): Promise<boolean> {
  try {
    await blobs.put(key, text);
    return true;
  } catch {
    return false;
  }
}

export interface Part {
  readonly from: number;
  readonly kept: number;
  readonly total: number;
  readonly isKept: boolean;
}

/** Says what of a text is shown and how to get the next part; the numbers are those that `recall` takes. */
export function cutMark(call: string, { from, kept, total, isKept }: Part): string {
  const shown = from === 0 ? `${kept} of ${total} characters` : `characters ${from} to ${from + kept} of ${total}`;
  const rest = isKept ? `recall {"id":"${call}","from":${from + kept}} brings the next part` : 'the rest could not be kept; call the tool again for less at a time';
  return `\n[cut: ${shown}; ${rest}]`;
}

/**
 * A tool that found nothing or failed repeats the call's own words: they say nothing about the world, and would make
 * evidence of an id that the model made up.
 */
function seenIn(text: string, status: ObservationStatus, { args }: ActInput): readonly string[] {
  const words = seenWords(text);
  if (status === 'ok') return words;
  const asked = new Set(seenWords(JSON.stringify(args)));
  return words.filter((word) => !asked.has(word));
}
