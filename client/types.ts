import type { Budget, Form } from '../core/agent.ts';
import type { JsonObject } from '../core/json.ts';
import type { Money } from '../core/money.ts';
import type { EndReason, Fork, HandOver, HeldView, OpenQuestion, Person, RunProgress, RunResult, RunStatus } from '../core/run.ts';
import type { EarlierCall } from '../core/approval-facts.ts';
import type { Item } from '../core/transcript.ts';
import type { RefusalKind, Verb, VerbPayloads } from '../core/verbs.ts';
import type { InboxEntry, InboxRequest } from './inbox-entry.ts';
import type { Switches } from './switches.ts';
import type { RunHistory } from './run-histories.ts';

export interface StartRequest {
  readonly agent: string;
  readonly task: string;
  /** The run's id; made when absent. A second start with the same id is refused with RunExistsError. */
  readonly id?: string;
  readonly constraints?: readonly string[];
  readonly requestedBy?: Person;
  readonly form?: Form;
  readonly limits?: { readonly turns?: number; readonly budget?: Budget; readonly timeMs?: number };
  /** The run begins where another one stood; see `fork`. */
  readonly fork?: Fork;
}

/** A copy of a run's first turns that goes its own way from there. */
export interface ForkRequest {
  /** The last turn that is copied. */
  readonly atTurn: number;
  /** What the new run is to do; absent: what the parent was to do by then. */
  readonly goal?: string;
  readonly id?: string;
  readonly requestedBy?: Person;
  /** Turns count from the parent's first; usage from the fork. */
  readonly limits?: StartRequest['limits'];
}

/** A run that was just started. */
export interface StartedRun {
  readonly id: string;
  /** Temporal's id of the first execution: with `id` it names this run for ever, even if the id is used again. */
  readonly firstRunId: string;
}

export interface ListRequest {
  /** A visibility query (https://docs.temporal.io/list-filter); agent runs are filtered out of everything else already. */
  readonly query?: string;
  readonly agent?: string;
  readonly status?: string;
  readonly limit: number;
}

/** What Temporal's visibility says of a run. */
export interface RunSummary {
  readonly id: string;
  readonly agent?: string;
  readonly status: RunStatus | 'terminated' | 'failed';
  readonly endReason?: EndReason;
  readonly requestedBy?: string;
  /** `<id> at turn <n>` of the run that it was copied from. */
  readonly forkedFrom?: string;
  /** What it had cost when its status last changed; of an ended run the whole. Rounded as the server keeps it: to 5 decimals on SQL. */
  readonly cost?: Money;
  readonly startedAtMs: number;
  readonly closedAtMs?: number;
  /** Where its workers poll; absent where only the archive knows the run. */
  readonly taskQueue?: string;
}

/** A trace: items in order, each with its number; `missing` where neither history nor archive has them any more. */
export type TraceEntry =
  | { readonly kind: 'item'; readonly number?: number; readonly atMs?: number; readonly item: Item }
  /** An item that a newer build wrote and this one cannot read. */
  | { readonly kind: 'unknown_item'; readonly number: number; readonly atMs?: number; readonly was: string }
  | {
      readonly kind: 'call_started';
      readonly call: string;
      readonly tool: string;
      readonly args: JsonObject;
      readonly atMs: number;
      readonly attempt: number;
    }
  | FailedAttempt
  | WaitingEntry
  | { readonly kind: 'missing'; readonly from: number; readonly to: number; readonly why: string }
  | { readonly kind: 'end'; readonly atMs: number; readonly result: RunResult }
  /** The run closed without a result. */
  | {
      readonly kind: 'closed';
      readonly atMs: number;
      readonly how: 'terminated' | 'failed' | 'timed_out' | 'cancelled';
      readonly message?: string;
    };

/** The run waits for a person from here on, as persons were told. */
export interface WaitingEntry {
  readonly kind: 'waiting';
  readonly status: RunStatus;
  readonly handOver?: HandOver;
  readonly held?: readonly HeldView[];
  readonly question?: OpenQuestion;
  readonly atMs: number;
}

/** An attempt of a model call or a tool call that the world failed. */
export interface FailedAttempt {
  readonly kind: 'attempt_failed';
  readonly of:
    | { readonly kind: 'model'; readonly turn: number }
    | { readonly kind: 'call'; readonly call: string; readonly tool: string };
  /** From 1. Earlier attempts failed too, but only the last one's failure is kept. */
  readonly attempt: number;
  readonly message: string;
  readonly type?: string;
  readonly atMs: number;
  /** When the next attempt is made; absent when it was made already or is not made. */
  readonly retryAtMs?: number;
  /** No further attempt is made. */
  readonly last: boolean;
}

export interface Trace {
  readonly id: string;
  readonly entries: readonly TraceEntry[];
  /** Run id of the first execution: with the id it names this run for ever. Absent when only the archive knows the run. */
  readonly firstRunId?: string;
  /** What the run was started with. Absent when only the archive knows the run: then it is the first of the entries. */
  readonly task?: string;
}

/** A call with an effect: what was done, may have been done, or is about to be. */
export interface EffectLine {
  readonly call: string;
  readonly tool: string;
  /** Empty where only a person's own words hold them. */
  readonly args: JsonObject;
  readonly kind: 'idempotent' | 'once';
  /** What the other side knows the call by; absent where only the server knew, and has forgotten, the run. */
  readonly key?: string;
  readonly attempts: number;
  /**
   * `held`: waits for a person; `running`: has begun; `asked`: has not; `earlier`: another run had this effect, so it was not
   * had again. The others are those of an observation.
   */
  readonly outcome: 'asked' | 'held' | 'running' | 'earlier' | 'ok' | 'error' | 'unknown';
  /** Where the effect was had; present for `earlier` alone. */
  readonly doneBy?: EarlierCall;
  /** What the model was told of it. */
  readonly text?: string;
  readonly approvedBy?: Decider;
  /** Who said what became of a call whose result was lost. */
  readonly settledBy?: Decider;
  /** When the outcome came, or what is known of it so far. */
  readonly atMs?: number;
}

export interface Decider {
  readonly person: Person;
  readonly atMs?: number;
}

/** The record of a run's effects. */
export interface RunEffects {
  readonly id: string;
  readonly effects: readonly EffectLine[];
  /** Parts of the trace that nobody has any more: effects in there are not told. */
  readonly missing: readonly { readonly from: number; readonly to: number; readonly why: string }[];
}

/** What became of a person's decision. `delivered`: a signal was left, no worker has applied it yet. */
export type DecisionOutcome =
  | { readonly state: 'applied'; readonly text: string }
  | { readonly state: 'refused'; readonly because: string; readonly kind?: RefusalKind }
  | { readonly state: 'delivered' };

export interface ShownRun {
  readonly summary: RunSummary;
  readonly progress?: RunProgress;
  readonly result?: RunResult;
}

/** A verb's payload as a caller gives it; the decision's id is made when absent. */
export type DecisionRequest<V extends Verb> = Omit<VerbPayloads[V], 'id'> & { readonly id?: string };

export interface FollowOptions {
  /** Ends the following, not the run. */
  readonly signal?: AbortSignal;
  /** Entries that the caller has seen: they do not come again. */
  readonly known?: readonly TraceEntry[];
}

/**
 * Everything that can be done to runs from outside. Each call throws a CaseworkerError whose `kind` says what went
 * wrong: 'not_found', 'exists', 'ended', 'usage', 'not_allowed', 'unreachable', 'failed', 'unreadable'.
 */
export interface CaseworkerClient {
  /** Starts a run and returns at once. @throws UsageError, RunExistsError */
  start(request: StartRequest): Promise<StartedRun>;
  /** Starts a run from a copy of another one's first turns; what those did is not done again. @throws UsageError, RunExistsError */
  fork(id: string, request: ForkRequest): Promise<StartedRun>;
  /** Newest first. Visibility lags behind by up to a second. */
  list(request: ListRequest): Promise<readonly RunSummary[]>;
  show(id: string): Promise<ShownRun>;
  /** `undefined` while the run goes on or waits; `waitMs` is how long to wait for its end (default: not at all). */
  result(id: string, options?: { readonly waitMs?: number }): Promise<RunResult | undefined>;
  /** `undefined` when no worker is up to answer. */
  progress(id: string): Promise<RunProgress | undefined>;
  trace(id: string): Promise<Trace>;
  /** What waits for persons over all runs, the oldest first; with no worker up as the record tells it. */
  inbox(request?: InboxRequest): Promise<readonly InboxEntry[]>;
  /** The same of one run. @throws RunEndedError */
  waiting(id: string): Promise<readonly InboxEntry[]>;
  /** Agents and tools, switched off and on. */
  readonly switches: Switches;
  /** What the run changed in the world, a line for each call; needs no worker. */
  effects(id: string): Promise<RunEffects>;
  /** The trace while it happens, what is there already first; ends when the run ends. */
  follow(id: string, options?: FollowOptions): AsyncIterable<TraceEntry>;
  /** Temporal's own histories, for a replay on another build: of running executions, then of the newest that are over. */
  histories(last: number): AsyncIterable<RunHistory>;
  /** Does what a person decided. A repeat with the same decision id is harmless. @throws RunEndedError */
  decide<V extends Verb>(id: string, verb: V, decision: DecisionRequest<V>): Promise<DecisionOutcome>;
  approve(id: string, decision: DecisionRequest<'approve'>): Promise<DecisionOutcome>;
  edit(id: string, decision: DecisionRequest<'edit'>): Promise<DecisionOutcome>;
  reject(id: string, decision: DecisionRequest<'reject'>): Promise<DecisionOutcome>;
  respond(id: string, decision: DecisionRequest<'respond'>): Promise<DecisionOutcome>;
  settle(id: string, decision: DecisionRequest<'settle'>): Promise<DecisionOutcome>;
  answer(id: string, decision: DecisionRequest<'answer'>): Promise<DecisionOutcome>;
  message(id: string, decision: DecisionRequest<'message'>): Promise<DecisionOutcome>;
  redirect(id: string, decision: DecisionRequest<'redirect'>): Promise<DecisionOutcome>;
  pause(id: string, decision: DecisionRequest<'pause'>): Promise<DecisionOutcome>;
  resume(id: string, decision: DecisionRequest<'resume'>): Promise<DecisionOutcome>;
  takeOver(id: string, decision: DecisionRequest<'take-over'>): Promise<DecisionOutcome>;
  call(id: string, decision: DecisionRequest<'call'>): Promise<DecisionOutcome>;
  todo(id: string, decision: DecisionRequest<'todo'>): Promise<DecisionOutcome>;
  giveBack(id: string, decision: DecisionRequest<'give-back'>): Promise<DecisionOutcome>;
  resolve(id: string, decision: DecisionRequest<'resolve'>): Promise<DecisionOutcome>;
  cancel(id: string, decision: DecisionRequest<'cancel'>): Promise<DecisionOutcome>;
}
