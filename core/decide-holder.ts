import { isSameName } from './approvals.ts';
import type { Applied, Moment, Refused, VerbTable } from './change.ts';
import type { CheckResult } from './contract.ts';
import { goingOn, isAnswered } from './decide-run.ts';
import { answerHeld, hold, isHoldable, isUndecided, withoutHeld } from './held-calls.ts';
import { canonicalJson } from './json.ts';
import { isEffect, pendingTwin } from './pending-calls.ts';
import { earlierEffect, repeatedText } from './policy.ts';
import { append } from './state.ts';
import type { Person } from './run.ts';
import type { RunState } from './state.ts';
import type { CallAction, ObservationItem, TodoEntry } from './transcript.ts';
import type { VerbPayloads } from './verbs.ts';

/** What the person does who takes a run over and gives it back. While they hold it no model is called. */
export const HOLDER_VERBS: Pick<VerbTable, 'take-over' | 'call' | 'todo' | 'give-back'> = {
  'take-over'(state, { by, reason = '' }, { nowMs }) {
    if (state.cancel) return { said: reason, because: 'the run is being cancelled' };
    if (isAnswered(state)) return { said: reason, because: 'the run has already its answer' };
    if (state.takenOver) return { said: reason, because: `${state.takenOver.by.name} holds the run already` };
    const takenOver = { by, atMs: nowMs };
    return { state: { ...state, takenOver, paused: false }, said: reason, text: 'The run is yours: no model is called until it is given back.' };
  },

  call(state, { tool, args, by }) {
    const item = { tool, args };
    const problem = holderProblem(state, by.name) ?? (state.agent.tools.some(({ name }) => name === tool) ? undefined : unknownTool(state, tool));
    if (problem) return { because: problem, item };
    const orderCount = state.orderCount + 1;
    return { state: { ...state, orderCount }, check: { call: orderId(state.turn, orderCount), tool, args } };
  },

  todo(state, { done = [], add = [], by }) {
    const problem = holderProblem(state, by.name);
    if (problem) return { because: problem };
    const missing = done.find((position) => position > state.todo.length);
    if (missing !== undefined) return { because: `the list has ${state.todo.length} items, so there is no item ${missing}` };
    const todo: readonly TodoEntry[] = [
      ...state.todo.map((entry, i) => (done.includes(i + 1) ? { ...entry, done: true } : entry)),
      ...add.map((text) => ({ text, done: false })),
    ];
    return { state: { ...state, todo }, text: 'The to-do list is changed.', said: todoText(state.todo, { done, add }), item: { todo } };
  },

  'give-back'(state, payload, { nowMs }) {
    const { note = '', goal } = payload;
    if (!state.takenOver) return { said: note, because: 'nobody holds the run' };
    const going = goingOn(state, payload);
    if ('because' in going) return going;
    return {
      state: withdrawOrders(going.state, nowMs), said: note,
      text: 'The agent goes on, with all that was done meanwhile in its evidence.', item: goal === undefined ? {} : { goal },
    };
  },
};

/** The order has been checked: it runs, or waits for the yes that such a call needs, whoever asks for it. */
export function finishOrder(state: RunState, { tool, args, by }: VerbPayloads['call'], { result, nowMs }: Moment & { readonly result: CheckResult }): Applied | Refused {
  const item = { tool, args };
  const problem = holderProblem(state, by.name);
  if (problem) return { because: problem, item };
  if (!result.ok) return { because: result.problem, item };
  const { call } = result;
  const said = `${tool} ${canonicalJson(args)}`;
  const details = { ...item, call: call.id };
  const twin = pendingTwin(state, call);
  if (twin) return { because: `the same call waits already (${twin}): decide it`, item };
  const asks = approvalFor(state, call);
  if (!asks) {
    return { state: { ...state, orders: [...state.orders, { call, by }] }, said, item: details, text: `${tool} runs now (${call.id}).` };
  }
  return { state: hold(state, asks, { nowMs, orderedBy: by }), said, item: details, text: `${tool} (${call.id}) waits for approval: ${asks.approval.why}.` };
}

/** A call that repeats an effect of the run needs a person who is shown that it was done before. */
function approvalFor(state: RunState, call: CallAction): (CallAction & { readonly approval: NonNullable<CallAction['approval']> }) | undefined {
  if (!isHoldable(call)) return undefined;
  const earlier = isEffect(state, call) ? earlierEffect(state, call) : undefined;
  if (earlier) return { ...call, approval: { ...call.approval, why: repeatedText(earlier), repeats: true } };
  return call.needsApproval ? call : undefined;
}

function holderProblem({ takenOver, cancel }: RunState, name: string): string | undefined {
  if (cancel) return 'the run is being cancelled';
  if (!takenOver) return 'nobody holds the run: take it over first (take-over)';
  return isSameName(takenOver.by.name, name) ? undefined : `${takenOver.by.name} holds the run, and ${name} does not`;
}

function unknownTool({ agent }: RunState, tool: string): string {
  return `there is no tool "${tool.slice(0, 80)}"; the agent has ${agent.tools.map(({ name }) => name).join(', ') || 'none'}`;
}

/** Numbered within the turn after which the person took over: `3.p1`. */
export function orderId(turn: number, count: number): string {
  return `${turn}.p${count}`;
}

/** The count in such a number; 0 of a call that the model asked for. */
export function orderNumber(call: string): number {
  return Number(/^\d+\.p(\d+)$/.exec(call)?.[1] ?? 0);
}

/** Orders that nobody decided, or that have not begun, end with the hold: each gets its observation. */
export function withdrawOrders(before: RunState, nowMs: number): RunState {
  const state = before.orders.reduce<RunState>((now, { call, by }) => append(now, nowMs, notBegun(call, by)), { ...before, orders: [] });
  const waiting = state.held.filter((held) => held.orderedBy !== undefined && isUndecided(held));
  const withdrawn = waiting.reduce(
    (now, { call }) => answerHeld(now, call.id, { status: 'skipped', text: 'Not run: the hold ended before anybody decided.' }), state,
  );
  return settleOrders(withdrawn, nowMs);
}

function notBegun({ id, tool }: CallAction, by: Person): ObservationItem {
  const text = 'Not run: the hold ended before this call began.';
  return { type: 'observation', call: id, tool, status: 'skipped', text, seen: [], hash: `skipped:${text}`, ms: 0, by };
}

/** Moves the answers of decided orders into the transcript; those of a turn's calls go there with their turn. */
export function settleOrders(state: RunState, nowMs: number): RunState {
  return state.held.reduce((now, { call, decision, orderedBy }) => {
    if (!orderedBy || decision?.kind !== 'answered') return now;
    return append(withoutHeld(now, [call.id]), nowMs, { ...decision.observation, by: decision.observation.by ?? orderedBy });
  }, state);
}

function todoText(before: readonly TodoEntry[], { done, add }: { readonly done: readonly number[]; readonly add: readonly string[] }): string {
  const ticked = done.map((position) => `done: ${before[position - 1]?.text ?? ''}`);
  return [...ticked, ...add.map((text) => `added: ${text}`)].join('; ');
}
