import type { Overview } from '../../console/api/overview.ts';

/** No server can be given a past: figures of a month, made up, for the shapes of the charts. */
export const A_MONTH: Overview = {
  ends: Array.from({ length: 30 }, (_, at) => new Date(Date.UTC(2026, 10, 3 + at)).toISOString().slice(0, 10)).flatMap((day, at) => ([
    ['order-desk', 'final_answer', 9 + ((at * 7) % 5)], ['order-desk', 'step_limit', at < 20 ? at % 2 : 1 + Math.floor((at - 18) / 2)], ['order-desk', 'hand_over', at % 3],
    ['refunds', 'final_answer', 4 + (at % 3)], ['refunds', 'budget', at % 5 === 0 ? 1 : 0], ['refunds', 'cancelled', at % 7 === 0 ? 2 : 0],
  ] as const).flatMap(([agent, reason, runs]) => (runs > 0 && at % 6 !== 5 ? [{ agent, day, reason, runs }] : []))),
  endedRuns: 480, warnings: ['order-desk'],
  agents: [
    {
      agent: 'order-desk', runs: 60, turns: 4.2, cost: { INR: 1.9 }, decisions: 0, counters: { empty_results: 12, unseen_ids: 3, nudges: 5, bad_arguments: 1, format_errors: 0 },
      each: { turns: Array.from({ length: 60 }, (_, i) => 2 + ((i * i) % 7) + (i % 9 === 0 ? 4 : 0)), cost: { INR: Array.from({ length: 60 }, (_, i) => 0.4 + ((i * 37) % 41) / 12) }, decisionMs: [] },
    },
    {
      agent: 'refunds', runs: 40, turns: 5.5, cost: { INR: 3.1 }, decisions: 31, medianDecisionMs: 1_260_000, approvedUnchanged: 0.97, counters: { empty_results: 2, unseen_ids: 0, nudges: 1, bad_arguments: 4, format_errors: 0 },
      each: { turns: Array.from({ length: 40 }, (_, i) => 4 + ((i * 3) % 5)), cost: { INR: Array.from({ length: 40 }, (_, i) => 2 + ((i * 13) % 29) / 10) }, decisionMs: Array.from({ length: 31 }, (_, i) => 4_000 * 1.55 ** (i % 24)) },
    },
  ],
};
