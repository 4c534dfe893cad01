import type { JsonObject, JsonValue } from '../../core/json.ts';
import type { HeldView } from '../../core/run.ts';
import { phrase } from '../../core/phrase.ts';
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
export function evidenceLinks({ call, args, checks }: Pick<HeldView, 'call' | 'args' | 'checks'>, entries: readonly TraceEntry[]): readonly EvidenceLink[] {
  const sources = sourcesOf(entries, call);
  const named = new Set(checks?.ids.map(({ field }) => field));
  return leavesOf(args)
    .filter(({ field, value }) => idWords(value).length > 0 || named.has(field.split('.')[0] ?? ''))
    .slice(0, MAX_FIELDS)
    .map(({ field, value }) => ({ field, value, places: sources.filter((source) => tellsOf(source, value)).map(({ place }) => place).slice(0, MAX_PLACES) }));
}

/** A name without digits (`kim`) is no word of the evidence's: it stands in a text as it is. */
function tellsOf({ words, text }: Source, value: string): boolean {
  const own = idWords(value);
  return own.length > 0 ? own.every((word) => words.has(word)) : text.includes(phrase(value));
}

interface Source {
  readonly place: Place;
  readonly words: ReadonlySet<string>;
  readonly text: string;
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
      return said({ of: 'task' }, [item.goal, ...item.constraints].join('\n'));
    case 'person':
      return item.refused === undefined ? said({ of: 'person', name: item.by.name }, `${item.text}\n${item.goal ?? ''}`) : undefined;
    case 'observation':
      return item.status === 'ok' ? said({ of: 'observation', call: item.call, tool: item.tool }, item.text, item.seen) : undefined;
    default:
      return undefined;
  }
}

/** `seen` are words of the part that was cut off. */
function said(place: Place, text: string, seen: readonly string[] = []): Source {
  return { place, words: new Set([...seen, ...seenWords(text)]), text: phrase(text) };
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
