import type { JsonValue } from './json.ts';

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

/** A place in a text, what was mended on the way there, and the first problem. */
export interface Reader {
  readonly text: string;
  at: number;
  readonly repair: boolean;
  readonly repairs: Set<string>;
  problem?: Pick<JsonProblem, 'at' | 'message' | 'isCut'>;
}

/** In a box, since `null` is a value and `undefined` says that there is a problem. */
export interface Box<T = JsonValue> {
  readonly value: T;
}

/** Keeps the first problem: what follows from it is none of its own. */
export function fail(reader: Reader, message: string, at = reader.at): undefined {
  reader.problem ??= { at, message, isCut: at >= reader.text.length };
  return undefined;
}

/** Notes the repair where repairs are allowed. */
export function repaired(reader: Reader, what: string): boolean {
  if (reader.repair) reader.repairs.add(what);
  return reader.repair;
}

export function skipBlanks(reader: Reader): void {
  while (isBlank(reader.text.charCodeAt(reader.at))) reader.at += 1;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09 || code === 0xfeff;
}
