import type { Counters, Limits, PinnedAgent } from './agent.ts';
import { NO_COUNTS } from './agent.ts';
import { money } from './money.ts';
import { itemBytes } from './prompt.ts';
import type { JsonObject } from './json.ts';
import type { Step } from './policy.ts';
import type { OpenQuestion, Person, RunInput, Stop, Usage } from './run.ts';
import type { StopCause } from './stop-cause.ts';
import type { ApprovalFacts } from './approval-facts.ts';
import type { CallAction, Item, ItemBody, ObservationItem, ObservationStatus, TodoEntry } from './transcript.ts';

/** Everything a run knows. Plain JSON: it is carried over continue-as-new as it is. */
export interface RunState {
  /** Temporal's Workflow Id. */
  readonly id: string;
  /** First execution's run id: the same through continue-as-new and reset. */
  readonly firstRunId: string;
  readonly requestedBy?: Person;
  readonly agent: PinnedAgent;
  /** The agent's limits, as the caller set and persons raised them. */
  readonly limits: Limits;

  /** The transcript from item number `first` on. */
  readonly first: number;
  readonly items: readonly Item[];
  /** Items below this number have been sent to `think`. */
  readonly sent: number;
  /** Items below this number are in the archive. */
  readonly archived: number;

  /** Items below this number were there when persons were last told that the run waits. */
  readonly notified: number;

  /** Turns done, that is model replies received. */
  readonly turn: number;
  /** Model calls that persons cut short. */
  readonly cutThinks?: number;
  readonly usage: Usage;
  readonly counters: Counters;
  /** Counters when a person last resumed the run: the agent's rules count from there. */
  readonly countersAtResume: Counters;
  readonly goal: string;
  readonly constraints: readonly string[];
  readonly todo: readonly TodoEntry[];

  readonly progress: Progress;
  /** Calls with an effect, all of them: what was done is never done again. */
  readonly effects: readonly EffectRecord[];
  readonly question?: OpenQuestion;
  /** The newest turn while calls of it run or wait for a decision. */
  readonly open?: OpenTurn;
  /** Calls that wait for a person's decision, or that were decided and have not run. */
  readonly held: readonly HeldCall[];
  /** Calls of the person who holds the run, cleared to run. */
  readonly orders: readonly Order[];
  /** Person's calls made so far; the number in their ids. */
  readonly orderCount: number;
  readonly takenOver?: { readonly by: Person; readonly atMs: number };
  /** Names of those who asked for the run or changed its course: they cannot approve under four eyes. */
  readonly involved: readonly string[];
  /** The newest decisions on calls, so that a late one is told who decided what. */
  readonly decided: readonly DecidedCall[];
  readonly cancel?: StopCause;
  /** Set by an accepted answer, a hand-over or a failure; a guard turns it into the stop. */
  readonly ending?: StopCause;
  /** The stop at which the run waits for a person. */
  readonly stopped?: Stop;
  /** A paused run goes on with `resume`, without having stopped. */
  readonly paused: boolean;
  /** Nothing that arrives now changes anything. */
  readonly ended: boolean;
  readonly stops: readonly Stop[];
  /** Ids of the newest decisions, so that one that is sent again is not applied again. */
  readonly decisions: readonly string[];

  readonly measure: PromptMeasure;
}

/** What the guards against being stuck look at; forgotten when a person resumes the run. */
export interface Progress {
  /** The newest attempts, failed ones included. */
  readonly attempts: readonly Attempt[];
  /** Hashes of the results already seen. */
  readonly known: readonly string[];
  /** Turns in a row without an action or anything new. */
  readonly idle: number;
  /** Replies in a row with nothing in them. */
  readonly empty: number;
  /** Turn of the last nudge of each kind. */
  readonly nudged: Readonly<Partial<Record<'repeating' | 'no_progress' | 'answer_check', number>>>;
}

export interface Attempt {
  readonly turn: number;
  readonly tool: string;
  /** Identity of the call, or of the malformed action. */
  readonly hash: string;
  readonly result: string;
}

export interface EffectRecord {
  readonly call: string;
  readonly turn: number;
  readonly tool: string;
  readonly hash: string;
  readonly key?: string;
  readonly status: ObservationStatus;
  readonly text: string;
  /** The whole call while its outcome is unknown, for the person who must find out and may want it tried again. */
  readonly lost?: CallAction;
  readonly approval?: Approval;
  /** Arguments that ran, where they are not those of the model's reply. */
  readonly args?: JsonObject;
  /** The person who answered in the tool's place, ran the call, or said what became of it. */
  readonly by?: Person;
}

/** A person's yes to one call with these arguments; used once. */
export interface Approval {
  readonly by: Person;
  readonly atMs: number;
  /** The decision's id. */
  readonly decision: string;
  readonly argsHash: string;
  readonly reason?: string;
  /** The person changed the arguments. */
  readonly edited?: boolean;
}

/** A turn of which not every action has its observation yet. */
export interface OpenTurn {
  readonly steps: readonly PlannedStep[];
  /** Observations of the calls that have run so far. */
  readonly results: readonly ObservationItem[];
  /** Counters before the turn, for the metrics. */
  readonly before: Counters;
}

/** A step of the plan; calls stand in the turn's reply. */
export type PlannedStep = { readonly run: string } | { readonly held: string } | Exclude<Step, { readonly run: CallAction } | { readonly held: unknown }>;

export interface HeldCall {
  /** What would run now: after an edit the edited call. */
  readonly call: CallAction & { readonly approval: ApprovalFacts };
  readonly heldAtMs: number;
  readonly deadlineMs: number;
  readonly reminded: boolean;
  /** Arguments as the model wrote them, when a person changed them. */
  readonly original?: JsonObject;
  readonly editedBy?: Person;
  /** The person who holds the run and wants it made. */
  readonly orderedBy?: Person;
  /** An edit whose checks are not done: nobody else decides meanwhile. */
  readonly checking?: { readonly by: Person; readonly decision: string };
  readonly decision?:
    | { readonly kind: 'run'; readonly approval: Approval }
    | { readonly kind: 'answered'; readonly observation: ObservationItem };
}

/** A call of the person who holds the run. */
export interface Order {
  readonly call: CallAction;
  readonly by: Person;
  readonly approval?: Approval;
  /** The earlier call that is made again under its own key, since a person said so. */
  readonly retryOf?: string;
}

export interface DecidedCall {
  readonly call: string;
  readonly verb: string;
  readonly by: string;
  readonly atMs: number;
}

/** What bounds the next prompt from above. */
export interface PromptMeasure {
  /** UTF-8 bytes of the next prompt without its reminder, never less than the real ones. */
  readonly bytes: number;
  /** 1 until a provider reported usage; then the highest seen in this run. */
  readonly tokensPerByte: number;
  readonly reported: boolean;
  /** Input tokens of the last call. */
  readonly lastInputTokens: number;
  /** Turn for which the bytes were last corrected by a prompt that was larger than they said. */
  readonly correctedTurn?: number;
}

export const FRESH_PROGRESS: Progress = { attempts: [], known: [], idle: 0, empty: 0, nudged: {} };

export interface RunIdentity {
  readonly id: string;
  readonly firstRunId: string;
  readonly nowMs: number;
}

/** The state before the first turn: the task is item 0. */
export function startRun(input: RunInput, agent: PinnedAgent, identity: RunIdentity): RunState {
  const { id, firstRunId, nowMs } = identity;
  const empty: RunState = {
    id,
    firstRunId,
    ...(input.requestedBy ? { requestedBy: input.requestedBy } : {}),
    agent,
    limits: agent.limits,
    first: 0,
    items: [],
    sent: 0,
    archived: 0,
    notified: 0,
    turn: 0,
    usage: noUsage(agent),
    counters: NO_COUNTS,
    countersAtResume: NO_COUNTS,
    goal: input.task,
    constraints: agent.constraints,
    todo: [],
    progress: FRESH_PROGRESS,
    effects: [],
    held: [],
    orders: [],
    orderCount: 0,
    involved: input.requestedBy ? [input.requestedBy.name] : [],
    decided: [],
    paused: false,
    ended: false,
    stops: [],
    decisions: [],
    measure: { bytes: agent.promptBytes, tokensPerByte: 1, reported: false, lastInputTokens: 0 },
  };
  const { name, version, hash, form, model } = agent;
  return append(empty, nowMs, {
    type: 'task',
    goal: input.task,
    constraints: agent.constraints,
    ...(input.requestedBy ? { by: input.requestedBy } : {}),
    agent: { name, version, hash, form, model },
    budget: agent.limits.budget,
    ...(input.fork ? { fork: { parent: input.fork.parent.id, turn: input.fork.turn } } : {}),
  });
}

function noUsage(agent: PinnedAgent): Usage {
  const counts = {
    turns: 0, modelCalls: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0, estimatedTokens: 0,
    activeMs: 0, waitingMs: 0,
  };
  return agent.prices ? { ...counts, cost: money(0n, agent.prices.budgetCurrency) } : counts;
}

/** State that an execution of an older build carried over: what it did not know yet is empty. */
export function fromCarried(carried: RunState): RunState {
  const added: Pick<RunState, 'held' | 'orders' | 'orderCount' | 'involved' | 'decided'> = {
    held: [], orders: [], orderCount: 0, decided: [],
    involved: carried.requestedBy ? [carried.requestedBy.name] : [],
  };
  return { ...added, ...carried };
}

/** Adds items to the transcript, stamped with workflow time. The only way in. */
export function append(state: RunState, atMs: number, ...bodies: readonly ItemBody[]): RunState {
  if (bodies.length === 0) return state;
  const added = bodies.map((body): Item => ({ ...body, atMs }));
  const bytes = added.reduce((sum, item) => sum + itemBytes(item), state.measure.bytes);
  return { ...state, items: [...state.items, ...added], measure: { ...state.measure, bytes } };
}

/** Number that the next item will get. */
export function nextNumber(state: RunState): number {
  return state.first + state.items.length;
}

/** Items from an absolute number on. */
export function itemsFrom(state: RunState, number: number): readonly Item[] {
  return state.items.slice(Math.max(0, number - state.first));
}

export function count(state: RunState, counts: Partial<Counters>): RunState {
  const counters: Record<keyof Counters, number> = { ...state.counters };
  for (const [name, more] of Object.entries(counts)) counters[name as keyof Counters] += more;
  return { ...state, counters };
}
