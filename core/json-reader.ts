import { exactNumber } from './exact-number.ts';
import { wellFormed } from './data-text.ts';
import type { JsonObject, JsonValue } from './json.ts';

/** Deeper nesting is refused: later steps walk values by recursion, and no real argument comes near. */
export const JSON_DEPTH_MAX = 64;

export type JsonRead =
  | { readonly ok: true; readonly value: JsonValue; /** Index behind the value. */ readonly end: number; readonly repairs: readonly string[] }
  | JsonProblem;

/** Where reading failed and why; line and column count from 1. */
export interface JsonProblem {
  readonly ok: false;
  readonly at: number;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** The text ended before the value did: more of it might have been whole. */
  readonly isCut: boolean;
}

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

interface Reader {
  readonly text: string;
  at: number;
  readonly repair: boolean;
  readonly repairs: Set<string>;
  problem?: Pick<JsonProblem, 'at' | 'message' | 'isCut'>;
}

/** In a box, since `null` is a value and `undefined` says that there is a problem. */
interface Box<T = JsonValue> {
  readonly value: T;
}

function fail(reader: Reader, message: string, at = reader.at): undefined {
  reader.problem ??= { at, message, isCut: at >= reader.text.length };
  return undefined;
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

/** Notes the repair where repairs are allowed. */
function repaired(reader: Reader, what: string): boolean {
  if (reader.repair) reader.repairs.add(what);
  return reader.repair;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'], ['\\', '\\'], ['/', '/'], ['b', '\b'], ['f', '\f'], ['n', '\n'], ['r', '\r'], ['t', '\t'],
]);
/** Escapes that Python and JSON read alike; of others the meaning in a single-quoted string is not certain. */
const SHARED_ESCAPES = '"\\bfnrtu\'';

function readString(reader: Reader): Box<string> | undefined {
  const { text } = reader;
  const start = reader.at;
  const quote = text.charAt(start);
  if (quote === "'" && !repaired(reader, 'single quotes')) return fail(reader, 'a string in single quotes: JSON wants double quotes');
  const parts: string[] = [];
  let from = start + 1;
  for (let at = from; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === quote) {
      parts.push(text.slice(from, at));
      reader.at = at + 1;
      return { value: wellFormed(parts.join('')) };
    }
    if (sign === '\\') {
      const escape = readEscape(reader, at, quote);
      if (!escape) return undefined;
      parts.push(text.slice(from, at), escape.value);
      from = escape.end;
      at = from - 1;
    } else if (sign < ' ' && !repaired(reader, 'raw control character in a string')) {
      return fail(reader, 'a line break or control character inside a string: write \\n', at);
    }
  }
  reader.problem ??= { at: start, message: 'a string that begins here is never closed', isCut: true };
  return undefined;
}

function readEscape(reader: Reader, at: number, quote: string): { readonly value: string; readonly end: number } | undefined {
  const { text } = reader;
  const sign = text.charAt(at + 1);
  if (quote === "'" && !SHARED_ESCAPES.includes(sign)) return fail(reader, `the escape \\${sign} is not certain in single quotes`, at);
  if (sign === 'u') {
    const hex = text.slice(at + 2, at + 6);
    if (!/^[0-9a-fA-F]{4}$/.test(hex)) return fail(reader, 'four hexadecimal digits should follow \\u', at);
    return { value: String.fromCharCode(parseInt(hex, 16)), end: at + 6 };
  }
  if (sign === "'" && (quote === "'" || repaired(reader, "escaped '"))) return { value: "'", end: at + 2 };
  const value = ESCAPES.get(sign);
  return value === undefined ? fail(reader, `JSON has no escape \\${sign}`, at) : { value, end: at + 2 };
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

function skipBlanks(reader: Reader): void {
  while (isBlank(reader.text.charCodeAt(reader.at))) reader.at += 1;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09 || code === 0xfeff;
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
