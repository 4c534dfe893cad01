import { BUILT_IN } from './names.ts';
import { idWords, seenWords } from './seen-words.ts';
import type { Item, ObservationItem, PersonItem } from './transcript.ts';

/**
 * What a run may speak of: the words of its task, of what tools found and of what persons said. The model's own words
 * are never evidence, nor is what our code answered to them (a refused call repeats the id that was made up).
 */
export interface Evidence {
  /** Id-like words and numbers, in the spelling of `seenWords`. */
  readonly words: ReadonlySet<string>;
  /** The texts themselves, lower case, for names that are no id-like words (`kim`). */
  readonly texts: readonly string[];
  /** Words of ids that were looked up and not found. */
  readonly notFound: ReadonlySet<string>;
}

/** The evidence of a transcript. Words of an item are read once, however often it is asked about. */
export function evidenceOf(items: readonly Item[]): Evidence {
  const words = new Set<string>();
  const texts: string[] = [];
  for (const item of items) {
    const { words: own, text } = partOf(item);
    for (const word of own) words.add(word);
    if (text !== '') texts.push(text);
  }
  const found = foundWords(items);
  const notFound = new Set(vainWords(items).filter((word) => !found.has(word)));
  return { words, texts, notFound };
}

interface Part {
  readonly words: readonly string[];
  readonly text: string;
}

const NOTHING: Part = { words: [], text: '' };
const known = new WeakMap<Item, Part>();

function partOf(item: Item): Part {
  const before = known.get(item);
  if (before) return before;
  const part = readPart(item);
  known.set(item, part);
  return part;
}

function readPart(item: Item): Part {
  switch (item.type) {
    case 'task': return spoken([item.goal, ...item.constraints]);
    case 'person': return isHeard(item) ? spoken([item.text, item.goal ?? '', ...(item.constraints ?? [])]) : NOTHING;
    case 'observation': return isFound(item) ? { words: [...seenWords(item.text), ...item.seen], text: item.text.toLowerCase() } : NOTHING;
    case 'summary': return { words: [...item.seen, ...spoken([item.goal, ...item.constraints]).words], text: '' };
    default: return NOTHING;
  }
}

function spoken(texts: readonly string[]): Part {
  const text = texts.join('\n');
  return { words: seenWords(text), text: text.toLowerCase() };
}

function isHeard({ refused }: PersonItem): boolean {
  return refused === undefined;
}

const OWN_ACTIONS: readonly string[] = [BUILT_IN.todo, BUILT_IN.handOver, BUILT_IN.finalAnswer];

/** A result of the world or an answer of a person. `empty`, `error` and `skipped` only give the model's words back. */
function isFound({ status, tool }: ObservationItem): boolean {
  return (status === 'ok' || status === 'unknown') && !OWN_ACTIONS.includes(tool);
}

/** Words of the arguments of calls that brought nothing. */
function vainWords(items: readonly Item[]): readonly string[] {
  return callWords(items, ({ status }) => status === 'empty' || status === 'error');
}

function foundWords(items: readonly Item[]): ReadonlySet<string> {
  return new Set(callWords(items, isFound));
}

function callWords(items: readonly Item[], wanted: (observation: ObservationItem) => boolean): readonly string[] {
  const calls = new Set(items.flatMap((item) => (item.type === 'observation' && wanted(item) ? [item.call] : [])));
  return items.flatMap((item) => {
    if (item.type !== 'reply') return [];
    return item.actions.flatMap((action) =>
      action.kind === 'call' && calls.has(action.id) ? seenWords(JSON.stringify(action.args)) : [],
    );
  });
}

/** Whether an id was seen, whatever its case and the signs around it: each of its words, or else its very text. */
export function hasId({ words, texts }: Evidence, value: string): boolean {
  const own = idWords(value);
  if (own.length > 0) return own.every((word) => words.has(word));
  const phrase = value.trim().toLowerCase();
  return phrase === '' || texts.some((text) => holdsPhrase(text, phrase));
}

/** The phrase between ends of words: `ann` is not in `cannot`. */
function holdsPhrase(text: string, phrase: string): boolean {
  for (let at = text.indexOf(phrase); at !== -1; at = text.indexOf(phrase, at + 1)) {
    if (isGap(text, at - 1) && isGap(text, at + phrase.length)) return true;
  }
  return false;
}

function isGap(text: string, at: number): boolean {
  return at < 0 || at >= text.length || !/[a-z0-9\u00c0-\uffff]/.test(text.charAt(at));
}

/** Whether an amount stands in the evidence, by value: 25 and 25.00 are one. */
export function hasAmount({ words }: Evidence, amount: string): boolean {
  const own = idWords(amount);
  return own.length > 0 && own.every((word) => words.has(word));
}
