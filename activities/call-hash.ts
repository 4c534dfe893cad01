import { createHash } from 'node:crypto';
import { canonicalJson } from '../core/json.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';

/**
 * sha256 of a call's identity. The order of keys, white space around and between words, full-width or invisible signs, and of ids the case and a `#` in
 * front do not make it another call; the arguments that run stay as they were given.
 */
export function callHash(tool: string, args: JsonObject, ids: Readonly<Record<string, string>>): string {
  const plain = Object.fromEntries(
    Object.entries(args).map(([field, value]) => [field, normal(value, Object.hasOwn(ids, field))]),
  );
  return sha256(`${tool}\n${canonicalJson(plain)}`);
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Signs that are not seen: the same id with one in it is the same id. */
const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;

function normal(value: JsonValue, isId: boolean): JsonValue {
  if (typeof value === 'string') {
    const text = value.normalize('NFKC').replace(INVISIBLE, '').trim().replace(/\s+/g, ' ');
    return isId ? text.replace(/^#\s?/, '').toLowerCase() : text;
  }
  if (Array.isArray(value)) return value.map((one: JsonValue) => normal(one, isId));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([field, one]) => [field, normal(one, isId)]));
}
