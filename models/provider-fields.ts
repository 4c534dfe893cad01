import { wellFormed } from '../core/data-text.ts';
import { isJsonObject, utf8Bytes } from '../core/json.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';

/** Signatures and reasoning are a few kilobytes; the fields live in history and in every later prompt. */
export const MAX_PROVIDER_BYTES = 64 * 1024;
const MAX_DEPTH = 32;

/**
 * The fields of a provider's object that the standard does not know and that must go back unchanged (reasoning_content,
 * reasoning_details, extra_content, …). A field that is empty, nests too deep or does not fit any more is left out whole:
 * a part of a signature is worth nothing.
 */
export function providerFields(source: JsonObject, known: readonly string[]): JsonObject | undefined {
  let left = MAX_PROVIDER_BYTES;
  const kept: [string, JsonValue][] = [];
  for (const [name, raw] of Object.entries(source)) {
    if (known.includes(name) || raw === null || raw === '') continue;
    const value = bounded(raw, 0);
    if (value === undefined) continue;
    const bytes = utf8Bytes(JSON.stringify({ [name]: value }));
    if (bytes > left) continue;
    left -= bytes;
    kept.push([wellFormed(name), value]);
  }
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

function bounded(value: JsonValue, depth: number): JsonValue | undefined {
  if (depth > MAX_DEPTH) return undefined;
  if (typeof value === 'string') return wellFormed(value);
  if (Array.isArray(value)) return all((value as readonly JsonValue[]).map((member) => bounded(member, depth + 1)));
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value);
  const members = all(names.map((name) => bounded(value[name] ?? null, depth + 1)));
  return members && Object.fromEntries(names.map((name, i) => [wellFormed(name), members[i] ?? null]));
}

function all(values: readonly (JsonValue | undefined)[]): readonly JsonValue[] | undefined {
  return values.every((value) => value !== undefined) ? values : undefined;
}
