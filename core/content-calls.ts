import { canonicalText } from './canonical-text.ts';
import { positionText, repairedBy } from './call-arguments.ts';
import type { ReadableTool } from './call-arguments.ts';
import { isBuiltIn, isTool, resolveName } from './call-names.ts';
import { CALL_WRAPPERS, LOOKS_LIKE_WRAPPER } from './call-wrappers.ts';
import type { CallWrapper } from './call-wrappers.ts';
import { isJsonObject } from './json.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { readJson } from './json-reader.ts';
import { lineEnd } from './text-labels.ts';

/** A call that stood as text in the content; its arguments are text again, so that one reader reads them all. */
export interface ContentCall {
  readonly name: string;
  readonly argumentsText: string;
  /** How the JSON around it was mended: good enough for a read, never for an effect. */
  readonly repaired?: string;
}

type Mended = Pick<ContentCall, 'repaired'>;

/** What the content of a reply without structured calls holds. */
export type ContentRead =
  | { readonly kind: 'calls'; /** Text before the first call. */ readonly before: string; readonly calls: readonly ContentCall[] }
  | { readonly kind: 'broken'; readonly problem: string }
  | { readonly kind: 'text' };

/** Reads calls that a server left in the text, by the table of known wrappers: all of them whole, or none. */
export function readContentCalls(text: string, tools: readonly ReadableTool[]): ContentRead {
  const first = firstWrapped(text, tools);
  if (!first) {
    return looksLikeCall(text) ? { kind: 'broken', problem: 'it looks like a call, but in no format that is known' } : { kind: 'text' };
  }
  if (isInFence(text, first)) return { kind: 'broken', problem: 'a call stands inside a code fence' };
  const calls: ContentCall[] = [];
  let end = first.start;
  for (let next: Wrapped | undefined = first; next; next = nextWrapped(text, end, tools)) {
    if (!next.read.ok) return { kind: 'broken', problem: next.read.problem };
    calls.push(...next.read.calls);
    end = next.read.end;
  }
  if (looksLikeCall(text.slice(end))) return { kind: 'broken', problem: 'behind the call there is more that looks like one' };
  return { kind: 'calls', before: text.slice(0, first.start).trim(), calls };
}

interface Wrapped {
  readonly start: number;
  readonly isUntagged: boolean;
  readonly read:
    | { readonly ok: true; readonly calls: readonly ContentCall[]; readonly end: number }
    | { readonly ok: false; readonly problem: string; /** How far the JSON could be read. */ readonly end: number; readonly isCut: boolean };
}

/**
 * The first known wrapper at the start of a line. Where JSON without a tag is no call, the search goes on behind it: a
 * call inside it would be a part of something else.
 */
function firstWrapped(text: string, tools: readonly ReadableTool[]): Wrapped | undefined {
  for (let line = 0; line < text.length; ) {
    const start = skipIndent(text, line);
    const found = wrappedAt(text, start);
    if (found && isCall(text, found, tools)) return found;
    line = lineEnd(text, Math.max(start, found?.read.end ?? 0)) + 1;
  }
  return undefined;
}

function skipIndent(text: string, from: number): number {
  let at = from;
  while (text.charAt(at) === ' ' || text.charAt(at) === '\t') at += 1;
  return at;
}

/** A further call right behind the last one. */
function nextWrapped(text: string, end: number, tools: readonly ReadableTool[]): Wrapped | undefined {
  const next = wrappedAt(text, skipBetween(text, end));
  return next && isCall(text, next, tools) ? next : undefined;
}

function skipBetween(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\n,;'.includes(text.charAt(at))) at += 1;
  return at;
}

function wrappedAt(text: string, start: number): Wrapped | undefined {
  for (const wrapper of CALL_WRAPPERS) {
    wrapper.open.lastIndex = start;
    const open = wrapper.open.exec(text);
    if (!open) continue;
    const read = readBody(text, { wrapper, at: start + open[0].length, name: open[1] });
    return { start, isUntagged: wrapper.isUntagged ?? false, read };
  }
  return undefined;
}

/**
 * Without a tag it is a call only when it says so in every way: whole, nothing behind it, known names. JSON that the text
 * cuts off is no answer either: it counts, as a call that cannot be read.
 */
function isCall(text: string, { isUntagged, read }: Wrapped, tools: readonly ReadableTool[]): boolean {
  if (!isUntagged) return true;
  if (!read.ok) return read.isCut;
  if (text.slice(read.end).trim() !== '') return false;
  return read.calls.every(({ name }) => {
    const resolved = resolveName(name, tools);
    return isTool(resolved, tools) || isBuiltIn(resolved);
  });
}

interface Body {
  readonly wrapper: CallWrapper;
  readonly at: number;
  readonly name: string | undefined;
}

function readBody(text: string, { wrapper, at, name }: Body): Wrapped['read'] {
  // From its own start: the position that is told is the JSON's, and finding it does not count the lines of all before.
  const json = readJson(text.slice(at), 0, { repair: true });
  if (!json.ok) return { ok: false, problem: positionText(json), end: at + json.at, isCut: json.isCut };
  const jsonEnd = at + json.end;
  wrapper.close.lastIndex = jsonEnd;
  const close = wrapper.close.exec(text);
  if (!close && text.slice(jsonEnd).trim() !== '') return { ok: false, problem: 'the tag that closes the call is missing', end: jsonEnd, isCut: false };
  const end = jsonEnd + (close?.[0].length ?? 0);
  if (wrapper.body === 'arguments') {
    const call = { name: name ?? '', argumentsText: text.slice(at, jsonEnd) };
    return { ok: true, calls: [call], end };
  }
  const calls = callsIn(json.value, repairedBy(json.repairs));
  return calls ? { ok: true, calls, end } : { ok: false, problem: 'a call needs "name" and "arguments"', end, isCut: false };
}

/** One call, or a list of them; nothing when a part is no call. */
function callsIn(value: JsonValue, mended: Mended): readonly ContentCall[] | undefined {
  const values = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
  const calls = values.map((item) => callIn(item, mended)).filter((call) => call !== undefined);
  return calls.length === values.length && calls.length > 0 ? calls : undefined;
}

function callIn(value: JsonValue, mended: Mended): ContentCall | undefined {
  if (!isJsonObject(value)) return undefined;
  const call = isJsonObject(value.function) ? value.function : value;
  const name = call.name ?? call.tool_name;
  const args = argumentsIn(call);
  if (typeof name !== 'string' || args === undefined) return undefined;
  return { name, argumentsText: canonicalText(args), ...mended };
}

function argumentsIn(call: JsonObject): JsonValue | undefined {
  const args = Object.hasOwn(call, 'arguments') ? call.arguments : call.parameters;
  return args === null || typeof args === 'string' || isJsonObject(args) ? args : undefined;
}

/** A call inside a fence may be an example; the row that is itself a fence starts with its mark. */
function isInFence(text: string, { start, isUntagged }: Wrapped): boolean {
  if (isUntagged) return false;
  return [...text.slice(0, start).matchAll(/^[ \t]{0,40}```/gm)].length % 2 === 1;
}

const CALL_KEY = /"(?:tool_calls?|function_call|tool_name|tool_input|action_input|tool_uses|recipient_name)"\s{0,20}:/;
const NAME_KEY = /"(?:name|tool|function|action)"\s{0,20}:/;
const ARGUMENTS_KEY = /"(?:arguments|parameters|args|input)"\s{0,20}:/;
const JSON_LINE = /^[ \t]{0,40}(?:```[a-z_]{0,20}[ \t]{0,20}\n\s{0,40})?[[{]/im;

/** JSON with the keys of a call, whole or broken, or a tag of some wrapper at the start of a line. */
function looksLikeCall(text: string): boolean {
  if (LOOKS_LIKE_WRAPPER.test(text)) return true;
  return JSON_LINE.test(text) && (CALL_KEY.test(text) || (NAME_KEY.test(text) && ARGUMENTS_KEY.test(text)));
}
