import type { JsonObject } from './json.ts';
import type { RunState } from './state.ts';
import type { ItemBody, PersonItem } from './transcript.ts';
import type { RefusalKind, Verb, VerbPayloads } from './verbs.ts';

/** What a decision does to a run: it is applied, it is refused, or its arguments have to be checked first. */
export type Change = Applied | Refused | ToCheck;

/** Parts of the transcript's item about a decision. */
export type PersonDetails = Partial<Pick<PersonItem, 'call' | 'goal' | 'constraints' | 'args' | 'tool' | 'outcome' | 'argsHash' | 'todo'>>;

export interface Applied {
  readonly state: RunState;
  /** What the person is told. */
  readonly text: string;
  /** What the person said, for transcript and model. */
  readonly said?: string;
  readonly item?: PersonDetails;
  readonly more?: readonly ItemBody[];
}

export interface Refused {
  readonly because: string;
  readonly kind?: RefusalKind;
  readonly said?: string;
  readonly item?: PersonDetails;
  /** State to go on with, where the refusal itself changes something (a claim that ends). */
  readonly state?: RunState;
}

/** Schema, ids, rules and hashes need an activity: the decision is finished when it has answered. */
export interface ToCheck {
  readonly state: RunState;
  readonly check: CallToCheck;
}

export interface CallToCheck {
  readonly call: string;
  readonly tool: string;
  readonly args: JsonObject;
}

export interface Moment {
  readonly nowMs: number;
}

export type VerbTable = { readonly [V in Verb]: (state: RunState, payload: VerbPayloads[V], moment: Moment) => Change };
