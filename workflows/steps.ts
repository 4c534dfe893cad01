import {
  ActivityCancellationType, ActivityFailure, ApplicationFailure, CancelledFailure, isCancellation, log, patched, proxyActivities, proxyLocalActivities,
  TimeoutFailure,
} from '@temporalio/workflow';
import type { ActivityOptions } from '@temporalio/workflow';
import { affordableAttempts, reservation } from '../core/budget.ts';
import type { CallToCheck } from '../core/change.ts';
import type { Activities, CheckResult, NotifyEvent, PinResult, ThinkResult } from '../core/contract.ts';
import { PATCH } from '../core/names.ts';
import type { RunInput, RunResult } from '../core/run.ts';
import { itemsFrom, nextNumber } from '../core/state.ts';
import type { RunState } from '../core/state.ts';
import { progressOf, statusOf } from '../core/stop.ts';
import type { LostThink } from '../core/think-failure.ts';
import type { StateHolder } from './people.ts';

/** A worker that was killed is noticed after this long; the activity beats several times within it. */
export const HEARTBEAT = '2500ms';
/** The activity keeps the time-out itself and reports what the attempt cost; the server's comes later, for one that hangs. */
const TIMEOUT_GRACE_MS = 5_000;
/** Fast first retry, since most failures are blips; capped, since a provider that is down wants patience. */
export const RETRY = { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' } as const;
/** Pinning, notifying and archiving touch no provider; a worker that cannot do them within this is broken. */
const SHORT: ActivityOptions = { startToCloseTimeout: '30s', retry: { ...RETRY, maximumAttempts: 5 } };

const regular = proxyActivities<Activities>(SHORT);
const { check, notify, archive } = regular;
/** A look into the worker's memory that may be made again: a round trip to the server would take longer than all of it. */
const local = proxyLocalActivities<Activities>(SHORT);
/** An end waits for whoever is told of it, so this is all the time that they get. */
const lastWord = proxyActivities<Activities>({ startToCloseTimeout: '5s', scheduleToCloseTimeout: '10s', retry: { ...RETRY, maximumAttempts: 2 } });

/** The agent as data. A definition that cannot be used is a value, and so is a worker that cannot read it. */
export async function pin({ agent, constraints, form, limits }: RunInput): Promise<PinResult> {
  // Runs that began on an older build have it as a regular activity in their history.
  const { pinAgent } = patched(PATCH.pinLocally) ? local : regular;
  try {
    return await pinAgent({
      agent,
      ...(constraints ? { constraints } : {}),
      ...(form ? { form } : {}),
      ...(limits ? { limits } : {}),
    });
  } catch (error) {
    return { ok: false, problem: `The agent ${agent} could not be read: ${activityMessage(error)}` };
  }
}

/** Tells persons, once, that the run waits for them; with it, history gets the items that only workflow code knows. */
export async function notifyPersons(run: StateHolder): Promise<void> {
  const upTo = nextNumber(run.get());
  if (run.get().notified === upTo) return;
  run.set({ ...run.get(), notified: upTo });
  await tell(run.get(), 'waiting');
}

/** Something waits and is about to expire. */
export function remindPersons(run: StateHolder): Promise<void> {
  return tell(run.get(), 'reminder');
}

/** Only agents that asked for it: an end needs nobody. */
export async function tellOfEnd(run: StateHolder): Promise<void> {
  if (run.get().agent.notifies) await tell(run.get(), 'ended');
}

/** A way to tell persons that is down must not hold up the run: whoever looks finds it in the inbox. */
async function tell(state: RunState, event: NotifyEvent): Promise<void> {
  const { name, version } = state.agent;
  const { handOver, question, held } = progressOf(state);
  const endReason = event === 'ended' ? state.stops.at(-1)?.reason : undefined;
  try {
    await (event === 'ended' ? lastWord.notify : notify)({
      event, agent: { name, version },
      status: statusOf(state),
      ...(handOver ? { handOver } : {}),
      ...(question ? { question } : {}),
      ...(held && held.length > 0 ? { held } : {}),
      ...(endReason ? { endReason } : {}),
      items: itemsFrom(state, state.sent), base: state.sent,
    });
  } catch (error) {
    log.warn('nobody could be notified', { run: state.id, problem: activityMessage(error) });
  }
}

/** What a person wrote, checked as the model's calls are. A worker that cannot check it says so; nothing runs then. */
export async function checkCall(state: RunState, { call, tool, args }: CallToCheck): Promise<CheckResult> {
  try {
    return await check({ turn: state.turn, call, tool, args, base: state.sent, delta: itemsFrom(state, state.sent), firstRunId: state.firstRunId });
  } catch (error) {
    return { ok: false, problem: `its arguments could not be checked: ${activityMessage(error)}` };
  }
}

/** Writes the finished part of the trace away. A store that is down must not hold up the run: `trace` says what is missing. */
export async function archiveItems(run: StateHolder, result?: RunResult): Promise<void> {
  const { sent, archived, firstRunId } = run.get();
  const upTo = nextNumber(run.get());
  try {
    await archive({ items: itemsFrom(run.get(), sent), base: sent, archived, firstRunId, ...(result ? { result } : {}) });
    run.set({ ...run.get(), archived: upTo });
  } catch (error) {
    log.warn('part of the trace is not archived', { run: run.get().id, problem: activityMessage(error) });
  }
}

/** Message of a failed activity; anything else is our own bug and is thrown on. */
export function activityMessage(error: unknown): string {
  if (!(error instanceof ActivityFailure)) throw error;
  return error.cause?.message ?? error.message;
}

export type ThinkOutcome = { readonly kind: 'reply'; readonly reply: ThinkResult } | LostThink;

/**
 * One model call. Its attempts are bounded by what is left of the budget, each by what is left of the time, before
 * anything is sent.
 */
export async function think(state: RunState): Promise<ThinkOutcome> {
  const { inputTokens, outputTokens, promptBytes } = reservation(state);
  const attempts = affordableAttempts(state);
  const timeLeftMs = Math.max(1, state.limits.timeMs - state.usage.activeMs);
  const timeoutMs = Math.min(state.limits.modelCallMs, timeLeftMs);
  const turn = state.turn + 1;
  const activities = proxyActivities<Activities>({
    // The server may still have the call that a person cut short: another of the same name would be refused.
    activityId: state.cutThinks ? `think-${turn}-${state.cutThinks}` : `think-${turn}`,
    summary: `turn ${turn}`,
    startToCloseTimeout: timeoutMs + TIMEOUT_GRACE_MS,
    heartbeatTimeout: HEARTBEAT,
    retry: { ...RETRY, maximumAttempts: attempts },
    // The reply of a call that was cut short is of no use, but what it cost is: the activity aborts, and says it.
    cancellationType: state.agent.waitsForCuts ? ActivityCancellationType.WAIT_CANCELLATION_COMPLETED : ActivityCancellationType.TRY_CANCEL,
  });
  const input = {
    turn, firstRunId: state.firstRunId, base: state.sent, delta: itemsFrom(state, state.sent),
    ...(turn === 1 && state.sent === 0 ? { agent: state.agent } : {}),
    allowance: { promptBytes, inputTokens, outputTokens, timeoutMs, timeLeftMs },
  };
  try {
    return { kind: 'reply', reply: await activities.think(input) };
  } catch (error) {
    if (isCancellation(error)) return { kind: 'cancelled', details: cancelDetails(error) };
    return lostThink(error, { attempts, timeoutMs });
  }
}

/** What `think` reports of a call that was cut short: which of its attempts may have to be paid. */
function cancelDetails(error: unknown): unknown {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof CancelledFailure ? cause.details?.[0] : undefined;
}

function lostThink(error: unknown, allowed: { readonly attempts: number; readonly timeoutMs: number }): LostThink {
  if (!(error instanceof ActivityFailure)) throw error;
  const { cause } = error;
  if (cause instanceof ApplicationFailure) {
    return { kind: 'lost', type: cause.type ?? 'Model.Unavailable', text: cause.message, details: cause.details?.[0], allowed };
  }
  const details: unknown = cause instanceof TimeoutFailure ? cause.lastHeartbeatDetails : undefined;
  return { kind: 'lost', type: 'Model.Timeout', text: 'The model did not answer in time.', details, allowed };
}
