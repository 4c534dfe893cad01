import type { Money } from './money.ts';

/** What `think` and `check` found out about a call that a person must decide. */
export interface ApprovalFacts {
  /** sha256 over run, call, tool and exact canonical arguments. */
  readonly argsHash: string;
  readonly why: string;
  /** The run has had this effect before, or may have. */
  readonly repeats?: true;
  readonly summary?: string;
  /** Money that the call moves, when the tool can tell. */
  readonly amount?: Money;
  /** Absent in calls that an older build held. */
  readonly checks?: CallChecks;
}

/** What was looked at before a person is asked. A call that failed one of these never gets to a person. */
export interface CallChecks {
  /** Fields that were held against the tool's schema. */
  readonly fields: number;
  /** Fields that name something, each seen in the run's evidence; at most 20, cut to 80 characters. */
  readonly ids: readonly { readonly field: string; readonly kind: string; readonly value: string }[];
  /** Whether the evidence has the amount; a sum that the model made is not in it. Absent where the tool tells no amount. */
  readonly amountSeen?: boolean;
  /** Whether the rules of tool and agent were asked: their code may not be deployed any more. */
  readonly rules: boolean;
  /** Another run of the same business case had this effect, or had begun it, when the call was held. */
  readonly elsewhere?: Elsewhere;
}

/** `other`: it had it, or began it, with other arguments. `begun`: nobody reported its end. */
export interface Elsewhere extends EarlierCall {
  readonly stands: 'done' | 'begun' | 'other';
}

/** A call of another run. */
export interface EarlierCall {
  readonly run: string;
  readonly call: string;
}
