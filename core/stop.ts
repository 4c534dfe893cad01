import { withdrawOrders } from './decide-holder.ts';
import { handOverPackage } from './hand-over.ts';
import { heldViews, isUndecided } from './held-calls.ts';
import type { DoubtView, LimitsInput, RunProgress, RunResult, RunStatus, Stop } from './run.ts';
import { append } from './state.ts';
import type { RunState } from './state.ts';
import type { StopCause } from './stop-cause.ts';
import type { ItemBody, StopItem } from './transcript.ts';

/** The loop has stopped: the package is built from state, an open question is closed, and the stop is in the record. */
export function recordStop(before: RunState, cause: StopCause, nowMs: number): RunState {
  const state = withdrawOrders(before, nowMs);
  const item = stopItem(state, cause);
  const stop: Stop = {
    reason: cause.reason, turn: state.turn, text: cause.text, atMs: nowMs, ...(cause.detail ? { detail: cause.detail } : {}),
  };
  // A person's answer ends the run for the reason for which it had stopped before: no new stop.
  const stops = cause.answer !== undefined && state.stopped ? state.stops : [...state.stops, stop];
  const { question: _, ...rest } = state;
  const stopped: RunState = { ...rest, stopped: stop, stops, paused: false };
  return append(stopped, nowMs, ...unanswered(state), item);
}

function stopItem(state: RunState, cause: StopCause): StopItem {
  const { reason, detail, text, answer, by } = cause;
  return {
    type: 'stop',
    turn: state.turn,
    reason,
    text,
    ...(detail ? { detail } : {}),
    ...(answer === undefined ? {} : { answer }),
    ...(answer !== undefined && by ? { resolvedBy: by } : {}),
    ...(reason === 'final_answer' ? {} : { handOver: handOverPackage(state, cause) }),
    usage: state.usage,
  };
}

/** Exactly one observation an action, also for a question that nobody will answer now. */
function unanswered({ question }: RunState): readonly ItemBody[] {
  if (!question) return [];
  const text = 'The run stopped before anybody answered.';
  return [{ type: 'observation', call: question.call, tool: 'ask_person', status: 'skipped', text, seen: [], hash: 'skipped', ms: 0 }];
}

/** Whether the run ends with this stop or waits for a person. */
export function endsWith({ agent }: RunState, cause: StopCause): boolean {
  // Whoever has taken a run over has it until they give it back, whatever the agent does at its stops.
  return cause.answer !== undefined || cause.reason === 'cancelled' || (agent.onStop === 'end' && cause.detail !== 'taken_over');
}

/** The result of a run that has stopped. */
export function resultOf(state: RunState): RunResult {
  const item = state.items.findLast((one): one is StopItem & { atMs?: number } => one.type === 'stop');
  if (!item) throw new Error('a run has a result only after it has stopped');
  return {
    endReason: item.reason,
    ...(item.answer === undefined ? {} : { answer: item.answer }),
    ...(item.resolvedBy ? { resolvedBy: item.resolvedBy } : {}),
    ...(item.handOver ? { handOver: item.handOver } : {}),
    usage: state.usage,
    stops: state.stops,
    counters: state.counters,
    limits: limitsOf(state),
  };
}

/** What the run is doing, in one word for lists and pages. */
export function statusOf({ ended, stopped, takenOver, paused, held, question }: RunState): RunStatus {
  if (ended) return 'ended';
  if (stopped) return takenOver ? 'taken_over' : stopped.detail === 'unknown_outcome' ? 'waiting_outcome' : 'handed_over';
  if (paused) return 'paused';
  if (held.some(isUndecided)) return 'waiting_approval';
  return question ? 'waiting_answer' : 'running';
}

function limitsOf({ limits: { turns, budget, timeMs } }: RunState): LimitsInput {
  return { turns, budget, timeMs };
}

function doubtsOf({ effects }: RunState): readonly DoubtView[] {
  return effects.flatMap(({ call, tool, text, status, lost }) =>
    status === 'unknown' ? [{ call, tool, text, ...(lost ? { args: lost.args } : {}) }] : [],
  );
}

/** Since when somebody is needed: the oldest of what waits. */
function waitingSince(state: RunState): number | undefined {
  const { stopped, takenOver, held, question } = state;
  const since = [stopped?.atMs, takenOver?.atMs, pausedAt(state), question?.askedAtMs, ...held.filter(isUndecided).map(({ heldAtMs }) => heldAtMs)];
  const known = since.filter((atMs) => atMs !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

function pausedAt({ paused, items }: RunState): number | undefined {
  return paused ? items.findLast((item) => item.type === 'person' && item.verb === 'pause' && item.refused === undefined)?.atMs : undefined;
}

export function progressOf(state: RunState): RunProgress {
  const waitingSinceMs = waitingSince(state);
  const pausedAtMs = pausedAt(state);
  const { agent, stopped, items } = state;
  const { name, version, hash, form } = agent;
  const stop = stopped ? items.findLast((item) => item.type === 'stop') : undefined;
  return {
    status: statusOf(state),
    turn: state.turn,
    goal: state.goal,
    agent: { name, version, hash, form },
    usage: state.usage,
    budget: state.limits.budget,
    stops: state.stops,
    limits: limitsOf(state),
    ...(state.question ? { question: state.question } : {}),
    ...(stop?.type === 'stop' && stop.handOver ? { handOver: stop.handOver } : {}),
    held: heldViews(state),
    doubts: doubtsOf(state),
    ...(state.takenOver ? { takenOverBy: state.takenOver.by, takenOverAtMs: state.takenOver.atMs } : {}),
    ...(pausedAtMs === undefined ? {} : { pausedAtMs }),
    todo: state.todo,
    ...(waitingSinceMs === undefined ? {} : { waitingSinceMs }),
  };
}
