import type { JsonObject, JsonValue } from '../../core/json.ts';
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

export function isSameCall(past: PastCall, { tool, args }: WantedCall): boolean {
  return past.tool === tool && Object.entries(args).every(([name, value]) => asWord(past.args[name]) === asWord(value));
}

/** An id comes back as a number where a model or a schema made one of it. */
function asWord(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
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
