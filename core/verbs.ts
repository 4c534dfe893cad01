import type { JsonObject } from './json.ts';
import type { Money } from './money.ts';
import type { LimitsInput, Person } from './run.ts';

/**
 * What a person can do to a run. Each verb is a Signal and an Update of the same name with the same payload; `id` is
 * the decision's own, so that a decision that is sent twice is applied once.
 */
export interface Decision {
  readonly id: string;
  readonly by: Person;
}

/** A decision on one held call, bound to what the person was shown. */
export interface CallDecision extends Decision {
  readonly call: string;
  /** The call's `argsHash`, as inbox and page show it: a decision on other arguments is refused. */
  readonly argsHash: string;
  readonly reason?: string;
}

export interface VerbPayloads {
  readonly approve: CallDecision;
  /** Other arguments: every check again, then they run. */
  readonly edit: CallDecision & {
    readonly args: JsonObject;
    /** Limits that whoever let the person in has set: what the change comes to must be within one of them. */
    readonly upTo?: readonly Money[];
  };
  /** The model reads the reason. */
  readonly reject: CallDecision & { readonly reason: string };
  /** The person's answer stands for the tool's; it is no way to deny. */
  readonly respond: CallDecision & { readonly text: string };
  /** What became of a call whose outcome is unknown. */
  readonly settle: Decision & {
    readonly call: string;
    readonly outcome: 'happened' | 'not_happened' | 'retry';
    readonly result?: string | JsonObject;
  };
  readonly answer: Decision & { readonly call?: string; readonly text?: string; readonly fields?: JsonObject };
  /** `now` cuts a model call short, so that the next one knows. */
  readonly message: Decision & { readonly text: string; readonly now?: boolean };
  readonly redirect: Decision & { readonly goal?: string; readonly constraints?: readonly string[]; readonly now?: boolean };
  readonly pause: Decision & { readonly reason?: string };
  readonly resume: Decision & { readonly note?: string; readonly goal?: string; readonly limits?: LimitsInput };
  readonly 'take-over': Decision & { readonly reason?: string };
  /** Runs a tool of the agent, for the person who holds the run. */
  readonly call: Decision & { readonly tool: string; readonly args: JsonObject };
  /** Ticks off open items (numbered from 1) and adds others. */
  readonly todo: Decision & { readonly done?: readonly number[]; readonly add?: readonly string[] };
  readonly 'give-back': Decision & { readonly note?: string; readonly goal?: string; readonly limits?: LimitsInput };
  readonly resolve: Decision & { readonly answer: string | JsonObject };
  readonly cancel: Decision & { readonly reason: string };
}

export type Verb = keyof VerbPayloads;
export const VERBS: readonly Verb[] = [
  'cancel', 'pause', 'resume', 'resolve', 'message', 'redirect', 'answer',
  'approve', 'edit', 'reject', 'respond', 'settle', 'take-over', 'call', 'todo', 'give-back',
];

/** What an Update answers. A late or foreign decision is refused with the reason, and is in the record all the same. */
export type VerbOutcome =
  | { readonly applied: true; readonly text: string }
  | { readonly applied: false; readonly because: string; readonly kind?: RefusalKind };

/** Why a decision was refused, where a program needs to know: this person may not decide this. */
export type RefusalKind = 'not_allowed';
