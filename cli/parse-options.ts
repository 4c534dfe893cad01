import { InvalidArgumentError } from 'commander';
import type { Budget, Form } from '../core/agent.ts';
import { durationMs } from '../core/duration.ts';
import type { LimitsInput } from '../core/run.ts';
import { OUTPUT_FORMATS, type OutputFormat } from './output.ts';

export function parseOutput(text: string): OutputFormat {
  const format = OUTPUT_FORMATS.find((known) => known === text);
  if (!format) throw new InvalidArgumentError(`use one of ${OUTPUT_FORMATS.join(', ')}`);
  return format;
}

export function parseForm(text: string): Form {
  if (text === 'text' || text === 'function-calling') return text;
  throw new InvalidArgumentError('use "function-calling" or "text"');
}

export function parsePositive(text: string): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (number < 1) throw new InvalidArgumentError('use a whole number from 1 on');
  return number;
}

export function parseDuration(text: string): number {
  const ms = durationMs(text);
  if (ms === undefined || ms <= 0) throw new InvalidArgumentError('use a number with its unit: 90s, 5m, 1h');
  return ms;
}

const CURRENCIES: Readonly<Record<string, string>> = { '₹': 'INR', $: 'USD', '€': 'EUR', '£': 'GBP', '¥': 'JPY' };
const NUMBER = String.raw`(\d[\d,]{0,17}(?:\.\d{1,9})?)`;
const TOKENS = new RegExp(`^${NUMBER} ?tokens?$`, 'i');
const SIGN_FIRST = new RegExp(`^([₹$€£¥]) ?${NUMBER}$`);
const CODE_FIRST = new RegExp(`^([A-Za-z]{3}) ?${NUMBER}$`);
const CODE_LAST = new RegExp(`^${NUMBER} ?([A-Za-z]{3})$`);

/** "₹20", "20 INR", "INR 20", "200000 tokens". */
export function parseBudget(text: string): Budget {
  const trimmed = text.trim();
  const tokens = TOKENS.exec(trimmed)?.[1];
  if (tokens) return { kind: 'tokens', tokens: Math.floor(Number(tokens.replaceAll(',', ''))) };
  const [, currency, amount] =
    SIGN_FIRST.exec(trimmed) ?? CODE_FIRST.exec(trimmed) ?? swapped(CODE_LAST.exec(trimmed)) ?? [];
  if (!currency || !amount)
    throw new InvalidArgumentError('use money with its currency ("₹20", "0.50 USD") or tokens ("200000 tokens")');
  return {
    kind: 'money',
    money: { amount: amount.replaceAll(',', ''), currency: CURRENCIES[currency] ?? currency.toUpperCase() },
  };
}

function swapped(match: RegExpExecArray | null): readonly (string | undefined)[] | undefined {
  return match ? [match[0], match[2], match[1]] : undefined;
}

/** Collects an option that may be given several times. */
export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

export interface LimitOptions {
  readonly maxTurns?: number;
  readonly budget?: Budget;
  readonly timeLimit?: number;
}

/** Limits as a run takes them; nothing when none was set. */
export function limitsOf({ maxTurns, budget, timeLimit }: LimitOptions): { readonly limits?: LimitsInput } {
  const limits: LimitsInput = {
    ...(maxTurns === undefined ? {} : { turns: maxTurns }),
    ...(budget ? { budget } : {}),
    ...(timeLimit === undefined ? {} : { timeMs: timeLimit }),
  };
  return Object.keys(limits).length > 0 ? { limits } : {};
}
