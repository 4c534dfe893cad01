import { exactNumber } from './exact-number.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { fail, repaired, skipBlanks } from './json-cursor.ts';
import type { Box, JsonProblem, Reader } from './json-cursor.ts';
import { readString } from './json-string.ts';

export type { JsonProblem } from './json-cursor.ts';

/** Deeper nesting is refused: later steps walk values by recursion, and no real argument comes near. */
export const JSON_DEPTH_MAX = 64;

export type JsonRead =
  | { readonly ok: true; readonly value: JsonValue; /** Index behind the value. */ readonly end: number; readonly repairs: readonly string[] }
  | JsonProblem;

export interface JsonReadOptions {
  /**
   * Accept what is no JSON but has one certain meaning: a trailing comma, Python's True/False/None, single quotes, a raw
   * line break inside a string. Each kind is reported in `repairs`.
   */
  readonly repair?: boolean;
}

/**
 * Reads one JSON value that begins at `start` (white space before it is skipped) and stops behind it. Whole or nothing:
 * a value that cannot be read to its end is a problem with its position, never a part of it. Nothing is rounded: a number
 * that a double cannot hold comes back as the text of its digits (see `exactNumber`). Keys such as `__proto__` are plain
 * own properties. A key that comes twice is a problem, since nobody can say which value was meant. A lone surrogate
 * becomes U+FFFD. Linear, bounded in depth, never throws.
 */
export function readJson(text: string, start = 0, options: JsonReadOptions = {}): JsonRead {
  const reader: Reader = { text, at: start, repair: options.repair ?? false, repairs: new Set() };
  const read = readValue(reader, 0);
  if (read !== undefined) return { ok: true, value: read.value, end: reader.at, repairs: [...reader.repairs] };
  const { at, message, isCut } = reader.problem ?? { at: start, message: 'no JSON value', isCut: false };
  return { ok: false, at, ...lineAndColumn(text, at), message, isCut };
}

function readValue(reader: Reader, depth: number): Box | undefined {
  skipBlanks(reader);
  const sign = reader.text.charAt(reader.at);
  if (sign === '') return fail(reader, 'the text ends where a value should be');
  if ((sign === '{' || sign === '[') && depth >= JSON_DEPTH_MAX) {
    return fail(reader, `nested deeper than ${JSON_DEPTH_MAX} levels`);
  }
  if (sign === '{') return readObject(reader, depth + 1);
  if (sign === '[') return readArray(reader, depth + 1);
  if (sign === '"' || sign === "'") return readString(reader);
  return readNumber(reader) ?? readWord(reader);
}

function readObject(reader: Reader, depth: number): Box<JsonObject> | undefined {
  const members = new Map<string, JsonValue>();
  reader.at += 1;
  for (let isFirst = true; ; isFirst = false) {
    const more = nextElement(reader, '}', isFirst);
    // fromEntries defines own properties, also for `__proto__`; an assignment would set the prototype.
    if (more === 'end') return { value: Object.fromEntries(members) };
    if (more === undefined) return undefined;
    const keyAt = reader.at;
    const key = readKey(reader);
    if (!key) return undefined;
    if (members.has(key.value)) return fail(reader, `the key ${JSON.stringify(key.value)} comes twice`, keyAt);
    const member = readValue(reader, depth);
    if (!member) return undefined;
    members.set(key.value, member.value);
  }
}

function readKey(reader: Reader): Box<string> | undefined {
  const sign = reader.text.charAt(reader.at);
  if (sign !== '"' && sign !== "'") return fail(reader, 'a key in double quotes should be here');
  const key = readString(reader);
  if (!key) return undefined;
  skipBlanks(reader);
  if (reader.text.charAt(reader.at) !== ':') return fail(reader, 'a colon should be here');
  reader.at += 1;
  return key;
}

function readArray(reader: Reader, depth: number): Box<readonly JsonValue[]> | undefined {
  const values: JsonValue[] = [];
  reader.at += 1;
  for (let isFirst = true; ; isFirst = false) {
    const more = nextElement(reader, ']', isFirst);
    if (more === 'end') return { value: values };
    if (more === undefined) return undefined;
    const element = readValue(reader, depth);
    if (!element) return undefined;
    values.push(element.value);
  }
}

/** Steps over the comma between elements, or over the closing bracket. */
function nextElement(reader: Reader, close: string, isFirst: boolean): 'element' | 'end' | undefined {
  skipBlanks(reader);
  if (reader.text.charAt(reader.at) === close) return closed(reader);
  if (isFirst) return 'element';
  if (reader.text.charAt(reader.at) !== ',') return fail(reader, `a comma or ${close} should be here`);
  const commaAt = reader.at;
  reader.at += 1;
  skipBlanks(reader);
  if (reader.text.charAt(reader.at) !== close) return 'element';
  if (!repaired(reader, 'trailing comma')) return fail(reader, 'a comma before the closing bracket', commaAt);
  return closed(reader);
}

function closed(reader: Reader): 'end' {
  reader.at += 1;
  return 'end';
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Nothing, and no problem, when there is no number here. */
function readNumber(reader: Reader): Box<number | string> | undefined {
  NUMBER.lastIndex = reader.at;
  const match = NUMBER.exec(reader.text);
  if (!match) return undefined;
  const end = reader.at + match[0].length;
  // `007`, `1.`, `12abc`, `2024-02-29`: the digits at the start are not what was meant.
  if (/[\w.+-]/.test(reader.text.charAt(end))) return undefined;
  reader.at = end;
  return { value: exactNumber(match[0]) };
}

const WORDS: ReadonlyMap<string, boolean | null> = new Map([['true', true], ['false', false], ['null', null]]);
const PYTHON_WORDS: ReadonlyMap<string, boolean | null> = new Map([['True', true], ['False', false], ['None', null]]);
const WORD = /[\w.+-]{1,40}/y;

function readWord(reader: Reader): Box<boolean | null> | undefined {
  WORD.lastIndex = reader.at;
  const word = WORD.exec(reader.text)?.[0] ?? '';
  const value = WORDS.get(word);
  if (value !== undefined) {
    reader.at += word.length;
    return { value };
  }
  const python = PYTHON_WORDS.get(word);
  if (python !== undefined && repaired(reader, 'Python literal')) {
    reader.at += word.length;
    return { value: python };
  }
  return fail(reader, `no JSON value begins with ${JSON.stringify(word || reader.text.charAt(reader.at))}`);
}

function lineAndColumn(text: string, at: number): { readonly line: number; readonly column: number } {
  let line = 1;
  let lineStart = 0;
  for (let next = text.indexOf('\n'); next !== -1 && next < at; next = text.indexOf('\n', next + 1)) {
    line += 1;
    lineStart = next + 1;
  }
  return { line, column: at - lineStart + 1 };
}
