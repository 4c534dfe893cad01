import { builtInAction } from './built-in-actions.ts';
import { mayRepair, readArguments } from './call-arguments.ts';
import type { ReadableTool } from './call-arguments.ts';
import { isBuiltIn, isTool, resolveName } from './call-names.ts';
import { END_TOKENS } from './call-wrappers.ts';
import { readContentCalls } from './content-calls.ts';
import type { ContentCall } from './content-calls.ts';
import { canonicalText } from './canonical-text.ts';
import {
  cutReply, emptyReply, formatProblem, refusedReply, unclosedReasoning, unknownWrapper, unreadableInput, withheldReply,
} from './format-problem.ts';
import { isJsonObject } from './json.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { setAsideReasoning } from './reasoning-blocks.ts';
import type { ModelReply, RawCall, ReadAction, ReadReply } from './reply.ts';
import { inventedNote, only, plainText, readSpoken, thoughtNotes } from './text-form.ts';
import { thoughtBeside } from './text-beside-calls.ts';
import { labelsOf } from './text-labels.ts';
import type { ReplyNote } from './transcript.ts';

/** A vendor's wrapper for several calls at once, which models call as if it were a function. */
const PARALLEL = 'multi_tool_use.parallel';
/** More calls than this in one reply are a mistake, not a plan; answering each would fill the run's state. */
const CALLS_MAX = 64;

/**
 * Reads a function-calling reply: the structured calls in the model's order, the content beside them as the thought; or,
 * without calls, calls that the server left in the content, or the answer. Each call is read whole or is a format
 * problem; the provider's ids play no part. Linear, never throws.
 */
export function readFunctionReply(reply: ModelReply, tools: readonly ReadableTool[]): ReadReply {
  if (reply.refusal?.trim()) return only(refusedReply(reply.refusal));
  if (reply.finish === 'filter') return only(withheldReply(reply.text));
  const text = withoutEndTokens(plainText(reply.text));
  const spoken = setAsideReasoning(text);
  const reading: Reading = { tools, isCutOff: reply.finish === 'length' };
  if (reply.calls.length > 0) return readCalls(reply.calls, spoken.isUnclosed ? '' : spoken.text, reading);
  if (spoken.isUnclosed) return only(unclosedReasoning());
  return readContent(spoken.text.trim(), reading);
}

interface Reading {
  readonly tools: readonly ReadableTool[];
  readonly isCutOff: boolean;
}

function withoutEndTokens(text: string): string {
  let rest = text;
  for (;;) {
    const end = rest.trimEnd();
    const token = END_TOKENS.find((other) => end.endsWith(other));
    if (token === undefined) return rest;
    rest = end.slice(0, -token.length);
  }
}

function readCalls(calls: readonly RawCall[], content: string, reading: Reading): ReadReply {
  if (calls.length > CALLS_MAX) return only(tooMany(calls.length));
  const last = calls.length - 1;
  const actions = calls.flatMap((call, i) => readCall(call, { ...reading, isCutOff: reading.isCutOff && i === last }));
  if (actions.length > CALLS_MAX) return only(tooMany(actions.length));
  const { thought, answers, inventedChars } = thoughtBeside(content);
  const answered = answers ? [answerNote()] : [];
  const invented = inventedChars > 0 ? [inventedNote(inventedChars)] : [];
  const notes = [...invented, ...answered, ...thoughtNotes(actions, thought)];
  return { ...(thought === '' ? {} : { thought }), actions, notes };
}

function answerNote(): ReplyNote {
  return { kind: 'answer_with_calls', text: 'The text beside the calls looks like an answer; it was kept as the thought.' };
}

function tooMany(count: number): ReadAction {
  return formatProblem(`${count} calls in one reply are too many; none was run. Make at most 16 a turn.`, '');
}

/** One structured call as an action; several where it is the wrapper for parallel calls. */
function readCall(call: RawCall, reading: Reading): readonly ReadAction[] {
  const { tools } = reading;
  const provider = call.provider ? { provider: call.provider } : {};
  const name = resolveName(call.name, tools);
  const inner = isTool(name, tools) ? undefined : parallelCalls(name, call, reading);
  if (!inner) return [{ ...readNamed(name, call.argumentsText, reading), ...provider }];
  return inner.map((action, i) => (i === 0 ? { ...action, ...provider } : action));
}

/** The calls inside the wrapper, each under the rules of any call; nothing when it is no wrapper or not whole. */
function parallelCalls(name: string, { argumentsText }: RawCall, { tools }: Reading): readonly ReadAction[] | undefined {
  if (name !== PARALLEL && name !== `functions.${PARALLEL}`) return undefined;
  const read = readArguments(argumentsText, false);
  const uses = read.ok ? read.args.tool_uses : undefined;
  if (!Array.isArray(uses) || uses.length === 0) return undefined;
  const calls = (uses as readonly JsonValue[]).map((use) => (isJsonObject(use) ? useOf(use) : undefined));
  if (calls.some((call) => call === undefined)) return undefined;
  return calls.flatMap((call) => (call ? [readNamed(resolveName(call.name, tools), call.argumentsText, { tools, isCutOff: false })] : []));
}

function useOf({ recipient_name: name, parameters = {} }: JsonObject): ContentCall | undefined {
  return typeof name === 'string' ? { name, argumentsText: canonicalText(parameters) } : undefined;
}

function readNamed(name: string, argumentsText: string, { tools, isCutOff }: Reading): ReadAction {
  const isKnown = isTool(name, tools);
  const isNamed = isKnown || isBuiltIn(name);
  // Without a single character of arguments a call that was cut looks like one that has none.
  if (isCutOff && argumentsText.trim() === '') return cutReply('', isNamed ? name : undefined);
  const read = readArguments(argumentsText, mayRepair(name, tools));
  if (!read.ok) {
    if (isCutOff) return cutReply(argumentsText, isNamed ? name : undefined);
    // A made-up name is the first thing to put right; the checker does, and never runs it.
    if (!isNamed) return { kind: 'call', tool: name, args: {}, raw: argumentsText };
    return unreadableInput(name, read.problem, argumentsText);
  }
  const { args, repaired } = read;
  const input = { args, raw: argumentsText, ...(repaired === undefined ? {} : { repaired }) };
  return isBuiltIn(name) && !isKnown ? builtInAction(name, input) : { kind: 'call', tool: name, ...input };
}

/** A reply without structured calls. */
function readContent(text: string, reading: Reading): ReadReply {
  const { tools, isCutOff } = reading;
  if (text === '') return only(isCutOff ? cutReply('') : emptyReply());
  const content = readContentCalls(text, tools);
  if (content.kind === 'broken') return only(isCutOff ? cutReply(text) : unknownWrapper(content.problem, text));
  if (content.kind === 'calls') return readLeftCalls(content.calls, content.before, reading);
  if (hasCertainLabel(text, tools)) return readSpoken(text, reading);
  return only(isCutOff ? cutReply(text) : { kind: 'final_answer', text });
}

function readLeftCalls(calls: readonly ContentCall[], before: string, { tools }: Reading): ReadReply {
  if (calls.length > CALLS_MAX) return only(tooMany(calls.length));
  const actions = calls.map((call) => readLeftCall(call, tools));
  const { thought, inventedChars } = thoughtBeside(before);
  const invented = inventedChars > 0 ? [inventedNote(inventedChars)] : [];
  return { ...(thought === '' ? {} : { thought }), actions, notes: [...invented, ...thoughtNotes(actions, thought)] };
}

function readLeftCall({ name: written, argumentsText, repaired }: ContentCall, tools: Reading['tools']): ReadAction {
  const name = resolveName(written, tools);
  if (repaired !== undefined && !mayRepair(name, tools)) {
    return unreadableInput(name, `the JSON around it is not valid (${repaired})`, argumentsText);
  }
  const action = readNamed(name, argumentsText, { tools, isCutOff: false });
  return action.kind === 'call' && repaired !== undefined ? { ...action, repaired } : action;
}

/**
 * Text of the other form, for certain: a final answer under its label, or an action under its label that names a real
 * tool in the shape of a call. An answer that has a line "Action: refund the customer" is none of this.
 */
function hasCertainLabel(text: string, tools: readonly ReadableTool[]): boolean {
  const labels = labelsOf(text);
  const at = labels.findIndex(({ kind }) => kind !== 'thought');
  const label = labels[at];
  if (!label) return false;
  if (label.kind === 'answer') return true;
  if (label.kind !== 'action') return false;
  const [, name = '', sign = ''] = /^[\s*`]{0,20}([A-Za-z0-9_.-]{1,128})[*`]{0,3}(\[|\(|[ \t]?\{)?/.exec(text.slice(label.value)) ?? [];
  const resolved = resolveName(name, tools);
  const isCallable = isTool(resolved, tools) || isBuiltIn(resolved);
  return isCallable && (sign !== '' || labels[at + 1]?.kind === 'input');
}
