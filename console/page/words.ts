import type { EffectLine } from '../../client/types.ts';
import type { Money } from '../../core/money.ts';
import type { EndReason, RunStatus } from '../../core/run.ts';
import type { ObservationStatus } from '../../core/transcript.ts';
import type { Budget } from '../../core/agent.ts';

export const END_WORDS: Readonly<Record<EndReason | 'terminated' | 'failed', string>> = {
  final_answer: 'answered', step_limit: 'turns used up', budget: 'budget used up', time_limit: 'time used up', repeating: 'repeated itself',
  no_progress: 'got no further', hand_over: 'handed over', cancelled: 'cancelled', error: 'something is broken', terminated: 'terminated from outside', failed: 'closed without a result',
};

export const STATUS_WORDS: Readonly<Record<RunStatus | 'terminated' | 'failed', string>> = {
  running: 'running', waiting_approval: 'waits for approval', waiting_answer: 'waits for an answer', waiting_outcome: 'outcome unknown',
  paused: 'paused', handed_over: 'handed over', taken_over: 'taken over', ended: 'ended', terminated: 'terminated', failed: 'failed',
};

/** What became of an action. */
export const OBSERVED_WORDS: Readonly<Record<ObservationStatus, string>> = {
  ok: 'done', empty: 'found nothing', error: 'failed', denied: 'refused', skipped: 'not run', unknown: 'outcome unknown',
};

/** How it stands with a change in the world. */
export const EFFECT_WORDS: Readonly<Record<EffectLine['outcome'], string>> = {
  asked: 'not begun', held: 'held', running: 'under way', earlier: 'done before by another run', ok: 'done', error: 'failed', unknown: 'outcome unknown',
};

/** `order_id` → "Order id": what a field is called, for people. */
export function fieldWords(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[_.-]+/g, ' ').trim();
  return words === '' ? name : words[0]!.toUpperCase() + words.slice(1);
}

/** As the person's own locale writes it; an amount or currency that Intl does not take stands as it is. */
export function moneyWords({ amount, currency }: Money): string {
  try {
    const value = Number(amount);
    const small = value !== 0 && Math.abs(value) < 1;
    return new Intl.NumberFormat(undefined, { style: 'currency', currency, ...(small ? { maximumFractionDigits: 4 } : {}) }).format(value);
  } catch {
    return `${amount} ${currency}`;
  }
}

export function budgetWords(budget: Budget): string {
  return budget.kind === 'money' ? moneyWords(budget.money) : `${numberWords(budget.tokens)} tokens`;
}

export function numberWords(value: number): string {
  return new Intl.NumberFormat().format(Math.round(value * 100) / 100);
}

const TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

export function timeWords(ms: number): string {
  return TIME.format(ms);
}

const DAY = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** A day as the server counts days, `2026-12-02`. */
export function dayWords(day: string): string {
  return DAY.format(Date.parse(day));
}

export function clockWords(ms: number): string {
  return CLOCK.format(ms);
}

const UNITS = [['d', 86_400_000], ['h', 3_600_000], ['min', 60_000], ['s', 1_000]] as const;

/** The two largest units: "2 d 3 h". */
export function spanWords(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  const at = UNITS.findIndex(([, size]) => ms >= size);
  const [name, size] = UNITS[at] ?? UNITS[3];
  const next = UNITS[at + 1];
  const rest = next ? Math.floor((ms % size) / next[1]) : 0;
  return `${Math.floor(ms / size)} ${name}${next && rest > 0 ? ` ${rest} ${next[0]}` : ''}`;
}
