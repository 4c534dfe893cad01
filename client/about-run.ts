import { currentGoal } from '../core/current-goal.ts';
import type { RunProgress } from '../core/run.ts';
import { itemOf } from './trace-item.ts';
import type { Trace } from './types.ts';

/** What a run is after, and which agent in which form works on it. */
export type AboutRun = Partial<Pick<RunProgress, 'agent' | 'goal'>>;

/** As the record tells it, for runs that do not answer any more: of one that no worker has taken yet only what was asked. */
export function aboutRun({ entries, task }: Pick<Trace, 'entries' | 'task'>): AboutRun {
  const items = entries.flatMap((entry) => itemOf(entry) ?? []);
  const agent = items.find((item) => item.type === 'task')?.agent;
  // Without its first part the record may not name the goal; whoever changed it later is in there.
  const goal = currentGoal(items).goal || task;
  return { ...(agent ? { agent } : {}), ...(goal ? { goal } : {}) };
}
