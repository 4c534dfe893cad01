import type { JsonObject } from './json.ts';
import type { LimitsInput, Person } from './run.ts';

/**
 * What a person can do to a run. Each verb is a Signal and an Update of the same name with the same payload; `id` is
 * the decision's own, so that a decision that is sent twice is applied once.
 */
export interface Decision {
  readonly id: string;
  readonly by: Person;
}

export interface VerbPayloads {
  readonly cancel: Decision & { readonly reason: string };
  readonly pause: Decision & { readonly reason?: string };
  readonly resume: Decision & { readonly note?: string; readonly goal?: string; readonly limits?: LimitsInput };
  readonly resolve: Decision & { readonly answer: string | JsonObject };
  readonly message: Decision & { readonly text: string };
  readonly redirect: Decision & { readonly goal?: string; readonly constraints?: readonly string[] };
  readonly answer: Decision & { readonly call?: string; readonly text: string };
}

export type Verb = keyof VerbPayloads;
export const VERBS: readonly Verb[] = ['cancel', 'pause', 'resume', 'resolve', 'message', 'redirect', 'answer'];

/** What an Update answers. A late or foreign decision is refused with the reason, and is in the record all the same. */
export type VerbOutcome = { readonly applied: true; readonly text: string } | { readonly applied: false; readonly because: string };
