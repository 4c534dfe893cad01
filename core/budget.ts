import type { Budget } from './agent.ts';
import { costOf, nanoOf } from './money.ts';
import { itemBytes, reminderBytes } from './prompt.ts';
import type { RunState } from './state.ts';
import type { Item, ReplyItem } from './transcript.ts';

/** Text that was sent before may take this much more than at the run's densest: it stands among other text now. */
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
 * Bounds the next call from above. Text that no reported prompt has held yet is reserved at a token a byte, more than any
 * tokenizer needs: the run's densest prompt says nothing of it, and a result full of digits, or in another script, is
 * several times as dense as the words before it. For the rest the densest prompt and a margin hold. The output is capped
 * by the request itself.
 */
export function reservation(state: RunState): Reservation {
  const reminder = reminderBytes(state.goal, state.constraints, state.todo);
  const promptBytes = state.measure.bytes + reminder;
  const inputTokens = tokensBound(state, { promptBytes, reminder });
  const { outputTokens } = state.limits;
  return { promptBytes, inputTokens, outputTokens, worst: priceOf(state, { inputTokens, outputTokens }) };
}

function tokensBound({ measure, items, agent }: RunState, { promptBytes, reminder }: { readonly promptBytes: number; readonly reminder: number }): number {
  const at = measure.reported ? items.findLastIndex((item) => item.type === 'reply' && isReported(item)) : -1;
  const reply = items[at];
  if (measure.reported && agent.reservesNewText !== true) return Math.ceil(promptBytes * Math.min(1, measure.tokensPerByte * DENSITY_MARGIN));
  if (reply?.type !== 'reply') return promptBytes;
  const fresh = items.slice(firstUnsent(items, at)).reduce((sum, item) => sum + itemBytes(item), reminder);
  const known = Math.max(0, promptBytes - fresh);
  // A server that adds text of its own takes more than a token a byte; what it took is then the least it takes again.
  const most = known * Math.max(1, measure.tokensPerByte);
  // What a mark left out may have been the lighter part: what stays never takes more than the whole took.
  const usual = Math.max(known * measure.tokensPerByte * DENSITY_MARGIN, reply.usage.inputTokens);
  return Math.ceil(Math.min(most, usual)) + Math.min(fresh, promptBytes);
}

/** Usage that a provider gave; a reservation would confirm itself. */
function isReported({ usage }: ReplyItem): boolean {
  return usage.estimatedTokens === 0 && usage.promptBytes > 0;
}

/** A reply was in no prompt yet, and what arrived while it was made (a person's message) stands before it. */
function firstUnsent(items: readonly Item[], reply: number): number {
  const sent = items.findLastIndex(({ type }, i) => i < reply && (type === 'reply' || type === 'observation' || type === 'task' || type === 'summary'));
  return sent + 1;
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
