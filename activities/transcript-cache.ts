import type { TranscriptPage } from '../core/contract.ts';
import type { PinnedAgent } from '../core/agent.ts';
import type { Item } from '../core/transcript.ts';

/** What a worker knows of one run: its agent and its transcript from item number `first` on. */
export interface KnownTranscript {
  readonly agent: PinnedAgent;
  readonly first: number;
  readonly items: readonly Item[];
}

/** Asks the run itself for its transcript from an item number on. */
export type AskRun = (from: number) => Promise<TranscriptPage>;

/** What an activity was sent: items from number `base` on, and the agent where the run has just begun. */
export interface TranscriptPart {
  readonly base: number;
  readonly delta: readonly Item[];
  readonly agent?: PinnedAgent;
}

export interface TranscriptCache {
  /**
   * The whole transcript below `base` plus `delta`. What is not in memory is asked from the run, in pages.
   * `key` must change with every execution: a reset run may tell another story under the same numbers.
   */
  extend(key: string, part: TranscriptPart, ask: AskRun): Promise<KnownTranscript>;
}

/** Keeps the newest transcripts up to a number of items; a miss costs one query (13 to 25 ms measured). */
export function createTranscriptCache(maxItems = 100_000): TranscriptCache {
  const known = new Map<string, KnownTranscript>();

  return {
    async extend(key, { base, delta, agent }, ask) {
      const cached = known.get(key);
      const begun = agent && base === 0 ? { agent, first: 0, items: [] } : undefined;
      const prefix = cached && cached.first + cached.items.length >= base && base >= cached.first ? cached : (begun ?? (await askFor(base, ask)));
      const items = [...prefix.items.slice(0, base - prefix.first), ...delta];
      const whole = { ...prefix, items };
      known.delete(key);
      known.set(key, whole);
      forgetOldest(known, maxItems);
      return whole;
    },
  };
}

/** A retried call finds more than its base here, and a query may answer with newer items: both are cut to the base. */
async function askFor(base: number, ask: AskRun): Promise<KnownTranscript> {
  const page = await ask(0);
  const items = [...page.items];
  for (let next = page.next; next !== undefined && next < base; ) {
    const more = await ask(next);
    items.push(...more.items);
    next = more.next;
  }
  return { agent: page.agent, first: page.first, items };
}

function forgetOldest(known: Map<string, KnownTranscript>, maxItems: number): void {
  let total = [...known.values()].reduce((sum, { items }) => sum + items.length, 0);
  for (const [key, { items }] of known) {
    if (total <= maxItems || known.size === 1) return;
    known.delete(key);
    total -= items.length;
  }
}
