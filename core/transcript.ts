import type { ApprovalFacts, EarlierCall } from './approval-facts.ts';
import type { Budget, Effect, Form } from './agent.ts';
import type { JsonObject } from './json.ts';
import type { EndReason, HandOver, Person, QuestionForm, Usage } from './run.ts';
import type { RefusalKind } from './verbs.ts';

/**
 * The transcript is the run's own append-only record: what the model is shown and what a person reads are both made
 * from it. Items are numbered by their place, from 0; a mark (`elided`, `summary`) changes how older items are shown,
 * never the items.
 */
export type Item = ItemBody & {
  /** Workflow time, milliseconds since the epoch; absent only in what `think` and a tool's activity return. */
  readonly atMs?: number;
};

export type ItemBody =
  | TaskItem | ReplyItem | ObservationItem | NudgeItem | StopItem | PersonItem | HeldItem | ElidedItem | SummaryItem;

export interface TaskItem {
  readonly type: 'task';
  readonly goal: string;
  readonly constraints: readonly string[];
  readonly by?: Person;
  readonly agent: { readonly name: string; readonly version: string; readonly hash: string; readonly form: Form; readonly model: string };
  readonly budget: Budget;
  /** The run that this one was copied from, and the turn after which it goes its own way. */
  readonly fork?: { readonly parent: string; readonly turn: number };
}

/** One checked model reply: `think`'s result is exactly this. */
export interface ReplyItem {
  readonly type: 'reply';
  readonly turn: number;
  /** The model's text before its actions; absent when it gave none. */
  readonly thought?: string;
  readonly actions: readonly Action[];
  /** What our code did to the reply on the way in: cut an invented observation, repaired a comma, … */
  readonly notes: readonly ReplyNote[];
  readonly usage: CallUsage;
  /** Fields of the provider's message that must go back with it unchanged (reasoning signatures and the like). */
  readonly provider?: JsonObject;
}

export type ReplyNote =
  | { readonly kind: 'invented_observation' | 'no_thought' | 'answer_with_calls'; readonly text: string }
  | { readonly kind: 'repaired'; readonly call: string; readonly text: string }
  | { readonly kind: 'dropped_parameter'; readonly text: string };

/** Usage of one turn's model call, attempts that were lost included. */
export interface CallUsage {
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  /** Tokens above that no provider reported: charged by reservation. */
  readonly estimatedTokens: number;
  /** Decimal, in the budget's currency; absent without a price. */
  readonly cost?: string;
  readonly attempts: number;
  readonly ms: number;
  /** UTF-8 bytes of the prompt: with `inputTokens` the measure of tokens per byte. */
  readonly promptBytes: number;
}

/** What the model decided, checked. Ids are ours: `<turn>.<n>`, n from 1. */
export type Action = CallAction | InvalidAction | AnswerAction | AskAction | HandOverAction | TodoAction;

interface ActionBase {
  readonly id: string;
  /** Provider fields that belong to this one call (thought signatures). */
  readonly provider?: JsonObject;
}

export interface CallAction extends ActionBase {
  readonly kind: 'call';
  readonly tool: string;
  readonly args: JsonObject;
  /** sha256 of tool and canonical arguments: the identity of the call. White space and case of ids do not change it. */
  readonly hash: string;
  /** The business identity that the tool gives (`key`), when it gives one. */
  readonly key?: string;
  /** What the call does to the world; absent for one that only reads. */
  readonly effect?: Exclude<Effect, 'read'>;
  readonly needsApproval: boolean;
  /** What a person is shown and what a decision is bound to; present when the call is held. */
  readonly approval?: ApprovalFacts;
  /** A rule of the agent forces a hand-over instead of this call; the text says why. */
  readonly handOver?: string;
  /** Why; absent when it is a rule of the agent. */
  readonly handOverDetail?: 'agent_changed';
}

export type Problem = 'format' | 'empty' | 'refused' | 'withheld' | 'unknown_tool' | 'bad_arguments' | 'unseen_id';

/** Something that cannot run. Its observation is already written, since only the activity knows what was wrong. */
export interface InvalidAction extends ActionBase {
  readonly kind: 'invalid';
  readonly problem: Problem;
  readonly tool?: string;
  /** What the model wrote, cut; shown back to it so that it can correct itself. */
  readonly raw: string;
  /** What the model is told: what was wrong, and what to do instead. */
  readonly text: string;
  /** Identity for the repeat guard. */
  readonly hash: string;
}

export interface AnswerAction extends ActionBase {
  readonly kind: 'final_answer';
  readonly answer: string | JsonObject;
  readonly problems: readonly AnswerProblem[];
}

/** Something in an answer that the evidence does not carry. */
export interface AnswerProblem {
  readonly kind: 'id' | 'amount' | 'effect' | 'not_found';
  /** The id, amount or effect as the answer wrote it. */
  readonly value: string;
}

export interface AskAction extends ActionBase {
  readonly kind: 'ask_person';
  readonly question: string;
  readonly form?: QuestionForm;
}

export interface HandOverAction extends ActionBase {
  readonly kind: 'hand_over';
  readonly reason: string;
  readonly queue?: string;
}

export interface TodoEntry {
  readonly text: string;
  readonly done: boolean;
}

export interface TodoAction extends ActionBase {
  readonly kind: 'update_todo';
  readonly items: readonly TodoEntry[];
}

export type ObservationStatus = 'ok' | 'empty' | 'error' | 'denied' | 'skipped' | 'unknown';

/** What one action produced. Exactly one per action, in the model's order; only our code writes one. */
export interface ObservationItem {
  readonly type: 'observation';
  readonly call: string;
  /** The tool, or the kind of action. */
  readonly tool: string;
  readonly status: ObservationStatus;
  /** As the model sees it, cut to length. */
  readonly text: string;
  /** Where the rest is, when the text was cut. */
  readonly more?: { readonly blob: string; readonly chars: number };
  /**
   * Id-like words and numbers that count as evidence: of the whole result where its text was cut, and of one that is not
   * `ok`. A whole `ok` result has its words in its text.
   */
  readonly seen: readonly string[];
  /** sha256 of the whole result: a changed result is progress. */
  readonly hash: string;
  readonly ms: number;
  /** Present when a call with an effect was tried, so that the record of effects can be read from the trace alone. */
  readonly effect?: EffectNote;
  /** The person who answered in the tool's place, or who ran the call while holding the run. */
  readonly by?: Person;
  /** The call in doubt that a person had made again. */
  readonly retryOf?: string;
  /** The call cannot be made here, whatever the model does: the run is handed over, for this reason. */
  readonly handOver?: string;
  /** Why; absent when the tool itself is switched off. */
  readonly handOverDetail?: 'tool_gone' | 'agent_changed' | 'agent_off';
}

/** How a call with an effect was tried. */
export interface EffectNote {
  readonly kind: Exclude<Effect, 'read'>;
  /** Identity of the call as it ran: a person may have changed its arguments. */
  readonly hash?: string;
  /** What the other side was given to know the call by; absent where only the worker knew it. */
  readonly key?: string;
  /** Attempts up to this result; absent where they were lost. */
  readonly attempts?: number;
  /** The call of another run that had the effect; this one was not made. */
  readonly doneBy?: EarlierCall;
}

/** A call waits for a person from here on. Arguments only where they are not those of the model's reply. */
export interface HeldItem {
  readonly type: 'held';
  readonly call: string;
  readonly tool: string;
  readonly facts: ApprovalFacts;
  readonly deadlineMs: number;
  readonly args?: JsonObject;
  readonly orderedBy?: Person;
}

export interface NudgeItem {
  readonly type: 'nudge';
  readonly turn: number;
  readonly guard: 'repeating' | 'no_progress' | 'answer_check';
  readonly text: string;
}

export interface StopItem {
  readonly type: 'stop';
  readonly turn: number;
  readonly reason: EndReason;
  readonly detail?: string;
  readonly text: string;
  readonly handOver?: HandOver;
  readonly answer?: string | JsonObject;
  readonly resolvedBy?: Person;
  readonly usage: Usage;
}

/** Something a person did, or tried to do and was refused. */
export interface PersonItem {
  readonly type: 'person';
  readonly verb: string;
  readonly by: Person;
  /** Decision id: the same decision sent twice is one item. */
  readonly id: string;
  readonly text: string;
  readonly refused?: string;
  readonly refusal?: RefusalKind;
  /** `answer` and the like: the call it belongs to. */
  readonly call?: string;
  /** `redirect`, or `resume` with a new goal. */
  readonly goal?: string;
  readonly constraints?: readonly string[];
  /** `edit` and `call`: the arguments that the person gave. */
  readonly args?: JsonObject;
  /** `call`: the tool that the person ran. */
  readonly tool?: string;
  /** `settle`: what became of the call, or that it is tried again. */
  readonly outcome?: 'happened' | 'not_happened' | 'retry';
  /** `todo`: the list as it is now. */
  readonly todo?: readonly TodoEntry[];
  /** Decisions on held calls: what the person was shown. */
  readonly argsHash?: string;
}

/** Observations before item `before` are shown to the model as one line each from here on. */
export interface ElidedItem {
  readonly type: 'elided';
  readonly before: number;
}

/** Stands for all items before `before`: from here on the model sees `text` instead of them. */
export interface SummaryItem {
  readonly type: 'summary';
  readonly before: number;
  readonly text: string;
  readonly goal: string;
  readonly constraints: readonly string[];
  readonly todo: readonly TodoEntry[];
  /**
   * Id-like words and numbers of the evidence that it stands for. Thousands in a long run, so they are read only when the
   * items are left behind; until then they stand in these.
   */
  readonly seen?: readonly string[];
  /** Tools with an effect that succeeded so far: an answer may say so after the calls themselves are left behind. */
  readonly done?: readonly string[];
}
