import type { OrderCase } from './order-desk.ts';
import { lateRule } from './refund-policy.ts';
import type { LateRule } from './refund-policy.ts';

/** What an order's customer is owed by the policy; `amount` 0 with the reason in one word. */
export interface Owed {
  readonly amount: number;
  readonly rule?: LateRule;
  readonly reason: 'late' | 'in_time' | 'no_fee' | 'not_delivered' | 'no_rule';
}

export function owedBy({ facts, policy, minutesLate }: OrderCase): Owed {
  const rule = policy === undefined ? undefined : lateRule(policy);
  if (facts?.status !== 'delivered' || minutesLate === undefined) return { amount: 0, reason: facts?.status === 'delivered' ? 'no_rule' : 'not_delivered' };
  if (!rule) return { amount: 0, reason: 'no_rule' };
  if (minutesLate <= rule.overMinutes) return { amount: 0, rule, reason: 'in_time' };
  const [fee, price] = [Number(facts.fee ?? 0), Number(facts.price ?? 0)];
  const amount = rule.refunds === 'fee' ? fee : rule.refunds === 'price' ? price : fee + price;
  return { amount, rule, reason: amount > 0 ? 'late' : 'no_fee' };
}

const WHAT: Record<LateRule['refunds'], string> = { fee: 'the delivery fee', price: 'the price', both: 'price and delivery fee' };

export function whatIsRefunded({ refunds }: LateRule): string {
  return WHAT[refunds];
}
