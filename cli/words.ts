import type { Budget } from '../core/agent.ts';
import { nano, type Money } from '../core/money.ts';
import type { EndReason, RunStatus, Usage } from '../core/run.ts';
import { durationText } from '../core/duration.ts';
import type { RunSummary } from '../client/types.ts';

/** End reasons in words; the name itself is printed beside them. */
export const END_REASON_WORDS: Readonly<Record<EndReason, string>> = {
  final_answer: 'answered',
  step_limit: 'its turns are used up',
  budget: 'its budget does not cover another model call',
  time_limit: 'its time is used up',
  repeating: 'it did the same thing again and again',
  no_progress: 'it got no further',
  hand_over: 'handed over to a person',
  cancelled: 'cancelled by a person',
  error: 'something it needs is broken',
};

const STATUS_WORDS: Readonly<Record<RunStatus | 'terminated' | 'failed', string>> = {
  running: 'running',
  waiting_approval: 'waits for an approval',
  waiting_answer: 'waits for an answer to its question',
  waiting_outcome: 'waits to hear what became of a call',
  paused: 'paused',
  handed_over: 'handed over, waits for a person',
  taken_over: 'taken over by a person',
  ended: 'ended',
  terminated: 'terminated from outside',
  failed: 'failed: closed without a result',
};

/** Every status that a list can tell of. */
export const STATUSES: readonly string[] = Object.keys(STATUS_WORDS);

export function statusWords(status: RunSummary['status']): string {
  return STATUS_WORDS[status];
}

/** `final_answer` → "answered (final_answer)"; a reason of a newer build stands for itself. */
export function endReasonText(reason: EndReason): string {
  return Object.hasOwn(END_REASON_WORDS, reason) ? `${END_REASON_WORDS[reason]} (${reason})` : reason;
}

const SIGNS: Readonly<Record<string, string>> = { INR: '₹', USD: '$', EUR: '€', GBP: '£', JPY: '¥' };

/** Money for people: two decimals, four below one unit where two would hide it, never shown as less than it is. */
export function moneyText({ amount, currency }: Money): string {
  const value = nano(amount) ?? 0n;
  const decimals = value !== 0n && value < UNIT && value % CENT !== 0n ? 4 : 2;
  const step = decimals === 4 ? UNIT / 10_000n : CENT;
  const steps = (value + step - 1n) / step;
  const digits = steps.toString().padStart(decimals + 1, '0');
  const number = `${grouped(digits.slice(0, -decimals))}.${digits.slice(-decimals)}`;
  const sign = SIGNS[currency];
  return sign ? `${sign}${number}` : `${number} ${currency}`;
}

const UNIT = 1_000_000_000n;
const CENT = UNIT / 100n;

export function numberText(value: number): string {
  return grouped(String(Math.round(value)));
}

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}

/** The same without decimals that are none. */
export function shortMoney(money: Money): string {
  return moneyText(money).replace(/\.00\b/, '');
}

export function budgetText(budget: Budget): string {
  return budget.kind === 'money'
    ? shortMoney(budget.money)
    : `${numberText(budget.tokens)} tokens`;
}

export interface KnownLimits {
  readonly turns?: number;
  readonly timeMs?: number;
  readonly budget?: Budget;
}

/** What a run used, against its limits where they are known. */
export function usageText(usage: Usage, limits: KnownLimits): string {
  const { budget } = limits;
  const tokens = usage.inputTokens + usage.outputTokens;
  const ofTokens = budget?.kind === 'tokens' ? ` (${numberText(tokens)} of ${numberText(budget.tokens)})` : '';
  const parts = [
    `${usage.turns}${limits.turns ? ` of ${limits.turns}` : ''} turns`,
    count(usage.modelCalls, 'model call'),
    count(usage.toolCalls, 'tool call'),
    `${numberText(usage.inputTokens)}→${numberText(usage.outputTokens)} tokens${ofTokens}`,
    ...(usage.cost ? [`${moneyText(usage.cost)}${budget?.kind === 'money' ? ` of ${budgetText(budget)}` : ''}`] : []),
    ...(usage.cost ? [] : ['no price known']),
    `${durationText(usage.activeMs)}${limits.timeMs ? ` of ${durationText(limits.timeMs)}` : ''} active`,
  ];
  return parts.join(' · ');
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** "1 min 4 s ago" and the like; the future, when clocks differ, is now. */
export function agoText(ms: number, nowMs: number): string {
  return `${durationText(Math.max(0, nowMs - ms))} ago`;
}
