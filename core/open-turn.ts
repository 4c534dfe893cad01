import type { Counters } from './agent.ts';
import { answerHeld, hold, isUndecided, withoutHeld } from './held-calls.ts';
import { doubtCause, handOverCause } from './call-endings.ts';
import { canonicalJson } from './json.ts';
import { callsOf, hasResult, openReply, plannedCalls } from './pending-calls.ts';
import type { Step } from './policy.ts';
import { recordObservations, withCallsRun } from './record.ts';
import { afterRetry } from './settle.ts';
import type { Person } from './run.ts';
import { append } from './state.ts';
import type { Approval, EffectRecord, HeldCall, Order, PlannedStep, RunState } from './state.ts';
import type { CallAction, ObservationItem, ReplyItem } from './transcript.ts';

/** A call that may run now, and whose yes it runs on. */
export interface ReadyCall {
  readonly call: CallAction;
  readonly approval?: Approval;
  /** Made by the person who holds the run. */
  readonly by?: Person;
  readonly retryOf?: string;
}

/** A turn's calls begin: what needs a person waits, questions are asked, and the rest may run. */
export function openTurn(state: RunState, steps: readonly Step[], { before, nowMs }: { readonly before: Counters; readonly nowMs: number }): RunState {
  const opened: RunState = { ...state, open: { steps: steps.map(plannedStep), results: [], before } };
  const held = steps.flatMap((step) => ('held' in step ? [step.held] : []));
  const asked = steps.find((step) => 'asks' in step && step.asks !== undefined);
  const waiting = held.reduce((now, call) => hold(now, call, { nowMs }), opened);
  return asked && 'asks' in asked && asked.asks !== undefined ? { ...waiting, question: { ...asked.asks, askedAtMs: nowMs } } : waiting;
}

/** Calls by number only: what they are stands in the reply, and both would be carried over continue-as-new. */
function plannedStep(step: Step): PlannedStep {
  if ('run' in step) return { run: step.run.id };
  return 'held' in step ? { held: step.held.id } : step;
}

/** What may start now. A call of the plan was cleared a moment ago; an approved one waits while the run is paused. */
export function readyCalls(state: RunState): readonly ReadyCall[] {
  if (state.cancel) return [];
  const unrun = plannedCalls(state).filter(({ id }) => !hasResult(state, id)).map((call) => ({ call }));
  if (state.paused) return unrun;
  return [...unrun, ...approvedCalls(state), ...state.orders.map(orderedCall)];
}

function approvedCalls(state: RunState): readonly ReadyCall[] {
  return state.held.flatMap(({ call, decision, orderedBy }) =>
    decision?.kind === 'run' && !hasResult(state, call.id) ? [{ call, approval: decision.approval, ...(orderedBy ? { by: orderedBy } : {}) }] : [],
  );
}

function orderedCall({ call, by, approval, retryOf }: Order): ReadyCall {
  return { call, by, ...(approval ? { approval } : {}), ...(retryOf === undefined ? {} : { retryOf }) };
}

/** Whether there is anything to run or to wait for before the next turn. */
export function hasOpenCalls(state: RunState): boolean {
  return state.open !== undefined || readyCalls(state).length > 0;
}

/** A call came back: into its turn, or, when a person made it, straight into the transcript. */
export function recordResult(state: RunState, ready: ReadyCall, { observation, nowMs }: { readonly observation: ObservationItem; readonly nowMs: number }): RunState {
  const held = state.held.find(({ call }) => call.id === ready.call.id);
  const result = held?.original ? withEditNote(observation, held) : observation;
  if (ready.by === undefined) {
    if (!state.open) return state;
    // At once, not when the turn closes: what waits beside it may mean the same effect, and a lost one may be settled.
    const made = { call: held?.call ?? ready.call, result, isAnswered: false, ...(ready.approval ? { approval: ready.approval } : {}) };
    return { ...state, open: { ...state.open, results: [...state.open.results, result] }, effects: [...state.effects, ...effectOf(state, made)] };
  }
  const id = ready.call.id;
  const made = { ...result, call: id, by: ready.by, ...(ready.retryOf === undefined ? {} : { retryOf: ready.retryOf }) };
  const rest = { ...withoutHeld(state, [id]), orders: state.orders.filter(({ call }) => call.id !== id) };
  const ran = withOrderEnding(withCallsRun(append(rest, nowMs, made), [made]), made);
  if (ready.retryOf !== undefined) return afterRetry(ran, ready.retryOf, made);
  const effects = effectOf(rest, { call: ready.call, result: made, isAnswered: false, ...(ready.approval ? { approval: ready.approval } : {}) });
  return { ...ran, effects: [...ran.effects, ...effects] };
}

/** Nobody holds the run any more: what a person's call left in doubt, or could not do, stops it as a turn's call would. */
function withOrderEnding(state: RunState, observation: ObservationItem): RunState {
  if (state.takenOver || state.stopped || state.ending) return state;
  const { status, tool, call, retryOf } = observation;
  const isInDoubt = status === 'unknown' || (retryOf !== undefined && status !== 'ok' && status !== 'empty');
  const ending = handOverCause(observation) ?? (isInDoubt ? doubtCause({ tool, call: retryOf ?? call }) : undefined);
  return ending ? { ...state, ending } : state;
}

/** The model must not take what ran for what it had asked for. */
function withEditNote(observation: ObservationItem, { call, editedBy }: HeldCall): ObservationItem {
  const args = canonicalJson(call.args);
  const shown = args.length <= EDIT_NOTE_CHARS ? args : `${args.slice(0, EDIT_NOTE_CHARS).replace(/[\ud800-\udbff]$/, '')}…`;
  return { ...observation, text: `${editedBy?.name ?? 'A person'} changed the arguments to ${shown}. ${observation.text}` };
}

const EDIT_NOTE_CHARS = 400;

/** Whether every action of the open turn has what becomes its observation. */
export function isTurnDone(state: RunState): boolean {
  return state.open?.steps.every((step) => {
    if ('run' in step) return hasResult(state, step.run);
    if (!('held' in step)) return true;
    const held = state.held.find(({ call }) => call.id === step.held);
    return held === undefined || held.decision?.kind === 'answered' || hasResult(state, step.held);
  }) ?? true;
}

/** Exactly one observation an action, in the model's order, and what follows from them. */
export function closeTurn(state: RunState, nowMs: number): RunState {
  const { open, ...rest } = state;
  const reply = openReply(state);
  if (!open || !reply) return state;
  const made = madeCalls(state, reply);
  const ids = open.steps.flatMap((step) => ('held' in step ? [step.held] : []));
  return recordObservations(withoutHeld(rest, ids), {
    reply,
    steps: open.steps.flatMap((step) => decidedStep(step, made)),
    results: open.results,
    effects: made.filter(({ isAnswered }) => isAnswered).flatMap((one) => effectOf(state, one)),
    nowMs,
  });
}

/** The turn's calls as they ran, or as a person answered them. */
function madeCalls(state: RunState, reply: ReplyItem): readonly MadeCall[] {
  return callsOf(reply).flatMap((asked): MadeCall[] => {
    const held = state.held.find(({ call }) => call.id === asked.id);
    if (held?.decision?.kind === 'answered') return [{ call: held.call, result: held.decision.observation, isAnswered: true }];
    const result = state.open?.results.find(({ call }) => call === asked.id);
    return result ? [{ call: held?.call ?? asked, result, isAnswered: false, ...(held?.decision ? { approval: held.decision.approval } : {}) }] : [];
  });
}

function decidedStep(step: PlannedStep, made: readonly MadeCall[]): readonly Step[] {
  if (!('run' in step) && !('held' in step)) return [step];
  const id = 'run' in step ? step.run : step.held;
  const one = made.find(({ call }) => call.id === id);
  return one ? [one.isAnswered ? { observation: one.result } : { run: one.call }] : [];
}

interface MadeCall {
  readonly call: CallAction;
  readonly result: ObservationItem;
  readonly approval?: Approval;
  /** It did not run: a person answered in its place, or said no. */
  readonly isAnswered: boolean;
}

/** What ran, and what a person says to have done in the tool's place. */
function effectOf({ agent }: RunState, { call, result, approval, isAnswered }: MadeCall): readonly EffectRecord[] {
  const { id, tool, hash, key } = call;
  const facts = agent.tools.find(({ name }) => name === tool);
  if (!facts || facts.effect === 'read' || (isAnswered && result.status !== 'ok')) return [];
  const { status, text, by } = result;
  return [{
    call: id, turn: Number.parseInt(id, 10), tool, hash, status, text,
    ...(key === undefined ? {} : { key }),
    ...(status === 'unknown' ? { lost: call } : {}),
    ...(approval?.edited ? { args: call.args } : {}),
    ...(approval ? { approval } : {}),
    ...(by ? { by } : {}),
  }];
}

/** The run is cancelled: nobody needs to decide any more. */
export function withCancelledHolds(state: RunState): RunState {
  const undone = state.held.filter((held) => isUndecided(held) || (held.decision?.kind === 'run' && !hasResult(state, held.call.id)));
  return undone.reduce(
    (now, { call }) => answerHeld(now, call.id, { status: 'skipped', text: 'Not run: the run was cancelled before this call.' }),
    state,
  );
}
