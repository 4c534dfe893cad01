import type { EndCount } from '../api/overview.ts';

export type EndKind = EndCount['reason'];

/** How runs ended, a day a column. */
export interface EndDays {
  /** `2026-12-02`, every day from the first to the last, at least a week: a day without runs is one. */
  readonly days: readonly string[];
  readonly reasons: readonly EndKind[];
  readonly countsOf: (reason: EndKind) => readonly number[];
  /** Percent of a day's runs that ended at the step limit; nothing for a day without runs. */
  readonly stepLimitShare: readonly (number | null)[];
}

const DAY_MS = 86_400_000;

export function endDays(ends: readonly EndCount[]): EndDays {
  const days = daysBetween(ends.map(({ day }) => day));
  const reasons = [...new Set(ends.map(({ reason }) => reason))].sort((a, b) => runsOf(ends, b) - runsOf(ends, a));
  const countOn = (day: string, reason?: EndKind): number => runsOf(ends.filter((one) => one.day === day), reason);
  return {
    days, reasons,
    countsOf: (reason) => days.map((day) => countOn(day, reason)),
    stepLimitShare: days.map((day) => (countOn(day) === 0 ? null : (100 * countOn(day, 'step_limit')) / countOn(day))),
  };
}

/** Runs among these, of one reason or of all. */
export function runsOf(ends: readonly EndCount[], reason?: EndKind): number {
  return ends.reduce((sum, one) => sum + (reason === undefined || one.reason === reason ? one.runs : 0), 0);
}

function daysBetween(days: readonly string[]): readonly string[] {
  const times = days.map((day) => Date.parse(day));
  const last = Math.max(...times);
  const from = Math.min(...times, last - 6 * DAY_MS);
  return Array.from({ length: Math.round((last - from) / DAY_MS) + 1 }, (_, i) => new Date(from + i * DAY_MS).toISOString().slice(0, 10));
}
