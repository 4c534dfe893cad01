import { ActivityCancellationType, ActivityFailure, isCancellation, proxyActivities, proxyLocalActivities, TimeoutFailure } from '@temporalio/workflow';
import type { ActivityOptions, LocalActivityOptions } from '@temporalio/workflow';
import type { ToolFacts } from '../core/agent.ts';
import type { ActInput, ActResult, LocalMiss } from '../core/contract.ts';
import { LOCAL_READ_MS, runsLocally } from '../core/local-read.ts';
import { BUILT_IN } from '../core/names.ts';
import type { ReadyCall } from '../core/open-turn.ts';
import { recallable } from '../core/recallable.ts';
import type { RunState } from '../core/state.ts';
import { interruptedObservation, lostObservation } from '../core/tool-failure-text.ts';
import type { CallAction, ObservationItem } from '../core/transcript.ts';
import { earlierEffect, isSameEffect } from '../core/policy.ts';
import type { Person } from '../core/run.ts';
import { activityMessage, HEARTBEAT, RETRY } from './steps.ts';

/** A write that is only slow must not be taken for lost: its outcome would be in doubt without need. */
const HEARTBEAT_ONCE = '20s';

/** One call comes back as exactly one observation, whatever happens to it. */
export function runCall(state: RunState, ready: ReadyCall): Promise<ObservationItem> {
  const facts = factsOf(state, ready.call);
  return runsLocally(state, ready, facts) ? readLocally(state, ready, facts) : runRegularly(state, ready, facts);
}

type Act<Result> = Record<string, (input: ActInput) => Promise<Result>>;

/** Within the workflow task; what that misses is read as any other. */
async function readLocally(state: RunState, ready: ReadyCall, facts: CallFacts): Promise<ObservationItem> {
  const { call } = ready;
  const act = named(proxyLocalActivities<Act<ActResult | LocalMiss>>(localOptions(state, call, facts)), call);
  let missedMs: number;
  try {
    const read = await act(actInput(state, ready));
    if (read.type === 'observation') return read;
    missedMs = read.ms;
  } catch (error) {
    if (isCancellation(error)) return interruptedObservation(call, facts.effect);
    // Anything else is our own bug.
    if (!(error instanceof ActivityFailure)) throw error;
    missedMs = LOCAL_READ_MS;
  }
  // Its moment counts as its first attempt.
  const observation = await runRegularly(state, ready, { ...facts, maxAttempts: facts.maxAttempts - 1 });
  return { ...observation, ms: observation.ms + missedMs };
}

async function runRegularly(state: RunState, ready: ReadyCall, facts: CallFacts): Promise<ObservationItem> {
  const { call } = ready;
  const act = named(proxyActivities<Act<ActResult>>(toolOptions(state, call, facts)), call);
  try {
    return await act(actInput(state, ready));
  } catch (error) {
    if (isCancellation(error)) return interruptedObservation(call, facts.effect);
    const why = activityMessage(error);
    const timedOut = error instanceof ActivityFailure && error.cause instanceof TimeoutFailure;
    return lostObservation(call, facts.effect, { why, ms: timedOut ? attemptsOf(facts) * toolTimeoutMs(state, facts) : 0 });
  }
}

function named<Result>(tools: Act<Result>, { tool }: CallAction): Act<Result>[string] {
  const act = tools[tool];
  if (!act) throw new Error('an activity proxy has every name');
  return act;
}

function actInput(state: RunState, { call, approval, by, retryOf }: ReadyCall): ActInput {
  const { name, version, hash } = state.agent;
  return {
    agent: { name, version, hash },
    tool: call.tool,
    // A second try goes under the first call's number: the key that the other side knows is made of it.
    call: retryOf ?? call.id,
    args: call.args,
    hash: call.hash,
    ...(call.key === undefined ? {} : { key: call.key }),
    ...effectOf(state, call),
    firstRunId: state.firstRunId,
    observationChars: state.agent.context.observationChars,
    ...(call.tool === BUILT_IN.recall ? { recall: recallable(state, call) } : {}),
    ...(isWantedAgain(state, { call, by, retryOf }) ? { again: true as const } : {}),
    ...(approval ? { approved: { argsHash: approval.argsHash } } : {}),
  };
}

function effectOf({ agent }: RunState, { tool }: CallAction): Pick<ActInput, 'effect'> {
  const effect = agent.tools.find(({ name }) => name === tool)?.effect;
  return effect === undefined || effect === 'read' ? {} : { effect };
}

/** A person had it tried again, ordered it with the earlier call before them, or said that that one did not happen. */
function isWantedAgain(state: RunState, { call, by, retryOf }: Pick<ReadyCall, 'call'> & { readonly by: Person | undefined; readonly retryOf: string | undefined }): boolean {
  return retryOf !== undefined || (by !== undefined && earlierEffect(state, call) !== undefined) || wasSettled(state, call);
}

/** A person has said that an equal call did not happen. */
function wasSettled({ effects }: RunState, call: CallAction): boolean {
  return effects.some((effect) => effect.status === 'error' && effect.by !== undefined && isSameEffect(effect, call));
}

type CallFacts = Pick<ToolFacts, 'effect' | 'timeoutMs' | 'maxAttempts' | 'canLookUp' | 'local'>;

/** `recall` reads the run's own observations; it is no tool of the agent. */
const RECALL_FACTS: CallFacts = { effect: 'read', timeoutMs: 10_000, maxAttempts: 3, local: true };

function factsOf({ agent }: RunState, { tool }: CallAction): CallFacts {
  const facts = agent.tools.find(({ name }) => name === tool);
  if (facts) return facts;
  if (tool === BUILT_IN.recall) return RECALL_FACTS;
  throw new Error(`a checked call names a tool that is not pinned: ${tool}`);
}

/** Attempts of `once` after the first never run the tool: they ask its look-up what became of the first. */
const LOOK_UPS = 3;

function attemptsOf({ effect, maxAttempts, canLookUp }: CallFacts): number {
  if (effect !== 'once') return maxAttempts;
  return canLookUp ? 1 + LOOK_UPS : 1;
}

/** At most what is left of the run's time. */
function toolTimeoutMs({ limits, usage }: RunState, { timeoutMs }: CallFacts): number {
  return Math.min(timeoutMs, Math.max(1, limits.timeMs - usage.activeMs));
}

function toolOptions(state: RunState, call: CallAction, facts: CallFacts): ActivityOptions {
  return {
    activityId: call.id,
    summary: summaryOf(call),
    startToCloseTimeout: toolTimeoutMs(state, facts),
    heartbeatTimeout: facts.effect === 'once' ? HEARTBEAT_ONCE : HEARTBEAT,
    // One attempt for `once`: a second one cannot rule out that the first had its effect.
    retry: { ...RETRY, maximumAttempts: attemptsOf(facts) },
    // A running tool is told by its signal and waited for, so that its outcome is known.
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  };
}

/** One attempt, and waiting for a free slot counts: what a busy worker cannot begin at once goes the other way. */
function localOptions(state: RunState, call: CallAction, facts: CallFacts): LocalActivityOptions {
  const limitMs = Math.min(LOCAL_READ_MS, toolTimeoutMs(state, facts));
  return {
    summary: summaryOf(call),
    startToCloseTimeout: limitMs,
    scheduleToStartTimeout: limitMs,
    retry: { maximumAttempts: 1 },
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  };
}

function summaryOf({ id, args }: CallAction): string {
  return `${id} ${JSON.stringify(args).slice(0, 120)}`;
}
