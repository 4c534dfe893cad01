import type { JsonObject } from './json.ts';
import type { Money, PriceTable } from './money.ts';

export type Form = 'function-calling' | 'text';
/** What a tool does to the world; decides how often it may be tried. */
export type Effect = 'read' | 'idempotent' | 'once';

/** A tool as the run remembers it: facts only, no code. */
export interface ToolFacts {
  readonly name: string;
  readonly description: string;
  /** JSON Schema (draft 2020-12) of the arguments; always `type: object`. */
  readonly schema: JsonObject;
  readonly effect: Effect;
  /** Argument fields that hold an id, with the kind of thing it names: `{ order_id: 'order' }`. */
  readonly ids: Readonly<Record<string, string>>;
  /** A read whose result repeats only such arguments as it found to be true: then the repeated ones are evidence. */
  readonly confirmsArguments?: boolean;
  readonly approval: 'never' | 'always' | 'by_rule';
  /** Time-out of one attempt. */
  readonly timeoutMs: number;
  readonly maxAttempts: number;
  /** The tool can be asked what became of a call whose result was lost. */
  readonly canLookUp?: boolean;
  /** A tool that is asked again and again on purpose; its equal calls are no sign of being stuck. */
  readonly polls: boolean;
  /** For a read: whether it is made within the workflow task; absent where its author says nothing. */
  readonly local?: boolean;
}

/** Who decides held calls, and until when. */
export interface ApprovalPolicy {
  /** Who may decide what; empty: everybody may decide everything. */
  readonly deciders: readonly Decider[];
  /** Calls that need a second pair of eyes: those above an amount, or all; absent: none. */
  readonly fourEyes?: { readonly above?: Money };
  /** Whether a name that nobody has proven may decide calls that ask for a role or for four eyes. */
  readonly allowUnverified: boolean;
  /** How long a call is held before it is denied and the run handed over. */
  readonly deadlineMs: number;
  /** When persons are told a second time, counted from when the call was held. */
  readonly remindAfterMs: number;
}

/** A role that may decide calls of these tools (all when absent), up to an amount (any when absent). */
export interface Decider {
  readonly role: string;
  readonly tools?: readonly string[];
  readonly upTo?: Money;
}

/** A rule that forces a hand-over when a counter of the run reaches a number. */
export interface CounterRule {
  readonly counter: keyof Counters;
  readonly atLeast: number;
  readonly reason: string;
}

export interface Limits {
  /** Model replies, never persons' messages. */
  readonly turns: number;
  readonly budget: Budget;
  /** Active time: what model calls and tools took. */
  readonly timeMs: number;
  /** Equal calls with equal results before the run is stuck. */
  readonly repeats: number;
  /** Turns in a row without an action or anything new before the nudge. */
  readonly idleTurns: number;
  /** Cap sent with every model call; part of the reservation. */
  readonly outputTokens: number;
  /** Time-out of one model call. */
  readonly modelCallMs: number;
  /** Attempts of one model call. */
  readonly modelAttempts: number;
  /** How long a stopped run waits for a person. */
  readonly waitMs: number;
}

export type Budget = { readonly kind: 'money'; readonly money: Money } | { readonly kind: 'tokens'; readonly tokens: number };

/** Marks of context and history. */
export interface ContextMarks {
  /** Observations are cut to this many characters, by whole graphemes. */
  readonly observationChars: number;
  /** Above this many input tokens the oldest observations are elided in one step. */
  readonly elideAboveTokens: number;
  /** Above this many input tokens older turns are summarised. */
  readonly summariseAboveTokens: number;
  /** A summary has at most this many characters; absent in runs that were pinned before, whose steps are smaller, too. */
  readonly summaryChars?: number;
  /** Where the author named no mark: what the conversation may take beside the agent's own prompt, in UTF-8 bytes, instead of both. */
  readonly conversationBytes?: number;
  /** Continue-as-new once history holds this many events … */
  readonly historyEvents: number;
  /** … or this many bytes. */
  readonly historyBytes: number;
}

/** Marks as an agent's definition names them: where it leaves out one of length, `contextMarks` sets it. */
export type ContextSettings = Omit<ContextMarks, 'elideAboveTokens' | 'summariseAboveTokens'> & Partial<ContextMarks>;

/** An agent as plain data, as it was when the run started. Whatever is deployed later, the run lives on this. */
export interface PinnedAgent {
  readonly name: string;
  readonly version: string;
  /** sha256 over the canonical definition: two runs with one hash saw the same agent. */
  readonly hash: string;
  readonly instructions: string;
  readonly model: string;
  readonly form: Form;
  readonly tools: readonly ToolFacts[];
  readonly constraints: readonly string[];
  readonly limits: Limits;
  readonly context: ContextMarks;
  readonly handOverWhen: readonly CounterRule[];
  readonly onStop: 'wait' | 'end';
  /** Absent in runs that were pinned before calls could be held: theirs are handed over. */
  readonly approvals?: ApprovalPolicy;
  /** Whether the agent's module wants to be told of ends too. */
  readonly notifies?: boolean;
  /** JSON Schema of a structured final answer; text when absent. */
  readonly answerSchema?: JsonObject;
  /** Absent when no price is known: the budget is then in tokens. */
  readonly prices?: PriceTable;
  /** Names of the search attributes that the server knows; only these are written. */
  readonly searchAttributes: readonly string[];
  /** UTF-8 bytes of what every prompt starts with: instructions, tools, rules of the form. */
  readonly promptBytes: number;
  /** New text is reserved at a token a byte; absent in runs that were pinned before, which would stop at another turn. */
  readonly reservesNewText?: boolean;
  /** Whether the run waits to hear what a model call cost that was cut short; absent in runs pinned before. */
  readonly waitsForCuts?: boolean;
  /** Short reads are made within the workflow task; absent in runs that were pinned before, whose histories tell otherwise. */
  readonly localReads?: boolean;
  /** Whether lists learn of a decision's effect when it is taken; absent in runs pinned before, which tell of it when the loop goes on. */
  readonly showsDecisions?: boolean;
}

/** What happened to this run so far, counted once. Also exported as metrics. */
export interface Counters {
  readonly unknown_tools: number;
  readonly bad_arguments: number;
  readonly unseen_ids: number;
  readonly empty_results: number;
  readonly format_errors: number;
  readonly invented_observations: number;
  readonly no_thought: number;
  readonly repairs: number;
  readonly nudges: number;
  readonly answer_problems: number;
  readonly failed_tools: number;
}

export const NO_COUNTS: Counters = {
  unknown_tools: 0, bad_arguments: 0, unseen_ids: 0, empty_results: 0, format_errors: 0, invented_observations: 0,
  no_thought: 0, repairs: 0, nudges: 0, answer_problems: 0, failed_tools: 0,
};
