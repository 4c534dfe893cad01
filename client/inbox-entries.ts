import type { InboxEntry } from './inbox-entry.ts';
import { riskOf } from './risk.ts';
import type { Standing } from './standing.ts';
import type { RunSummary } from './types.ts';

/** What of one run waits for a person, a line for each thing that can be decided on its own. */
export function inboxEntries({ id, agent, requestedBy, startedAtMs }: RunSummary, standing: Standing): readonly InboxEntry[] {
  const { status, source, held, doubts, question, heldBy, handOver, reason = '', sinceMs = startedAtMs } = standing;
  const base = {
    run: id, status, source,
    ...(agent ? { agent } : {}),
    ...(requestedBy ? { requestedBy } : {}),
    ...(heldBy ? { heldBy } : {}),
  };
  const queue = handOver?.queue;
  return [
    ...held.map((view): InboxEntry => ({ ...base, ...view, kind: 'approval', risk: riskOf(view), sinceMs: view.heldAtMs })),
    ...(question ? [{ ...base, kind: 'question', question, sinceMs: question.askedAtMs } as const] : []),
    ...doubts.map((doubt): InboxEntry => ({ ...base, ...doubt, kind: 'outcome', sinceMs })),
    ...(status === 'handed_over' || (status === 'waiting_outcome' && doubts.length === 0)
      ? [{ ...base, kind: 'hand_over', reason, sinceMs, ...(handOver ? { handOver } : {}), ...(queue ? { queue } : {}) } as const]
      : []),
    ...(heldBy ? [{ ...base, kind: 'taken_over', sinceMs } as const] : []),
    ...(status === 'paused' ? [{ ...base, kind: 'paused', sinceMs } as const] : []),
  ];
}
