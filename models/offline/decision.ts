import type { JsonObject } from '../../core/json.ts';
import { BUILT_IN } from '../../core/names.ts';
import type { OfferedTool } from './offered-tools.ts';
import type { PastCall } from './past-calls.ts';
import type { View } from './view.ts';

/** What the rules decide: calls, or the answer. The thought says on which grounds. */
export type Decision =
  | { readonly thought: string; readonly calls: readonly WantedCall[] }
  | { readonly thought: string; readonly answer: string };

export interface WantedCall {
  readonly tool: string;
  readonly args: JsonObject;
}

/** A set of rules for one kind of task; `undefined` leaves it to the next. */
export type Skill = (view: View) => Decision | undefined;

/** What is known of a call: it is still to be made, or this came of it. */
export type Known = { readonly call: WantedCall } | { readonly ok: boolean; readonly status: string; readonly text: string };

/** Attempts of a call whose failure says that a later one may go better. */
const ATTEMPTS = 2;
const TRY_AGAIN = /try again|again later|unavailable|timed out|time-out|temporar/i;
const ELIDED = /^Elided to save space; recall /;

/**
 * What this call gave, or the call that is next: itself, a second try when the failure asks for one, or `recall` when
 * its result was elided, or cut before what is needed (`isEnough` says what that is).
 */
export function want(view: View, call: WantedCall, isEnough: (text: string) => boolean = () => true): Known {
  const made = view.past.filter((past) => isSameCall(past, call));
  const last = made.findLast(({ status }) => status === 'ok' || status === 'empty') ?? made.at(-1);
  if (!last) return { call };
  if (last.status === 'error' && TRY_AGAIN.test(last.text) && made.length < ATTEMPTS) return { call };
  const isWhole = !ELIDED.test(last.text) && (isEnough(last.text) || !/\brecall\b/.test(last.text));
  if (isWhole || last.id === '' || !offered(view, BUILT_IN.recall)) return known(last, last.text);
  const recalled = view.past.findLast(({ tool, args }) => tool === BUILT_IN.recall && args.id === last.id);
  if (!recalled) return { call: { tool: BUILT_IN.recall, args: { id: last.id } } };
  return known(last, `${recalled.text}\n${last.text}`);
}

function known({ status }: PastCall, text: string): Known {
  return { ok: status === 'ok', status, text };
}

function isSameCall(past: PastCall, { tool, args }: WantedCall): boolean {
  return past.tool === tool && Object.entries(args).every(([name, value]) => String(past.args[name]) === String(value));
}

export function offered(view: View, name: string): OfferedTool | undefined {
  return view.tools.find((tool) => tool.name === name);
}

/** The first tool whose name says that it does this. */
export function toolFor(view: View, names: RegExp): OfferedTool | undefined {
  const own = view.tools.filter(({ name }) => !LOOP_ACTIONS.includes(name));
  return own.find(({ name }) => names.test(name));
}

export const LOOP_ACTIONS: readonly string[] = Object.values(BUILT_IN);

/** The call of a tool with one argument that matters, as the type that its schema asks for. */
export function callWith(tool: OfferedTool, value: string, preferred: RegExp = /^/): WantedCall {
  const names = tool.required.length > 0 ? tool.required : Object.keys(tool.fields);
  const field = names.find((name) => preferred.test(name)) ?? names[0] ?? 'input';
  return { tool: tool.name, args: { [field]: typed(tool, field, value) } };
}

/** A value as the schema of its field wants it. */
export function typed(tool: OfferedTool, field: string, value: string): string | number {
  const type = tool.fields[field]?.type;
  const number = Number(value);
  return (type === 'number' || type === 'integer') && value.trim() !== '' && Number.isFinite(number) ? number : value;
}

/** Independent calls go out together where the form allows it; the text form takes one action a reply. */
export function decideCalls(view: View, thought: string, calls: readonly WantedCall[]): Decision {
  const different = calls.filter((call, i) => calls.findIndex((other) => JSON.stringify(other) === JSON.stringify(call)) === i);
  return { thought, calls: different.slice(0, view.form === 'text' ? 1 : 16) };
}

/** Gives the run to a person where that is possible; else says so in the answer. */
export function handOver(view: View, thought: string, reason: string): Decision {
  const tool = offered(view, BUILT_IN.handOver);
  return tool ? { thought, calls: [{ tool: tool.name, args: { reason } }] } : { thought, answer: reason };
}
