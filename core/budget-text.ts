import type { Budget } from './agent.ts';
import { nano } from './money.ts';
import { plainNumber } from './seen-words.ts';

const SYMBOLS: ReadonlyMap<string, string> = new Map([
  ['₹', 'INR'], ['RS', 'INR'], ['RS.', 'INR'], ['$', 'USD'], ['US$', 'USD'], ['€', 'EUR'], ['£', 'GBP'], ['¥', 'JPY'],
]);

const DIGITS_FIRST = /^(\d[\d.,]*)\s*([^\d\s.,]{1,6})$/;
const DIGITS_LAST = /^([^\d\s]{1,3})\s*(\d[\d.,]*|\.\d+)$/;
/** The longest text that can be a budget. */
const TEXT_MAX = 40;

/**
 * The budget that a text means: `₹20`, `$0.50`, `INR 1,000`, `20 EUR`, `5000 tokens`. A currency is its symbol or its ISO
 * 4217 code in capitals. `undefined` for everything else, for 0 and for a number that stands alone, since that could be
 * either.
 */
export function parseBudget(text: string): Budget | undefined {
  const trimmed = text.trim();
  if (trimmed.length > TEXT_MAX) return undefined;
  const behind = DIGITS_FIRST.exec(trimmed);
  if (behind) return budgetOf(behind[1] ?? '', behind[2] ?? '');
  const before = DIGITS_LAST.exec(trimmed);
  return before ? budgetOf(before[2] ?? '', before[1] ?? '') : undefined;
}

function budgetOf(digits: string, unit: string): Budget | undefined {
  const number = plainNumber(digits);
  const size = number === undefined ? undefined : nano(number);
  if (number === undefined || size === undefined || size <= 0n) return undefined;
  if (/^tokens?$/i.test(unit)) {
    const tokens = Number(number);
    return Number.isSafeInteger(tokens) ? { kind: 'tokens', tokens } : undefined;
  }
  const currency = SYMBOLS.get(unit.toUpperCase()) ?? (/^[A-Z]{3}$/.test(unit) ? unit : undefined);
  return currency ? { kind: 'money', money: { amount: number, currency } } : undefined;
}
