import type { Money } from '../../core/money.ts';
import type { ServerAccess } from '../../client/server-access.ts';
import type { CaseworkerClient } from '../../client/types.ts';
import { mapSome } from '../../client/map-some.ts';
import { pageOfRuns } from './run-pages.ts';
import type { RunFilter } from './run-pages.ts';

/** What runs that go on have cost so far, as they say themselves. */
export interface PresentCosts {
  /** By the run's id; without those that nobody answered for, or that have no price. */
  readonly costs: Readonly<Record<string, Money>>;
  readonly atMs: number;
}

/** Each is a question to a worker: enough for the rows that somebody looks at. */
const MOST_RUNS = 20;
const AT_ONCE = 4;
/** After this no more are asked: with no worker up each answer that does not come takes seconds. */
const PATIENCE_MS = 2_500;
/** However many pages are open, workers are asked this often. */
const FRESH_MS = 10_000;
const MOST_KEPT = 100;

/** The list's own cost is that of a run's last change of status; this asks the newest running ones. A run that waits spends nothing. */
export function createPresentCosts(access: ServerAccess, client: CaseworkerClient): (filter: RunFilter) => Promise<PresentCosts> {
  const kept = new Map<string, { readonly atMs: number; readonly value: Promise<PresentCosts> }>();
  return (filter) => {
    const key = JSON.stringify(filter);
    const before = kept.get(key);
    if (before && Date.now() - before.atMs < FRESH_MS) return before.value;
    const value = readCosts(access, client, filter);
    kept.delete(key);
    kept.set(key, { atMs: Date.now(), value });
    for (const old of [...kept.keys()].slice(0, Math.max(0, kept.size - MOST_KEPT))) kept.delete(old);
    value.catch(() => kept.delete(key));
    return value;
  };
}

async function readCosts(access: ServerAccess, client: CaseworkerClient, filter: RunFilter): Promise<PresentCosts> {
  const atMs = Date.now();
  if (filter.status !== undefined && filter.status !== 'running') return { costs: {}, atMs };
  const { runs } = await pageOfRuns(access, { ...filter, status: 'running' }, { limit: MOST_RUNS });
  const costs = await mapSome(runs, AT_ONCE, async ({ id }) => {
    if (Date.now() - atMs > PATIENCE_MS) return [];
    // It may have ended and be forgotten by now.
    const progress = await client.progress(id).catch(() => undefined);
    return progress?.usage.cost ? [[id, progress.usage.cost] as const] : [];
  });
  return { costs: Object.fromEntries(costs.flat()), atMs };
}
