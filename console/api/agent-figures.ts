import type { Counters } from '../../core/agent.ts';
import type { RunFigures } from './run-figures.ts';

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
  /** What single runs and decisions took, in no order: how they are spread. */
  readonly each: {
    readonly turns: readonly number[];
    readonly cost: Readonly<Record<string, readonly number[]>>;
    readonly decisionMs: readonly number[];
  };
}

export function figuresByAgent(figures: readonly RunFigures[]): readonly AgentFigures[] {
  const names = [...new Set(figures.map(({ agent }) => agent))].sort();
  return names.map((agent) => figuresOfAgent(agent, figures.filter((one) => one.agent === agent)));
}

function figuresOfAgent(agent: string, own: readonly RunFigures[]): AgentFigures {
  const decisionMs = own.flatMap((one) => one.decisionMs).sort((a, b) => a - b);
  const decided = sum(own.map((one) => one.decided));
  const turns = own.map((one) => one.turns);
  const costs = costsOf(own);
  return {
    agent, runs: own.length, turns: mean(turns),
    cost: Object.fromEntries(costs.map(([currency, amounts]) => [currency, mean(amounts)])),
    decisions: decisionMs.length,
    ...(decisionMs.length > 0 ? { medianDecisionMs: decisionMs[Math.floor((decisionMs.length - 1) / 2)] } : {}),
    ...(decided > 0 ? { approvedUnchanged: sum(own.map((one) => one.unchanged)) / decided } : {}),
    counters: addCounters(own.map(({ counters }) => counters)),
    each: { turns, cost: Object.fromEntries(costs), decisionMs },
  };
}

function costsOf(runs: readonly RunFigures[]): readonly (readonly [currency: string, amounts: readonly number[]])[] {
  const costs = runs.flatMap(({ cost }) => (cost ? [cost] : []));
  const currencies = [...new Set(costs.map(({ currency }) => currency))];
  return currencies.map((currency) => [currency, costs.filter((one) => one.currency === currency).map(({ amount }) => Number(amount))]);
}

function addCounters(all: readonly RunFigures['counters'][]): RunFigures['counters'] {
  const total: Partial<Record<keyof Counters, number>> = {};
  for (const counters of all) {
    for (const [name, value] of Object.entries(counters)) total[name as keyof Counters] = (total[name as keyof Counters] ?? 0) + value;
  }
  return total;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : sum(values) / values.length;
}
