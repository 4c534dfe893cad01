import type { Budget, Counters, Form } from './agent.ts';
import type { JsonObject } from './json.ts';
import type { Money } from './money.ts';
import type { CallChecks } from './approval-facts.ts';
import type { Item } from './transcript.ts';

export const END_REASONS = [
  'final_answer', 'step_limit', 'budget', 'time_limit', 'repeating', 'no_progress', 'hand_over', 'cancelled', 'error',
] as const;
export type EndReason = (typeof END_REASONS)[number];

/** Nothing happens until a person does something. */
export const WAITING_STATUSES = ['waiting_approval', 'waiting_answer', 'waiting_outcome', 'paused', 'handed_over', 'taken_over'] as const;
/** `ended` once nothing can change it any more: what it did is archived and told before it closes. */
export type RunStatus = 'running' | (typeof WAITING_STATUSES)[number] | 'ended';

export function isWaitingStatus(status: unknown): status is (typeof WAITING_STATUSES)[number] {
  return WAITING_STATUSES.some((one) => one === status);
}

/** Who did something. A signal or the command line cannot prove a name: `verified` is false and the trace says so. */
export interface Person {
  readonly name: string;
  readonly verified: boolean;
  /** What the person may decide, as their identity provider says; means something only when verified. */
  readonly roles?: readonly string[];
}

export interface RunInput {
  /** Name of the agent; its definition is fetched by `pinAgent`. */
  readonly agent: string;
  readonly task: string;
  readonly constraints?: readonly string[];
  readonly requestedBy?: Person;
  readonly form?: Form;
  readonly limits?: LimitsInput;
  /** The run begins where another one stood. */
  readonly fork?: Fork;
}

/** Where a run was copied from: the parent's transcript behind its task, up to the end of a turn. */
export interface Fork {
  readonly parent: {
    readonly id: string;
    readonly firstRunId?: string;
    /** Who had asked for it: no second pair of eyes for what the copy leads to. */
    readonly requestedBy?: string;
  };
  readonly turn: number;
  readonly items: readonly Item[];
}

/** Limits that a caller sets for one run; everything absent is the agent's own. */
export interface LimitsInput {
  readonly turns?: number;
  readonly budget?: Budget;
  readonly timeMs?: number;
}

export interface Usage {
  readonly turns: number;
  /** Attempts included. */
  readonly modelCalls: number;
  readonly toolCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  /** Tokens charged by reservation because the provider's usage was missing or a reply was lost; inside the two above. */
  readonly estimatedTokens: number;
  /** Absent when no price is known. */
  readonly cost?: Money;
  /** Model calls and tools; calls side by side counted as the longest. */
  readonly activeMs: number;
  readonly waitingMs: number;
}

/** One time that the loop stopped. */
export interface Stop {
  readonly reason: EndReason;
  readonly turn: number;
  /** Finer cause, one word: 'refused', 'empty_response', 'Model.Auth', 'answer_check', … */
  readonly detail?: string;
  /** One sentence for a person. */
  readonly text: string;
  readonly atMs: number;
}

/** A thing that was done or tried. */
export interface Step {
  readonly call: string;
  readonly tool: string;
  readonly args: JsonObject;
  readonly outcome: string;
}

/** Something the evidence says, with the call that said it. */
export interface Fact {
  readonly text: string;
  readonly call: string;
}

export interface HandOver {
  readonly goal: string;
  readonly constraints: readonly string[];
  readonly reason: string;
  readonly done: readonly Step[];
  /** Calls that may have had their effect: nobody knows yet. */
  readonly inDoubt: readonly Step[];
  readonly remains: readonly string[];
  readonly facts: readonly Fact[];
  readonly spent: Usage;
  /** Queue that the hand-over names, if any: `refunds`, `finance`. */
  readonly queue?: string;
  /** What a person can do next, as a command. */
  readonly next: string;
}

export interface RunResult {
  /** Exactly one; after a person resolved the run, that of the last stop. */
  readonly endReason: EndReason;
  readonly answer?: string | JsonObject;
  readonly resolvedBy?: Person;
  /** Every ending that is not `final_answer`. */
  readonly handOver?: HandOver;
  readonly usage: Usage;
  readonly stops: readonly Stop[];
  readonly counters: Counters;
  /** The limits that held at the end, raised ones included. */
  readonly limits?: LimitsInput;
}

/** A held call as a person sees it: the exact arguments that will run, and what a decision must name. */
export interface HeldView {
  readonly call: string;
  readonly tool: string;
  readonly args: JsonObject;
  /** What a decision is bound to: it changes with every change of the arguments. */
  readonly argsHash: string;
  /** Why a person is asked. */
  readonly why: string;
  /** The run has had this effect before, or may have. */
  readonly repeats?: true;
  /** The call in one sentence, as the tool says it. */
  readonly summary?: string;
  readonly amount?: Money;
  /** What was looked at; absent in calls that an older build held. */
  readonly checks?: CallChecks;
  /** What it changes in the world; absent for a read. */
  readonly effect?: 'idempotent' | 'once';
  /** The business case whose effect it is, with the hash of its arguments: other runs' calls of the case have the same key. */
  readonly case?: { readonly key: string; readonly hash: string };
  readonly heldAtMs: number;
  readonly deadlineMs: number;
  /** Arguments as the model wrote them, when a person changed them. */
  readonly original?: JsonObject;
  readonly editedBy?: Person;
  /** The person who holds the run and wants this call made. */
  readonly orderedBy?: Person;
  /** Roles that may decide it; empty: everybody. */
  readonly roles: readonly string[];
  /** Roles that decide calls of this tool, but not of this amount. */
  readonly beyond?: readonly { readonly role: string; readonly upTo: Money }[];
  /** Whoever asked for the run, redirected it or changed the call cannot approve it. */
  readonly fourEyes: boolean;
  /** Their names, where four eyes are needed. */
  readonly excluded?: readonly string[];
  /** A name that nobody has proven may not decide it. */
  readonly provenOnly?: boolean;
  /** Put together from the record, since nobody answers for the run: who may decide it is not in there. */
  readonly fromRecord?: true;
}

/** A call of which nobody knows whether it had its effect. */
export interface DoubtView {
  readonly call: string;
  readonly tool: string;
  readonly args?: JsonObject;
  readonly text: string;
}

/** What `progress` answers while a run goes on. */
export interface RunProgress {
  readonly status: RunStatus;
  readonly turn: number;
  readonly goal: string;
  readonly agent?: { readonly name: string; readonly version: string; readonly hash: string; readonly form: Form };
  readonly usage: Usage;
  readonly budget?: Budget;
  /** The limits that hold now, raised ones included. */
  readonly limits?: LimitsInput;
  readonly stops: readonly Stop[];
  readonly question?: OpenQuestion;
  readonly handOver?: HandOver;
  readonly held?: readonly HeldView[];
  readonly doubts?: readonly DoubtView[];
  readonly takenOverBy?: Person;
  readonly takenOverAtMs?: number;
  readonly pausedAtMs?: number;
  readonly todo?: readonly { readonly text: string; readonly done: boolean }[];
  /** When the run began to wait, milliseconds since the epoch. */
  readonly waitingSinceMs?: number;
}

/** A question to a person. */
export interface OpenQuestion {
  readonly call: string;
  readonly question: string;
  readonly askedAtMs: number;
  /** Fields that the answer must have; absent: any text. */
  readonly form?: QuestionForm;
}

/** Flat fields, by name: the part of MCP's elicitation that a person can fill in. */
export type QuestionForm = Readonly<Record<string, QuestionField>>;

export interface QuestionField {
  readonly type: 'text' | 'number' | 'boolean' | 'choice' | 'date';
  readonly label?: string;
  /** What can be chosen, for `choice`. */
  readonly options?: readonly string[];
  /** Default: true. */
  readonly required?: boolean;
}
