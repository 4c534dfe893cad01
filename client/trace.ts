import type { ArchiveSegment } from '../core/contract.ts';
import type { Item } from '../core/transcript.ts';
import type { Fact } from './history-items.ts';
import { parseItem } from './parse-item.ts';
import type { TraceEntry } from './types.ts';

export interface TraceSources {
  /** Of all executions that history still has, in order. */
  readonly facts: readonly Fact[];
  readonly segments: readonly ArchiveSegment[];
  /** Why parts may be missing, for the reader. */
  readonly whyMissing: string;
}

type Spine = Extract<TraceEntry, { kind: 'item' | 'unknown_item' | 'missing' }>;
type Aside = Extract<TraceEntry, { kind: 'call_started' | 'attempt_failed' | 'waiting' }>;

/**
 * The trace of a run: a fold over what history and archive hold. Items are merged by number; what has no number yet
 * stands at the end; everything else is put where it happened. It decides nothing and never throws.
 */
export function foldTrace(sources: TraceSources): readonly TraceEntry[] {
  const numbered = numberedItems(sources);
  const known = new Set([...numbered.values()].map(entryKey));
  const spine: readonly Spine[] = [...withGaps(numbered, sources.whyMissing), ...looseItems(sources.facts, known)];
  return [...placed(spine, sources.facts), ...closing(sources)];
}

/** What an entry is about: entries with one key are the same thing, told again. */
export function entryKey(entry: TraceEntry): string {
  switch (entry.kind) {
    case 'item':
      return itemKey(entry.item) ?? `#${entry.number ?? '?'}`;
    case 'unknown_item':
      return `#${entry.number}`;
    case 'call_started':
      return `call:${entry.call}`;
    case 'attempt_failed':
      return `attempt:${entry.of.kind === 'model' ? entry.of.turn : entry.of.call}:${entry.attempt}`;
    case 'waiting':
      return `waiting:${entry.atMs}`;
    case 'missing':
      return `missing:${entry.from}`;
    case 'end':
    case 'closed':
      return 'end';
  }
}

function itemKey(item: Item): string | undefined {
  if (item.type === 'reply') return `reply:${item.turn}`;
  if (item.type === 'observation') return `observation:${item.call}`;
  return undefined;
}

function numberedItems({ facts, segments }: TraceSources): Map<number, Spine> {
  const numbered = new Map<number, Spine>();
  for (const fact of facts) {
    if (fact.kind === 'items')
      fact.items.forEach((item, i) => numbered.set(fact.base + i, spineEntry(item, fact.base + i, fact.atMs)));
  }
  for (const { first, items } of segments) {
    items.forEach((item, i) => {
      if (!numbered.has(first + i)) numbered.set(first + i, spineEntry(parseItem(item), first + i));
    });
  }
  return numbered;
}

function spineEntry(item: ReturnType<typeof parseItem>, number: number, eventMs?: number): Spine {
  const at = item.atMs ?? eventMs;
  const time = at === undefined ? {} : { atMs: at };
  return item.type === 'unknown'
    ? { kind: 'unknown_item', number, ...time, was: item.was }
    : { kind: 'item', number, ...time, item };
}

function withGaps(numbered: ReadonlyMap<number, Spine>, why: string): Spine[] {
  const spine: Spine[] = [];
  let expected = 0;
  for (const number of [...numbered.keys()].sort((a, b) => a - b)) {
    if (number > expected) spine.push({ kind: 'missing', from: expected, to: number - 1, why });
    const entry = numbered.get(number);
    if (entry) spine.push(entry);
    expected = number + 1;
  }
  return spine;
}

function looseItems(facts: readonly Fact[], known: Set<string>): Spine[] {
  const loose: Spine[] = [];
  for (const fact of facts) {
    if (fact.kind !== 'loose') continue;
    const entry: Spine = { kind: 'item', atMs: fact.item.atMs ?? fact.atMs, item: fact.item };
    if (known.has(entryKey(entry))) continue;
    known.add(entryKey(entry));
    loose.push(entry);
  }
  return loose;
}

/** Puts calls, failed attempts and waits between the items that they belong to. */
function placed(spine: readonly Spine[], facts: readonly Fact[]): readonly TraceEntry[] {
  const replies = new Map<number, number>();
  const numbers = new Map<number, number>();
  spine.forEach((entry, at) => {
    if (entry.kind === 'item' && entry.item.type === 'reply') replies.set(entry.item.turn, at);
    if (entry.kind !== 'missing' && entry.number !== undefined) numbers.set(entry.number, at);
  });
  const rows: Row[] = spine.map((entry, at) => ({ entry, at, order: ITSELF }));
  for (const [key, aside] of asides(facts)) {
    const after = aside.kind === 'waiting' ? numbers.get(key) : replies.get(key);
    const order = aside.kind === 'attempt_failed' && aside.of.kind === 'model' ? BEFORE : AFTER;
    rows.push(
      after === undefined
        ? { entry: aside, at: lastBefore(spine, aside.atMs), order: AFTER }
        : { entry: aside, at: after, order },
    );
  }
  return rows.sort((a, b) => a.at - b.at || a.order - b.order).map(({ entry }) => entry);
}

interface Row {
  readonly entry: TraceEntry;
  /** Place in the spine. */
  readonly at: number;
  readonly order: number;
}

const BEFORE = 0;
const ITSELF = 1;
const AFTER = 2;

/** Each with the turn, or for a wait the item number, that it stands at; repeats of one thing once, the latest. */
function asides(facts: readonly Fact[]): readonly (readonly [number, Aside])[] {
  const found = new Map<string, readonly [number, Aside]>();
  for (const fact of facts) {
    if (fact.kind === 'waiting') {
      const { after, ...entry } = fact;
      found.set(entryKey(entry), [after, entry]);
    } else if (fact.kind === 'call_started') {
      found.set(entryKey(fact), [turnOf(fact.call), fact]);
    } else if (fact.kind === 'attempt_failed') {
      found.set(entryKey(fact), [fact.of.kind === 'model' ? fact.of.turn : turnOf(fact.of.call), fact]);
    }
  }
  return [...found.values()];
}

/** Ids of calls are `<turn>.<n>`. */
function turnOf(call: string): number {
  return Number.parseInt(call, 10);
}

function lastBefore(spine: readonly Spine[], atMs: number): number {
  let last = -1;
  spine.forEach((entry, at) => {
    if (entry.kind !== 'missing' && (entry.atMs ?? 0) <= atMs) last = at;
  });
  return last;
}

function closing({ facts, segments }: TraceSources): readonly TraceEntry[] {
  const ends = facts.filter((fact) => fact.kind === 'end' || fact.kind === 'closed');
  if (ends.length > 0) return ends.slice(-1);
  const last = segments.findLast((segment) => segment.result !== undefined);
  if (!last?.result) return [];
  return [{ kind: 'end', atMs: last.items.at(-1)?.atMs ?? 0, result: last.result }];
}
