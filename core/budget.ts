import type { Budget } from './agent.ts';
import { costOf, divideUp, nanoOf } from './money.ts';
import { reminderBytes } from './prompt.ts';
import type { RunState } from './state.ts';

/** Once usage is known, the next prompt may be this much denser in tokens than the densest so far. */
const DENSITY_MARGIN = 1.2;

/** The most that the next model call can take, known before it is made. */
export interface Reservation {
  readonly promptBytes: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In the unit of the budget: nano-units of money, or tokens. */
  readonly worst: bigint;
}

/**
 * Bounds the next call from above: a prompt has at most one token a byte, and after the first report at most the
 * densest prompt of this run and a margin; the output is capped by the request itself.
 */
export function reservation(state: RunState): Reservation {
  const promptBytes = state.measure.bytes + reminderBytes(state.goal, state.constraints, state.todo);
  const density = state.measure.reported ? Math.min(1, state.measure.tokensPerByte * DENSITY_MARGIN) : 1;
  const inputTokens = Math.ceil(promptBytes * density);
  const { outputTokens } = state.limits;
  return { promptBytes, inputTokens, outputTokens, worst: priceOf(state, { inputTokens, outputTokens }) };
}

/** What is left of the budget, in its unit; negative when a reply cost more than was reserved. */
export function budgetLeft(state: RunState): bigint {
  return size(state.limits.budget) - spent(state);
}

/** Attempts of the next call that fit what is left: 0 means that not even one does. */
export function affordableAttempts(state: RunState): number {
  const { worst } = reservation(state);
  const left = budgetLeft(state);
  if (left < worst) return 0;
  if (worst === 0n) return state.limits.modelAttempts;
  const fit = left / worst;
  return fit > BigInt(state.limits.modelAttempts) ? state.limits.modelAttempts : Number(fit);
}

function size(budget: Budget): bigint {
  return budget.kind === 'money' ? nanoOf(budget.money) : BigInt(budget.tokens);
}

function spent({ limits, usage }: RunState): bigint {
  if (limits.budget.kind === 'tokens') return BigInt(usage.inputTokens + usage.outputTokens);
  return usage.cost ? nanoOf(usage.cost) : 0n;
}

function priceOf({ limits, agent }: RunState, tokens: { inputTokens: number; outputTokens: number }): bigint {
  if (limits.budget.kind === 'tokens') return BigInt(tokens.inputTokens + tokens.outputTokens);
  return agent.prices ? costOf(tokens, agent.prices) : 0n;
}

/** Whole percent of the budget that is used, for people; rounded up so that 0 means nothing. */
export function budgetPercent(state: RunState): number {
  const total = size(state.limits.budget);
  return total === 0n ? 100 : Number(divideUp(spent(state) * 100n, total));
}
