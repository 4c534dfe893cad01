import { positionText, repairedBy } from './call-arguments.ts';
import { isJsonObject } from './json.ts';
import type { JsonObject } from './json.ts';
import { readJson } from './json-reader.ts';
import { lineEnd } from './text-labels.ts';

/** The input of a text action: arguments, free text for one field, nothing, or the reason why it cannot be read whole. */
export type TextInput =
  | { readonly kind: 'arguments'; readonly args: JsonObject; readonly raw: string; readonly repaired?: string }
  /** Closed: brackets or a fence show where it ends. Else only what comes behind it can. */
  | { readonly kind: 'text'; readonly text: string; readonly raw: string; readonly isClosed: boolean }
  | { readonly kind: 'none'; readonly isClosed: boolean }
  | { readonly kind: 'problem'; readonly problem: string; readonly raw: string; /** The text ended before the input did. */ readonly isCut: boolean };

/** Signs behind a JSON value that say that it was not the whole input. */
const GOES_ON = /[ \t]*[,:{["']|\w/y;
const FENCE = '```';

/**
 * Reads what stands behind `Action Input:` (or behind a bare tool name). JSON that begins with a brace is read whole,
 * over lines, in a fence or not, and prose behind it is ignored; everything else is text, byte for byte, without the one
 * pair of quotes or the one fence that encloses all of it.
 */
export function readTextInput(text: string, repair: boolean): TextInput {
  const raw = text.trim();
  if (raw === '') return { kind: 'none', isClosed: false };
  if (raw.startsWith(FENCE)) return readFenced(raw, repair);
  if (raw.startsWith('{')) return readObject(raw, raw, repair);
  return unquoted(raw, repair) ?? { kind: 'text', text: raw, raw, isClosed: false };
}

/** Only the fence around the whole input is taken off; one inside a JSON text is a part of that text. */
function readFenced(raw: string, repair: boolean): TextInput {
  const body = raw.slice(FENCE.length).replace(/^[A-Za-z0-9_-]{0,20}[ \t]*\n?/, '');
  if (body.trimStart().startsWith('{')) return readObject(body, raw, repair);
  const close = body.lastIndexOf(FENCE);
  const isWhole = close !== -1 && body.slice(close + FENCE.length).trim() === '';
  if (!isWhole) return { kind: 'problem', problem: 'the fence around the input is not closed, or text follows it', raw, isCut: close === -1 };
  const inner = body.slice(0, close).trim();
  if (inner.includes(FENCE)) return { kind: 'problem', problem: 'there is more than one fence in the input', raw, isCut: false };
  return inner === '' ? { kind: 'none', isClosed: true } : { kind: 'text', text: inner, raw, isClosed: true };
}

function readObject(text: string, raw: string, repair: boolean): TextInput {
  const read = readJson(text, 0, { repair });
  if (!read.ok) return { kind: 'problem', problem: positionText(read), raw, isCut: read.isCut };
  if (!isJsonObject(read.value)) return { kind: 'problem', problem: 'it is not a JSON object', raw, isCut: false };
  GOES_ON.lastIndex = read.end;
  if (GOES_ON.test(text)) {
    const problem = `there is more text on the line behind the JSON object, from character ${read.end + 1} on`;
    return { kind: 'problem', problem, raw, isCut: false };
  }
  return { kind: 'arguments', args: read.value, raw: text.slice(0, read.end).trim(), ...repairedBy(read.repairs) };
}

/** The text inside the pair of quotes that encloses all of it; nothing when there is no such pair. */
function unquoted(raw: string, repair: boolean): TextInput | undefined {
  const quote = raw.charAt(0);
  if (raw.length < 2 || !'"\'`'.includes(quote) || !raw.endsWith(quote)) return undefined;
  const inner = quote === '"' ? wholeString(raw) : innerOf(raw, quote);
  if (inner === undefined) return undefined;
  if (quote === '"' && inner.trimStart().startsWith('{')) return readObject(inner, raw, repair);
  return inner === '' ? { kind: 'none', isClosed: false } : { kind: 'text', text: inner, raw, isClosed: false };
}

function wholeString(raw: string): string | undefined {
  const read = readJson(raw);
  if (read.ok) return read.end === raw.length && typeof read.value === 'string' ? read.value : undefined;
  return innerOf(raw, '"');
}

function innerOf(raw: string, quote: string): string | undefined {
  const inner = raw.slice(1, -1);
  return inner.includes(quote) ? undefined : inner;
}

const CLOSING: Readonly<Record<'[' | '(', string>> = { '[': ']', '(': ')' };
/** `name=value` and several values: which field is which would be a guess. */
const PYTHON_ARGUMENTS = /[,="'`]/;

/**
 * Reads the input of `tool[…]` or `tool(…)`, `at` being the index of the opening bracket. Brackets inside count, and so
 * do double quotes where they come in pairs.
 */
export function readBracketed(text: string, at: number, repair: boolean): TextInput {
  const open = text.charAt(at) === '(' ? '(' : '[';
  const close = CLOSING[open];
  const inside = skipBlanks(text, at + 1);
  if (text.charAt(inside) === close) return { kind: 'none', isClosed: true };
  const json = readBracketedJson(text, { inside, close, repair });
  if (json) return json;
  const end = closingIndex(text, { at, open, close, quotes: true }) ?? closingIndex(text, { at, open, close, quotes: false });
  const raw = text.slice(at + 1, end ?? text.length).trim();
  if (end === undefined) return { kind: 'problem', problem: `the bracket ${open} is never closed with ${close}`, raw, isCut: true };
  const input = readTextInput(raw, repair);
  if (open === '(' && input.kind === 'text' && input.text === raw && PYTHON_ARGUMENTS.test(raw)) {
    return { kind: 'problem', problem: 'it is not clear which field gets which value', raw, isCut: false };
  }
  return closed(input);
}

/** Brackets show where it ends. */
function closed(input: TextInput): TextInput {
  return input.kind === 'text' || input.kind === 'none' ? { ...input, isClosed: true } : input;
}

interface Inside {
  readonly inside: number;
  readonly close: string;
  readonly repair: boolean;
}

/** A JSON object or text that fills the brackets. Its own strings may hold any bracket. */
function readBracketedJson(text: string, { inside, close, repair }: Inside): TextInput | undefined {
  const sign = text.charAt(inside);
  if (sign !== '{' && sign !== '"') return undefined;
  const read = readJson(text, inside, { repair: repair && sign === '{' });
  if (!read.ok) {
    if (sign === '"') return undefined;
    const inner = readJson(text.slice(inside), 0, { repair });
    const problem = inner.ok ? '' : positionText(inner);
    return { kind: 'problem', problem, raw: text.slice(inside).trim(), isCut: read.isCut };
  }
  const end = skipBlanks(text, read.end);
  const raw = text.slice(inside, read.end);
  if (text.charAt(end) === close) return closed(readTextInput(raw, repair));
  if (sign === '"') return undefined;
  const isCut = end >= text.length;
  return { kind: 'problem', problem: `the JSON object is not followed by ${close}`, raw: text.slice(inside).trim(), isCut };
}

interface Brackets {
  readonly at: number;
  readonly open: string;
  readonly close: string;
  /** Brackets between two double quotes of one line do not count. */
  readonly quotes: boolean;
}

function closingIndex(text: string, { at, open, close, quotes }: Brackets): number | undefined {
  let depth = 0;
  let lineEndsAt = -1;
  for (let i = at; i < text.length; i += 1) {
    const sign = text.charAt(i);
    if (sign === open) depth += 1;
    else if (sign === close) {
      depth -= 1;
      if (depth === 0) return i;
    } else if (quotes && sign === '"') {
      if (lineEndsAt < i) lineEndsAt = lineEnd(text, i);
      const next = text.indexOf('"', i + 1);
      // A quote with no second one on its line is a sign like any other: 5" pipe.
      if (next !== -1 && next < lineEndsAt) i = next;
    }
  }
  return undefined;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\n'.includes(text.charAt(at))) at += 1;
  return at;
}
