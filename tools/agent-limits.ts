import type { Budget, Limits } from '../core/agent.ts';
import { parseBudget } from '../core/budget-text.ts';
import { durationMs } from '../core/duration.ts';
import { wholeNumberProblem } from '../core/limits.ts';

/** Limits as an author writes them: durations and money with their units. Everything absent is the default. */
export interface AgentLimits {
  /** Model replies; default 12. */
  readonly turns?: number;
  /** `₹20`, `$0.50`, `INR 20`, `5000 tokens`; default ₹20 where a price is known, else 200,000 tokens. */
  readonly budget?: string;
  /** Active time; default `120s`. */
  readonly timeLimit?: string;
  /** Equal calls with equal results; default 3. */
  readonly repeats?: number;
  /** Turns without anything new; default 3. */
  readonly idleTurns?: number;
  /** Output tokens of one model call; default 1024. */
  readonly outputTokens?: number;
  /** Time-out of one model call; default `60s`. */
  readonly modelCall?: string;
  /** Attempts of one model call; default 5. */
  readonly modelAttempts?: number;
  /** How long a stopped run waits for a person; default `30d`. */
  readonly wait?: string;
}

const COUNT_MAX = { turns: 10_000, repeats: 100, idleTurns: 100, outputTokens: 1_000_000, modelAttempts: 20 } as const;
const NAMES: readonly string[] = [...Object.keys(COUNT_MAX), 'budget', 'timeLimit', 'modelCall', 'wait'];

/** The limits that are set, in the core's units. Throws with what is wrong: 0, negative, NaN, null or odd text is never "no limit". */
export function parseLimits(input: AgentLimits): Partial<Limits> {
  const odd = Object.keys(input).find((name) => !NAMES.includes(name));
  if (odd !== undefined) throw new Error(`there is no limit "${odd}": use ${NAMES.join(', ')}`);
  if (input.repeats === 1) throw new Error('limits.repeats must be 2 or more: the first call repeats nothing');
  return present({
    turns: count(input, 'turns'),
    repeats: count(input, 'repeats'),
    idleTurns: count(input, 'idleTurns'),
    outputTokens: count(input, 'outputTokens'),
    modelAttempts: count(input, 'modelAttempts'),
    timeMs: duration(input, 'timeLimit'),
    modelCallMs: duration(input, 'modelCall'),
    waitMs: duration(input, 'wait'),
    budget: budget(input),
  });
}

function count(input: AgentLimits, name: keyof typeof COUNT_MAX): number | undefined {
  const value = input[name];
  const problem = value === undefined ? undefined : wholeNumberProblem(`limits.${name}`, value, COUNT_MAX[name]);
  if (problem) throw new Error(problem);
  return value;
}

function duration(input: AgentLimits, name: 'timeLimit' | 'modelCall' | 'wait'): number | undefined {
  const text: unknown = input[name];
  if (text === undefined) return undefined;
  const ms = typeof text === 'string' ? durationMs(text) : undefined;
  if (ms === undefined || ms <= 0) throw new Error(`limits.${name} must be a number above 0 with its unit, e.g. "90s" or "2h", not ${JSON.stringify(text)}`);
  return ms;
}

function budget(input: AgentLimits): Budget | undefined {
  const text: unknown = input.budget;
  if (text === undefined) return undefined;
  const parsed = typeof text === 'string' ? parseBudget(text) : undefined;
  if (!parsed) throw new Error(`limits.budget must be money with its currency or tokens, above 0, e.g. "₹20", "0.50 USD" or "5000 tokens", not ${JSON.stringify(text)}`);
  return parsed;
}

type WithUndefined<T> = { readonly [K in keyof T]: T[K] | undefined };

function present(limits: WithUndefined<Limits>): Partial<Limits> {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}
