import { isJsonObject } from './json.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { phrase } from './phrase.ts';
import { otherNames, plainNumber, seenWords } from './seen-words.ts';

/**
 * What a call asked with. A result that only gives it back says nothing about the world: a model that makes up an id, and
 * searches for it, would otherwise have "seen" it.
 */
export interface Asked {
  readonly words: ReadonlySet<string>;
  /** Whole texts of the arguments as phrases, for names that are no id-like words. */
  readonly phrases: readonly string[];
}

export const ASKED_NOTHING: Asked = { words: new Set(), phrases: [] };

/** Numbers in such fields are how much is wanted, not what is asked for: a fee of 25 is no echo of `limit: 25`. */
const AMOUNT_WANTED = /(?:limit|page|offset|size|skip|top|count|depth|lines|days|weeks|months|years?|hours|minutes|percent|rate|qty|quantity)$/i;
/** Shorter numbers stand in too many names: `item-50` is no echo of a 50. */
const TELLING_CHARS = 4;
const NAME_CHARS = 200;

const known = new WeakMap<JsonObject, Asked>();

/** Arguments never change, so they are read once, however many turns ask. */
export function askedWith(args: JsonObject): Asked {
  const before = known.get(args);
  if (before) return before;
  const values = valuesIn('', args);
  const words = new Set(values.flatMap(wordsOf));
  const phrases = values.flatMap((value) => (typeof value === 'string' && value.length <= NAME_CHARS ? [phrase(value)] : []));
  const asked = { words, phrases: [...new Set(phrases)].filter((text) => text !== '') };
  known.set(args, asked);
  return asked;
}

/**
 * Whether a word of a result is only what the call asked with: it, or the number behind its prefix (`INV-9999` for 9999),
 * stands in the arguments, and no name of it was known before.
 */
export function isEcho(word: string, { words }: Asked, isKnown: (word: string) => boolean): boolean {
  if (words.size === 0) return false;
  const names = otherNames(word);
  const [, number = ''] = /^[a-z]+[-_/.]?(\d+)$/.exec(word) ?? [];
  const isAsked = words.has(word) || (number.length >= TELLING_CHARS && words.has(number));
  return isAsked && !isKnown(word) && !names.some(isKnown);
}

/** `999-0` is one word of a text; in arguments its numbers count for themselves, or arithmetic would hide them. */
function wordsOf(value: string | number): readonly string[] {
  const text = String(value);
  const numbers = text.match(/\d(?:[\d.,]*\d)?/g) ?? [];
  return [...seenWords(text, Number.POSITIVE_INFINITY), ...numbers.map((number) => plainNumber(number) ?? number)];
}

function valuesIn(field: string, value: JsonValue): readonly (string | number)[] {
  if (typeof value === 'string') return isPlain(value) && AMOUNT_WANTED.test(field) ? [] : [value];
  if (typeof value === 'number') return AMOUNT_WANTED.test(field) ? [] : [value];
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap((one) => valuesIn(field, one));
  return isJsonObject(value) ? Object.entries(value).flatMap(([name, one]) => valuesIn(name, one)) : [];
}

function isPlain(text: string): boolean {
  return /^\s*\d{1,9}\s*$/.test(text);
}
