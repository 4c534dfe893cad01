import { wellFormed } from './data-text.ts';
import { fail, repaired } from './json-cursor.ts';
import type { Box, Reader } from './json-cursor.ts';

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'], ['\\', '\\'], ['/', '/'], ['b', '\b'], ['f', '\f'], ['n', '\n'], ['r', '\r'], ['t', '\t'],
]);
/** Escapes that Python and JSON read alike; of others the meaning in a single-quoted string is not certain. */
const SHARED_ESCAPES = '"\\bfnrtu\'';

/** A string in double quotes; in single ones, as Python writes it, where repairs are allowed. */
export function readString(reader: Reader): Box<string> | undefined {
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
