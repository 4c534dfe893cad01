import type { OrderCase } from './order-desk.ts';
import { lateRule } from './refund-policy.ts';
import type { LateRule } from './refund-policy.ts';

/** What an order's customer is owed by the policy; `amount` 0 with the reason in one word. */
export interface Owed {
  readonly amount: number;
  /** What the amount is made of; more than one have to be added up. */
  readonly parts: readonly number[];
  readonly rule?: LateRule;
  readonly reason: 'late' | 'in_time' | 'no_fee' | 'not_delivered' | 'no_rule';
}

export function owedBy({ facts, policy, minutesLate }: OrderCase): Owed {
  const rule = policy === undefined ? undefined : lateRule(policy);
  if (facts?.status !== 'delivered' || minutesLate === undefined) return nothing(facts?.status === 'delivered' ? 'no_rule' : 'not_delivered');
  if (!rule) return nothing('no_rule');
  if (minutesLate <= rule.overMinutes) return nothing('in_time', rule);
  const [fee, price] = [Number(facts.fee ?? 0), Number(facts.price ?? 0)];
  const parts = (rule.refunds === 'fee' ? [fee] : rule.refunds === 'price' ? [price] : [price, fee]).filter((part) => part > 0);
  const amount = parts.reduce((sum, part) => sum + part, 0);
  return amount > 0 ? { amount, parts, rule, reason: 'late' } : nothing('no_fee', rule);
}

function nothing(reason: Owed['reason'], rule?: LateRule): Owed {
  return { amount: 0, parts: [], reason, ...(rule ? { rule } : {}) };
}

const WHAT: Record<LateRule['refunds'], string> = { fee: 'the delivery fee', price: 'the price', both: 'price and delivery fee' };

export function whatIsRefunded({ refunds }: LateRule): string {
  return WHAT[refunds];
}
