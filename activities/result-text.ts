import { wellFormed } from '../core/data-text.ts';

export type ResultText =
  | { readonly kind: 'text'; readonly text: string }
  /** Nothing was found: undefined, null, white space, an empty list or object. */
  | { readonly kind: 'empty' }
  /** It has no text; the phrase says why. */
  | { readonly kind: 'problem'; readonly problem: string };

/** A larger result is a mistake of the tool: nobody reads it, and it would be hashed, searched and stored whole. */
export const RESULT_CHARS_MAX = 5_000_000;
const EMPTY: ReadonlySet<string> = new Set(['', '[]', '{}', 'null', '""']);

/**
 * The text of anything that a tool returns; the only place where results become text. Strings stay as they are, all
 * else becomes JSON: a bigint its digits, a date its ISO text, a Map an object or a list of pairs, a Set a list, an
 * Error its message, bytes their number; `undefined` is left out, NaN is null. Never throws, never `[object Object]`.
 */
export function resultText(value: unknown): ResultText {
  const written = rawText(value);
  if (written.kind !== 'text') return written;
  if (written.text.length > RESULT_CHARS_MAX) {
    return { kind: 'problem', problem: `its result has ${written.text.length} characters, more than ${RESULT_CHARS_MAX}; ask for less at a time` };
  }
  const text = wellFormed(written.text);
  return EMPTY.has(text.trim()) ? { kind: 'empty' } : { kind: 'text', text };
}

function rawText(value: unknown): ResultText {
  if (typeof value === 'string') return { kind: 'text', text: value };
  if (value === undefined || value === null) return { kind: 'empty' };
  if (typeof value === 'function' || typeof value === 'symbol') return { kind: 'problem', problem: `its result is a ${typeof value}, which has no text` };
  try {
    const plain = plainValue(value);
    const text = typeof plain === 'string' ? plain : JSON.stringify(plain, replace);
    return text === undefined ? { kind: 'empty' } : { kind: 'text', text };
  } catch (error) {
    return { kind: 'problem', problem: `its result cannot be written as text: ${reason(error)}` };
  }
}

/** Called by JSON.stringify with the holder as `this`; the holder has the value as it was before its `toJSON`. */
function replace(this: unknown, key: string, value: unknown): unknown {
  const before: unknown = typeof this === 'object' && this !== null ? Reflect.get(this, key) : value;
  return before instanceof Uint8Array ? plainValue(before) : plainValue(value);
}

function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Error) return value.message || value.name;
  if (value instanceof Uint8Array) return `(${value.byteLength} bytes)`;
  if (value instanceof Set) return [...value];
  if (value instanceof Map) {
    const entries = [...value];
    return entries.every(([key]) => typeof key === 'string') ? Object.fromEntries(entries) : entries;
  }
  return value instanceof RegExp ? value.toString() : value;
}

function reason(error: unknown): string {
  if (error instanceof RangeError) return 'it contains itself, or is nested too deep';
  const message = error instanceof Error ? error.message : String(error);
  return message.includes('circular') ? 'it contains itself' : message.split('\n', 1)[0] ?? message;
}
