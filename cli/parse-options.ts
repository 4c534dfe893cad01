import { InvalidArgumentError } from 'commander';
import type { Budget, Form } from '../core/agent.ts';
import { parseBudget } from '../core/budget-text.ts';
import { durationMs } from '../core/duration.ts';
import { budgetProblem } from '../core/limits.ts';
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

/** "₹20", "20 INR", "INR 20", "200000 tokens"; above zero. */
export function parseBudgetOption(text: string): Budget {
  const budget = parseBudget(text);
  if (!budget || budgetProblem(budget)) {
    throw new InvalidArgumentError('use money with its currency ("₹20", "12.50 INR") or tokens ("200000 tokens"), above 0');
  }
  return budget;
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
