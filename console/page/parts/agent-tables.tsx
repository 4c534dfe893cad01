import type { AgentFigures } from '../../api/agent-figures.ts';
import { fieldWords, moneyWords, numberWords, spanWords } from '../words.ts';
import { Table } from './table.tsx';

interface AgentsProps {
  readonly agents: readonly AgentFigures[];
}

/** What runs of each agent take, on average. */
export function AgentTable({ agents }: AgentsProps) {
  const rows = agents.map(({ agent, runs, turns, cost, decisions, medianDecisionMs, approvedUnchanged }) => ({
    key: agent,
    cells: [
      agent, runs, numberWords(turns), Object.entries(cost).map(([currency, amount]) => moneyWords({ amount: String(amount), currency })).join(', ') || undefined, decisions,
      medianDecisionMs === undefined ? undefined : spanWords(medianDecisionMs), approvedUnchanged === undefined ? undefined : `${Math.round(approvedUnchanged * 100)} %`,
    ],
  }));
  return <Table label="By agent" numbers columns={['Agent', 'Runs', 'Turns, mean', 'Cost, mean', 'Decisions', 'Half decided within', 'Approved as asked']} rows={rows} />;
}

/** The most frequent first; a guard that never stepped in is told in one line with the others. */
export function CounterTable({ agents }: AgentsProps) {
  const names = [...new Set(agents.flatMap(({ counters }) => Object.keys(counters)))];
  const counted = names.map((name) => ({ name, counts: agents.map(({ counters }) => counters[name as keyof typeof counters] ?? 0) }));
  const totalOf = ({ counts }: { readonly counts: readonly number[] }): number => counts.reduce((sum, count) => sum + count, 0);
  const some = counted.filter((one) => totalOf(one) > 0).sort((a, b) => totalOf(b) - totalOf(a));
  const none = counted.filter((one) => totalOf(one) === 0).map(({ name }) => fieldWords(name).toLowerCase());
  return (
    <>
      {some.length > 0 ? <Table label="Guard counters" numbers kind="counts" columns={['Counter', ...agents.map(({ agent }) => agent)]} rows={some.map(({ name, counts }) => ({ key: name, cells: [fieldWords(name), ...counts.map((count) => count || undefined)] }))} /> : null}
      {none.length > 0 ? <p class="quiet">Not once: {none.join(', ')}.</p> : null}
    </>
  );
}
