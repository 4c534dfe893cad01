import type { EndReason } from '../../core/run.ts';
import type { ServerAccess } from '../../client/server-access.ts';
import type { CaseworkerClient, RunSummary } from '../../client/types.ts';
import { figuresByAgent } from './agent-figures.ts';
import type { AgentFigures } from './agent-figures.ts';
import { mapSome } from '../../client/map-some.ts';
import { figuresOf } from './run-figures.ts';
import type { RunFigures } from './run-figures.ts';
import { pageOfRuns } from './run-pages.ts';

/** Runs of one agent that ended on one day (UTC) for one reason. */
export interface EndCount {
  readonly agent: string;
  readonly day: string;
  readonly reason: EndReason | 'terminated' | 'failed';
  readonly runs: number;
}

export interface Overview {
  /** Of the latest ended runs, at most 2,000. */
  readonly ends: readonly EndCount[];
  readonly endedRuns: number;
  readonly agents: readonly AgentFigures[];
  /** Agents of which a larger share of runs ends at the step limit than before. */
  readonly warnings: readonly string[];
}

const MOST_RUNS = 2_000;
const PAGE_ROWS = 1_000;
const MOST_READ = 100;
const AT_ONCE = 6;
/** How long an overview is good enough. */
const FRESH_MS = 10_000;

/** Reads the overview; ended runs do not change, so what was read of each is kept. */
export function createOverview(access: ServerAccess, client: CaseworkerClient): () => Promise<Overview> {
  const known = new Map<string, RunFigures>();
  let last: { readonly atMs: number; readonly value: Promise<Overview> } | undefined;
  return () => {
    if (last && Date.now() - last.atMs < FRESH_MS) return last.value;
    const value = readOverview(access, client, known);
    last = { atMs: Date.now(), value };
    value.catch(() => { last = undefined; });
    return value;
  };
}

async function readOverview(access: ServerAccess, client: CaseworkerClient, known: Map<string, RunFigures>): Promise<Overview> {
  const ended = await endedRuns(access);
  const figures = await mapSome(ended.slice(0, MOST_READ), AT_ONCE, async (run) => {
    const key = `${run.id}@${run.startedAtMs}`;
    const before = known.get(key);
    if (before) return before;
    const read = figuresOf(run, await client.trace(run.id).then(({ entries }) => entries, () => []));
    known.set(key, read);
    return read;
  });
  for (const key of [...known.keys()].slice(0, Math.max(0, known.size - 10 * MOST_READ))) known.delete(key);
  return { ends: countEnds(ended), endedRuns: ended.length, agents: figuresByAgent(figures), warnings: warningsOf(ended) };
}

async function endedRuns(access: ServerAccess): Promise<readonly RunSummary[]> {
  const runs: RunSummary[] = [];
  let token: string | undefined;
  do {
    const page = await pageOfRuns(access, { query: 'ExecutionStatus != "Running"' }, { limit: PAGE_ROWS, ...(token ? { token } : {}) });
    runs.push(...page.runs);
    token = page.next;
  } while (token && runs.length < MOST_RUNS);
  return runs;
}

function reasonOf({ status, endReason }: RunSummary): EndCount['reason'] | undefined {
  return status === 'terminated' || status === 'failed' ? status : endReason;
}

function countEnds(runs: readonly RunSummary[]): readonly EndCount[] {
  const counts = new Map<string, EndCount>();
  for (const run of runs) {
    const reason = reasonOf(run);
    if (!reason || run.closedAtMs === undefined) continue;
    const day = new Date(run.closedAtMs).toISOString().slice(0, 10);
    const one = { agent: run.agent ?? '?', day, reason, runs: 0 };
    const key = JSON.stringify([one.agent, day, reason]);
    counts.set(key, { ...one, runs: (counts.get(key)?.runs ?? 0) + 1 });
  }
  return [...counts.values()].sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
}

/** Runs compared: so many latest ones of an agent with so many before them. */
const COMPARED = 20;
/** A share that has grown by less may be chance. */
const GROWN_BY = 0.15;

function warningsOf(runs: readonly RunSummary[]): readonly string[] {
  const names = [...new Set(runs.map(({ agent }) => agent ?? '?'))];
  return names.filter((name) => {
    const own = runs.filter(({ agent = '?' }) => agent === name).sort((a, b) => (b.closedAtMs ?? 0) - (a.closedAtMs ?? 0));
    const [latest, before] = [own.slice(0, COMPARED), own.slice(COMPARED, 2 * COMPARED)];
    return latest.length === COMPARED && before.length === COMPARED && stepLimitShare(latest) - stepLimitShare(before) >= GROWN_BY;
  });
}

function stepLimitShare(runs: readonly RunSummary[]): number {
  return runs.filter(({ endReason }) => endReason === 'step_limit').length / runs.length;
}
