import { parseBudget } from '../core/budget-text.ts';
import type { Money } from '../core/money.ts';

/** The money that a text means (`25 INR`, `₹25`, `$0.50`); `undefined` for anything else. */
export function moneyOf(text: string): Money | undefined {
  const parsed = parseBudget(text);
  return parsed?.kind === 'money' ? parsed.money : undefined;
}
