import { InvalidArgumentError } from 'commander';
import type { Budget, Form } from '../core/agent.ts';
import { parseBudget } from '../core/budget-text.ts';
import { durationMs } from '../core/duration.ts';
import { isJsonObject, type JsonObject } from '../core/json.ts';
import { budgetProblem } from '../core/limits.ts';
import type { LimitsInput } from '../core/run.ts';
import { OUTPUT_FORMATS, type OutputFormat } from './output.ts';
import { STATUSES } from './words.ts';

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

/** The hash of held arguments as inbox and show print it: its first characters are enough. */
export function parseHash(text: string): string {
  if (!/^[0-9a-f]{8,64}$/.test(text)) throw new InvalidArgumentError('use the hash that inbox or show prints, at least 8 of its characters');
  return text;
}

export function parseObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch (error) {
    throw new InvalidArgumentError(`it is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  throw new InvalidArgumentError(`use a JSON object: '{"order_id":"88213"}'`);
}

/** Collects an option that may be given several times. */
export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

export function collectPositions(text: string, before: readonly number[] = []): readonly number[] {
  return [...before, parsePositive(text)];
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

/** Text stays text unless all of it is a JSON object: "25" is an answer, not a number. */
export function textOrObject(text: string): string | JsonObject {
  if (!text.trimStart().startsWith('{')) return text;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : text;
  } catch {
    return text;
  }
}

/** One that no run can have would only ever find none. */
export function parseStatus(text: string): string {
  if (STATUSES.includes(text)) return text;
  throw new InvalidArgumentError(`use one of ${STATUSES.join(', ')}`);
}
