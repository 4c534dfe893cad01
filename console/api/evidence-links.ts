import type { JsonObject, JsonValue } from '../../core/json.ts';
import type { HeldView } from '../../core/run.ts';
import { idWords, seenWords } from '../../core/seen-words.ts';
import type { Item } from '../../core/transcript.ts';
import type { TraceEntry } from '../../client/types.ts';

/** Where a value of a held call's arguments was seen in this run, before the call. */
export interface EvidenceLink {
  /** Path of the argument: `order_id`, `lines.0.amount`. */
  readonly field: string;
  readonly value: string;
  readonly places: readonly Place[];
}

/** What brought the value up: the task, a person, or the observation of a call. */
export type Place =
  | { readonly of: 'task' }
  | { readonly of: 'person'; readonly name: string }
  | { readonly of: 'observation'; readonly call: string; readonly tool: string };

const MAX_PLACES = 5;
const MAX_FIELDS = 40;

/**
 * For each id and number in the arguments, where the run has it from. Whether a call may run was decided by the run;
 * this only shows the person who decides it where to look.
 */
export function evidenceLinks({ call, args }: Pick<HeldView, 'call' | 'args'>, entries: readonly TraceEntry[]): readonly EvidenceLink[] {
  const sources = sourcesOf(entries, call);
  return leavesOf(args)
    .filter(({ value }) => idWords(value).length > 0)
    .slice(0, MAX_FIELDS)
    .map(({ field, value }) => {
      const words = idWords(value);
      const places = sources.filter((source) => words.every((word) => source.words.has(word))).map(({ place }) => place);
      return { field, value, places: places.slice(0, MAX_PLACES) };
    });
}

interface Source {
  readonly place: Place;
  readonly words: ReadonlySet<string>;
}

function sourcesOf(entries: readonly TraceEntry[], call: string): readonly Source[] {
  return entries.flatMap((entry) => {
    const source = entry.kind === 'item' ? sourceOf(entry.item) : undefined;
    return source && !(source.place.of === 'observation' && source.place.call === call) ? [source] : [];
  });
}

function sourceOf(item: Item): Source | undefined {
  switch (item.type) {
    case 'task':
      return { place: { of: 'task' }, words: new Set(seenWords([item.goal, ...item.constraints].join('\n'))) };
    case 'person':
      return item.refused === undefined
        ? { place: { of: 'person', name: item.by.name }, words: new Set(seenWords(`${item.text}\n${item.goal ?? ''}`)) } : undefined;
    case 'observation':
      return item.status === 'ok'
        ? { place: { of: 'observation', call: item.call, tool: item.tool }, words: new Set([...item.seen, ...seenWords(item.text)]) } : undefined;
    default:
      return undefined;
  }
}

interface Leaf {
  readonly field: string;
  readonly value: string;
}

function leavesOf(args: JsonObject): readonly Leaf[] {
  const leaves = (value: JsonValue, field: string): readonly Leaf[] => {
    if (typeof value === 'string' || typeof value === 'number') return [{ field, value: String(value) }];
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([name, one]) => leaves(one, field === '' ? name : `${field}.${name}`));
  };
  return leaves(args, '');
}
