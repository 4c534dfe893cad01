import type { Risk } from './risk.ts';
import type { DoubtView, HandOver, HeldView, OpenQuestion, Person, RunStatus } from '../core/run.ts';

/** Something that waits for a person, in any run. */
export type InboxEntry = ApprovalEntry | QuestionEntry | OutcomeEntry | HandOverEntry | TakenOverEntry | PausedEntry;

interface InboxBase {
  /** Id of the run. */
  readonly run: string;
  readonly agent?: string;
  readonly requestedBy?: string;
  readonly status: RunStatus;
  /** Since when it waits, milliseconds since the epoch. */
  readonly sinceMs: number;
  /** The person who holds the run. */
  readonly heldBy?: Person;
  /** `run`: the run itself said so; `record`: no worker answered, so this is what its history tells. */
  readonly source: 'run' | 'record';
}

/** A held call: `args` are exactly what will run, `argsHash` is what a decision must name. */
export interface ApprovalEntry extends InboxBase, HeldView {
  readonly kind: 'approval';
  readonly risk: Risk;
}

export interface QuestionEntry extends InboxBase {
  readonly kind: 'question';
  readonly question: OpenQuestion;
}

/** A call of which nobody knows whether it had its effect. */
export interface OutcomeEntry extends InboxBase, DoubtView {
  readonly kind: 'outcome';
}

export interface HandOverEntry extends InboxBase {
  readonly kind: 'hand_over';
  /** Why, in one sentence. */
  readonly reason: string;
  readonly handOver?: HandOver;
  readonly queue?: string;
}

export interface TakenOverEntry extends InboxBase {
  readonly kind: 'taken_over';
}

export interface PausedEntry extends InboxBase {
  readonly kind: 'paused';
}

export interface InboxRequest {
  /** Runs that this person holds, and calls that they may decide: what roles or four eyes keep from them is left out. */
  readonly mine?: Person;
  /** Calls of this tool. */
  readonly tool?: string;
  /** Hand-overs to this queue. */
  readonly queue?: string;
  readonly agent?: string;
  /** Runs that this visibility query finds (https://docs.temporal.io/list-filter). */
  readonly query?: string;
  /** At most this many, the oldest; default: all. */
  readonly limit?: number;
}
