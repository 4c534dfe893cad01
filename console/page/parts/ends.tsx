import type { EndCount } from '../../api/overview.ts';
import { endDays, runsOf } from '../end-days.ts';
import type { EndDays, EndKind } from '../end-days.ts';
import { dayWords, END_WORDS } from '../words.ts';
import { Chart } from './chart.tsx';
import { Table } from './table.tsx';

/** One colour for a reason wherever it is drawn, readable on light and dark. */
const COLOURS: Readonly<Record<EndKind, string>> = {
  final_answer: '#2f9e5f', step_limit: '#d97706', budget: '#8a63d2', time_limit: '#3b82f6', repeating: '#cf4a94', no_progress: '#0e8f9b',
  hand_over: '#5b7fa6', cancelled: '#7f8a99', error: '#d64545', terminated: '#a0764b', failed: '#b5523b',
};

interface EndsProps {
  readonly ends: readonly EndCount[];
  /** Agents of which a rising share ends at the step limit. */
  readonly rising: readonly string[];
}

/** How runs ended: by day and by agent, and what share of them at the step limit. */
export function Ends({ ends, rising }: EndsProps) {
  const days = endDays(ends);
  const labels = days.days.map(dayWords);
  return (
    <>
      <div class="charts">
        <section class="card" aria-label="Runs that ended, by day">
          <h3>Runs that ended, by day</h3>
          <Chart label="Runs that ended, by day and by how they ended" data={{
            kind: 'bars', labels, upTo: 1, rows: days.reasons.map((reason) => ({ name: END_WORDS[reason], colour: COLOURS[reason], values: days.countsOf(reason) })),
          }} />
        </section>
        <section class="card" aria-label="Share that ended at the step limit">
          <h3>Share that ended at the step limit{rising.length > 0 ? <span class="status small waits">rising: {rising.join(', ')}</span> : null}</h3>
          <Chart label="Percent of a day's runs that ended at the step limit" data={{
            kind: 'line', labels, upTo: 25, unit: ' %', rows: [{ name: END_WORDS.step_limit, colour: COLOURS.step_limit, values: days.stepLimitShare }],
          }} />
        </section>
      </div>
      <EndTable days={days} />
      <AgentEnds ends={ends} reasons={days.reasons} />
    </>
  );
}

function EndTable({ days: { days, reasons, countsOf, stepLimitShare } }: { readonly days: EndDays }) {
  const counts = reasons.map(countsOf);
  const rows = days.map((day, at) => ({ key: day, cells: [day, ...counts.map((row) => row[at] || undefined), percent(stepLimitShare[at])] }));
  return (
    <details>
      <summary>By day, as a table</summary>
      <Table label="How runs end, as a table" numbers columns={['Day', ...reasons.map((reason) => END_WORDS[reason]), 'Share at the step limit']} rows={rows.filter(({ cells }) => cells.slice(1).some(Boolean)).reverse()} />
    </details>
  );
}

function percent(share: number | null | undefined): string | undefined {
  return share === null || share === undefined ? undefined : `${Math.round(share)} %`;
}

function AgentEnds({ ends, reasons }: Pick<EndsProps, 'ends'> & { readonly reasons: readonly EndKind[] }) {
  const agents = [...new Set(ends.map(({ agent }) => agent))].sort();
  const rows = agents.map((agent) => {
    const own = ends.filter((one) => one.agent === agent);
    const all = runsOf(own);
    return { key: agent, cells: [agent, all, ...reasons.map((reason) => shareOf(runsOf(own, reason), all))] };
  });
  return <Table label="How runs end, by agent" numbers columns={['Agent', 'Ended', ...reasons.map((reason) => END_WORDS[reason])]} rows={rows} />;
}

function shareOf(runs: number, all: number): string | undefined {
  return runs === 0 ? undefined : `${runs} (${Math.round((100 * runs) / all)} %)`;
}
