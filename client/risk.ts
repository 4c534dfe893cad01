import type { Money } from '../core/money.ts';
import type { Elsewhere } from '../core/approval-facts.ts';
import type { HeldView, Person } from '../core/run.ts';

/** How much harm a yes could do, and why: what the run knows of the call, and nothing that anybody guessed. */
export interface Risk {
  readonly level: 'low' | 'some' | 'high';
  readonly reasons: readonly RiskReason[];
}

export type RiskReason =
  /** The run has had this effect before, or may have. */
  | { readonly kind: 'repeated'; readonly why: string }
  /** Another run of the same business case has had it, or began it. */
  | { readonly kind: 'elsewhere'; readonly elsewhere: Elsewhere }
  /** The amount stands nowhere in the evidence: the model made it. */
  | { readonly kind: 'amount_unseen'; readonly amount: Money }
  /** More than this role decides. */
  | { readonly kind: 'beyond_role'; readonly role: string; readonly upTo: Money }
  | { readonly kind: 'four_eyes' }
  /** The code that knows the rules of the tool is not deployed any more. */
  | { readonly kind: 'rules_gone' }
  /** What was checked, or who may decide, is not known here. */
  | { readonly kind: 'not_recorded' }
  /** A person has changed or ordered it: it is not what the agent asked for. */
  | { readonly kind: 'by_person'; readonly person: Person }
  | { readonly kind: 'once' }
  | { readonly kind: 'idempotent' };

const HIGH: readonly RiskReason['kind'][] = ['repeated', 'elsewhere', 'amount_unseen', 'beyond_role', 'four_eyes', 'rules_gone'];
const SOME: readonly RiskReason['kind'][] = ['not_recorded', 'by_person', 'once', 'idempotent'];

/** The worst reason stands first, and makes the level. */
export function riskOf(held: HeldView): Risk {
  const reasons = reasonsOf(held);
  const level = reasons.some(({ kind }) => HIGH.includes(kind)) ? 'high' : reasons.some(({ kind }) => SOME.includes(kind)) ? 'some' : 'low';
  return { level, reasons };
}

function reasonsOf({ why, repeats, amount, checks, beyond = [], fourEyes, editedBy, orderedBy, effect, fromRecord }: HeldView): readonly RiskReason[] {
  const person = editedBy ?? orderedBy;
  return [
    ...(repeats ? [{ kind: 'repeated', why } as const] : []),
    ...(checks?.elsewhere ? [{ kind: 'elsewhere', elsewhere: checks.elsewhere } as const] : []),
    ...(amount && checks?.amountSeen === false ? [{ kind: 'amount_unseen', amount } as const] : []),
    ...beyond.map(({ role, upTo }) => ({ kind: 'beyond_role', role, upTo }) as const),
    ...(fourEyes ? [{ kind: 'four_eyes' } as const] : []),
    ...(checks?.rules === false ? [{ kind: 'rules_gone' } as const] : []),
    ...(checks === undefined || fromRecord ? [{ kind: 'not_recorded' } as const] : []),
    ...(person ? [{ kind: 'by_person', person } as const] : []),
    ...(effect ? [{ kind: effect } as const] : []),
  ];
}
