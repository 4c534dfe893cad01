import type { Counters } from '../../core/agent.ts';
import type { EndReason } from '../../core/run.ts';
import type { ServerAccess } from '../../client/server-access.ts';
import type { CaseworkerClient, RunSummary } from '../../client/types.ts';
import { mapSome } from './map-some.ts';
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

/** Over the latest runs of an agent that were read whole, at most 100 of all agents. */
export interface AgentFigures {
  readonly agent: string;
  readonly runs: number;
  readonly turns: number;
  /** Decimal, by currency: the mean of those runs whose cost is known. */
  readonly cost: Readonly<Record<string, number>>;
  readonly decisions: number;
  /** Half of the decisions took no longer. */
  readonly medianDecisionMs?: number;
  /** Share of the decided calls that were approved as they were: each of them might have run unasked. */
  readonly approvedUnchanged?: number;
  readonly counters: Readonly<Partial<Record<keyof Counters, number>>>;
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

function figuresByAgent(figures: readonly RunFigures[]): readonly AgentFigures[] {
  const names = [...new Set(figures.map(({ agent }) => agent))].sort();
  return names.map((agent) => {
    const own = figures.filter((one) => one.agent === agent);
    const decisions = own.flatMap(({ decisionMs }) => decisionMs).sort((a, b) => a - b);
    const decided = sum(own.map((one) => one.decided));
    const currencies = [...new Set(own.flatMap(({ cost }) => (cost ? [cost.currency] : [])))];
    return {
      agent, runs: own.length, turns: mean(own.map(({ turns }) => turns)),
      cost: Object.fromEntries(currencies.map((currency) => [currency, mean(own.flatMap(({ cost }) => (cost?.currency === currency ? [Number(cost.amount)] : [])))])),
      decisions: decisions.length,
      ...(decisions.length > 0 ? { medianDecisionMs: decisions[Math.floor((decisions.length - 1) / 2)] } : {}),
      ...(decided > 0 ? { approvedUnchanged: sum(own.map((one) => one.unchanged)) / decided } : {}),
      counters: addCounters(own.map(({ counters }) => counters)),
    };
  });
}

function addCounters(all: readonly RunFigures['counters'][]): RunFigures['counters'] {
  const total: Partial<Record<keyof Counters, number>> = {};
  for (const counters of all) {
    for (const [name, value] of Object.entries(counters)) total[name as keyof Counters] = (total[name as keyof Counters] ?? 0) + value;
  }
  return total;
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

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : sum(values) / values.length;
}
