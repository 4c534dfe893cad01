import { readFunctionReply } from '../core/function-form.ts';
import type { JsonObject } from '../core/json.ts';
import type { ModelReply, Prompt, ReadAction } from '../core/reply.ts';
import { readTextReply } from '../core/text-form.ts';
import { ignored, notReached, works } from './probe-finding.ts';
import type { ProbeName, Shown } from './probe-finding.ts';
import {
  BAY, ONE_CALL_PROMPT, ORDER, OTHER_ORDER, PROBE_TOOL, roundTripPrompt, STOP_PROMPT, STRICT_PROMPT, TEXT_PROMPT, TWO_CALLS_PROMPT,
} from './probe-prompts.ts';

/** Sends one prompt through the adapter that runs use. @throws ModelFailure */
export type Ask = (prompt: Prompt, options?: { readonly strict: boolean }) => Promise<ModelReply>;

/** Replies of earlier probes, by probe. */
export type Heard = ReadonlyMap<ProbeName, ModelReply>;

/** A probe that needs one request: what to send (or why it is no use), and what the reply shows. */
export interface Check {
  readonly probe: ProbeName;
  readonly prompt: (heard: Heard) => Prompt | undefined;
  readonly strict?: true;
  readonly judge: (reply: ModelReply) => Shown;
}

type Call = Extract<ReadAction, { kind: 'call' }>;

/** After a plain reply has come. Where one call does not work, the probes that build on it have nothing to send. */
export const CHECKS: readonly Check[] = [
  { probe: 'one call', prompt: () => ONE_CALL_PROMPT, judge: judgeOneCall },
  { probe: 'two calls at once', prompt: (heard) => ifCalled(heard, () => TWO_CALLS_PROMPT), judge: judgeTwoCalls },
  { probe: 'result round trip', prompt: (heard) => ifCalled(heard, answered), judge: judgeRoundTrip },
  { probe: 'strict schema', prompt: (heard) => ifCalled(heard, () => STRICT_PROMPT), strict: true, judge: judgeStrict },
  { probe: 'stop sequence', prompt: () => STOP_PROMPT, judge: judgeStop },
  { probe: 'text form', prompt: () => TEXT_PROMPT, judge: judgeTextForm },
];

export function judgePlain(reply: ModelReply): Shown {
  if (reply.text.trim() !== '') return works('');
  return ignored(reply.finish === 'length' ? 'the model used up its output tokens before it wrote a word' : 'the reply is empty');
}

export function judgeUsage({ usage }: ModelReply): Shown {
  const { inputTokens = 0, outputTokens = 0 } = usage ?? {};
  if (inputTokens > 0 && outputTokens > 0) return works('');
  return ignored(usage === undefined ? 'the reply reports no tokens' : 'the reply reports zero tokens');
}

function ifCalled(heard: Heard, prompt: (reply: ModelReply, call: Call) => Prompt): Prompt | undefined {
  const reply = heard.get('one call');
  const call = reply && ordersCalled(reply)[0];
  return call && prompt(reply, call);
}

function answered(reply: ModelReply, call: Call): Prompt {
  const text = readFunctionReply(reply, [PROBE_TOOL]).thought ?? '';
  return roundTripPrompt(call, { role: 'assistant', text, calls: [], ...(reply.provider ? { provider: reply.provider } : {}) });
}

/** Calls of the probes' tool, as a run would read them. */
function callsIn(reply: ModelReply): readonly Call[] {
  return readFunctionReply(reply, [PROBE_TOOL]).actions.flatMap((action) => (isCall(action) ? [action] : []));
}

function isCall(action: ReadAction): action is Call {
  return action.kind === 'call' && action.tool === PROBE_TOOL.name;
}

function ordersCalled(reply: ModelReply): readonly Call[] {
  return callsIn(reply).filter(({ args }) => [ORDER, OTHER_ORDER].includes(orderOf(args)));
}

/** Some models write an id as a number; a run reads it all the same. */
function orderOf({ order_id: id }: JsonObject): string {
  return typeof id === 'string' ? id.trim() : JSON.stringify(id ?? null);
}

function judgeOneCall(reply: ModelReply): Shown {
  if (ordersCalled(reply).length === 0) return ignored(without(reply, 'no call that can be read came'));
  return works(reply.calls.length === 0 ? 'it stood as text in the reply; Caseworker read it there' : '');
}

function judgeTwoCalls(reply: ModelReply): Shown {
  const orders = new Set(ordersCalled(reply).map(({ args }) => orderOf(args)));
  if (orders.size === 2) return works('');
  return ignored(without(reply, orders.size === 1 ? 'only one of two calls came' : 'no call that can be read came'));
}

function judgeRoundTrip(reply: ModelReply): Shown {
  if (reply.text.includes(BAY)) return works('');
  return ignored(without(reply, callsIn(reply).length > 0 ? 'the same was called again' : 'the answer does not know the result'));
}

function judgeStrict(reply: ModelReply): Shown {
  if (reply.dropped.includes('strict')) return { result: 'refused', saw: 'the server does not take strict' };
  const calls = callsIn(reply);
  if (calls.length === 0) return ignored(without(reply, 'no call that can be read came'));
  const isHeld = calls.every(({ args }) => Object.keys(args).join() === 'order_id' && typeof args.order_id === 'string');
  return isHeld ? works('') : ignored('the arguments do not match the schema');
}

/** What a server that stops never lets through; the label that the stop sequence ends with, at the start of a line. */
const WRITTEN_ON = /^[\s>*#]{0,8}(?:observation|final answer)\b/im;

function judgeStop(reply: ModelReply): Shown {
  if (reply.dropped.includes('stop')) return { result: 'refused', saw: 'the server does not take stop' };
  if (WRITTEN_ON.test(reply.text)) return ignored('the model wrote on behind the stop sequence');
  if (!/^[\s>*#]{0,8}action\b/im.test(reply.text)) return notReached('the model did not write as far as the stop sequence');
  return works('');
}

function judgeTextForm(reply: ModelReply): Shown {
  const [action] = readTextReply(reply, [PROBE_TOOL]).actions;
  if (action?.kind === 'bare_call' && action.tool === PROBE_TOOL.name) return works('');
  if (action && isCall(action)) return works('');
  return ignored(without(reply, 'the reply has no action that can be read'));
}

function without(reply: ModelReply, saw: string): string {
  return reply.finish === 'length' ? `${saw}: the reply was cut at its output limit` : saw;
}
