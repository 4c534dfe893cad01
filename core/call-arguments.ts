import type { ToolFacts } from './agent.ts';
import { isJsonObject } from './json.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { readJson } from './json-reader.ts';
import type { JsonRead } from './json-reader.ts';
import { BUILT_IN } from './names.ts';

/** What of a tool a reader needs to know. */
export type ReadableTool = Pick<ToolFacts, 'name' | 'effect' | 'schema'>;

/** Arguments as read: a whole object, or why there is none. */
export type ArgumentsRead =
  | { readonly ok: true; readonly args: JsonObject; readonly repaired?: string }
  | { readonly ok: false; readonly problem: string };

/** How often JSON may stand as a string inside JSON: some servers encode arguments twice. */
const ENCODINGS_MAX = 2;

/** Whether odd JSON may be mended for this tool: what a call with an effect does must never rest on a guess. */
export function mayRepair(name: string, tools: readonly ReadableTool[]): boolean {
  const tool = tools.find((other) => other.name === name);
  return tool ? tool.effect === 'read' : name === BUILT_IN.recall;
}

/**
 * The arguments of a structured call: one whole JSON object and nothing behind it. Empty text and `null`, which servers
 * send for functions without parameters, are an empty object; an object that stands encoded in a string is that object.
 */
export function readArguments(text: string, repair: boolean): ArgumentsRead {
  return text.trim() === '' ? { ok: true, args: {} } : readEncoded(text, repair, ENCODINGS_MAX);
}

function readEncoded(text: string, repair: boolean, encodings: number): ArgumentsRead {
  const read = readJson(text, 0, { repair });
  if (!read.ok) return { ok: false, problem: positionText(read) };
  if (text.slice(read.end).trim() !== '') {
    return { ok: false, problem: `there is more text behind the JSON value, from character ${read.end + 1} on` };
  }
  return asArguments(read.value, { repair, encodings, repairs: read.repairs });
}

interface Encoded {
  readonly repair: boolean;
  readonly encodings: number;
  readonly repairs: readonly string[];
}

function asArguments(value: JsonValue, { repair, encodings, repairs }: Encoded): ArgumentsRead {
  if (value === null) return { ok: true, args: {} };
  if (isJsonObject(value)) return { ok: true, args: value, ...repairedBy(repairs) };
  if (typeof value === 'string' && encodings > 1) {
    if (value.trim() === '') return { ok: true, args: {} };
    const inner = readEncoded(value, repair, encodings - 1);
    return inner.ok ? { ...inner, ...repairedBy([...repairs, ...(inner.repaired ? [inner.repaired] : [])]) } : inner;
  }
  return { ok: false, problem: `they are ${kindOf(value)}, not an object` };
}

export function repairedBy(repairs: readonly string[]): { readonly repaired?: string } {
  return repairs.length === 0 ? {} : { repaired: [...new Set(repairs)].join(', ') };
}

/** Where JSON could not be read, for the model. */
export function positionText({ message, line, column }: Extract<JsonRead, { ok: false }>): string {
  return `${message} (line ${line}, column ${column})`;
}

function kindOf(value: JsonValue): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'string' ? 'a text' : `a ${typeof value}`;
}
