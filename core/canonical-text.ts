import { canonicalJson, isJsonObject } from './json.ts';
import type { JsonValue } from './json.ts';
import { readJson } from './json-reader.ts';

/** `canonicalJson` without lone surrogates, which JSON.stringify writes as escapes that strict servers refuse. */
export function canonicalText(value: JsonValue): string {
  const text = canonicalJson(value);
  if (!text.includes('\\ud')) return text;
  // In JSON text every backslash starts an escape, so taking them one by one never takes `\\ud800` for a surrogate.
  return text.replace(/\\(?:ud[89a-f][0-9a-f]{2}|[^])/g, (escape) => (escape.length === 6 ? '\ufffd' : escape));
}

/** The canonical text of what a model wrote as arguments; `{}` when it is not one whole JSON object. */
export function jsonObjectText(raw: string): string {
  const read = readJson(raw);
  if (!read.ok || !isJsonObject(read.value) || raw.slice(read.end).trim() !== '') return '{}';
  return canonicalText(read.value);
}
