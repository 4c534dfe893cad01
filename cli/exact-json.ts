import { canonicalJson, type JsonObject } from '../core/json.ts';

/**
 * Arguments as they will run, byte for byte: the canonical JSON that a decision is bound to. What could make a terminal
 * show something else than is there stands in JSON's own escape, which means the same.
 */
export function exactJson(args: JsonObject): string {
  return canonicalJson(args).replace(MISLEADING, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

// Controls, line separators, and signs that are invisible or turn the direction of reading (https://trojansource.codes).
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const MISLEADING = /[\u0000-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
