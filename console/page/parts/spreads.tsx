import type { AgentFigures } from '../../api/agent-figures.ts';
import { binsBetween, quantile, roundBins, wholeBins } from '../spread.ts';
import type { Bin } from '../spread.ts';
import { moneyWords, numberWords, spanWords } from '../words.ts';
import { Chart } from './chart.tsx';
import { Table } from './table.tsx';

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
/** How persons speak of waiting. */
const WAITS = [0, 10 * SECOND, MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, 24 * HOUR];
const COLOUR = '#4c7dd9';

/** How turns, cost and the time until a decision are spread over single runs. */
export function Spreads({ agents }: { readonly agents: readonly AgentFigures[] }) {
  const turns = agents.flatMap(({ each }) => each.turns);
  const waits = agents.flatMap(({ each }) => each.decisionMs);
  const currencies = [...new Set(agents.flatMap(({ each }) => Object.keys(each.cost)))].sort();
  return (
    <div class="charts">
      <Spread title="Turns a run" of="runs" values={turns} bins={wholeBins(turns)} words={numberWords} binWords={turnsWords} />
      {currencies.map((currency) => {
        const costs = agents.flatMap(({ each }) => each.cost[currency] ?? []);
        const words = (amount: number): string => moneyWords({ amount: String(amount), currency });
        return <Spread key={currency} title={`Cost a run (${currency})`} of="runs" values={costs} bins={roundBins(costs)} words={words} binWords={({ from, to = from }) => `${numberOf(from)}–${numberOf(to)}`} />;
      })}
      <Spread title="Time until a decision" of="decisions" values={waits} bins={binsBetween(waits, WAITS)} words={spanWords} binWords={waitWords} />
    </div>
  );
}

function turnsWords({ from, to = from + 1 }: Bin): string {
  return to - from === 1 ? String(from) : `${from}–${to - 1}`;
}

/** `1–10 min`: a unit that both ends share is said once. */
function waitWords({ from, to }: Bin): string {
  if (to === undefined) return `> ${spanWords(from)}`;
  const [start = '', unit] = spanWords(from).split(' ');
  const shared = from === 0 || unit === spanWords(to).split(' ')[1];
  return `${shared ? start : spanWords(from)}–${spanWords(to)}`;
}

/** Without the noise of binary fractions. */
function numberOf(value: number): string {
  return new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 }).format(value);
}

interface SpreadProps {
  readonly title: string;
  readonly of: 'runs' | 'decisions';
  readonly values: readonly number[];
  readonly bins: readonly Bin[];
  readonly words: (value: number) => string;
  readonly binWords: (bin: Bin) => string;
}

function Spread({ title, of, values, bins, words, binWords }: SpreadProps) {
  const [half, most] = [quantile(values, 0.5), quantile(values, 0.9)];
  if (half === undefined || most === undefined) return <section class="card" aria-label={title}><h3>{title}</h3><p class="quiet">{of === 'runs' ? 'None of these runs was read whole.' : 'No person has decided a call of these runs.'}</p></section>;
  const summary = `Half within ${words(half)}${values.length < 10 ? '' : `, nine of ten within ${words(most)}`}`;
  return (
    <section class="card" aria-label={title}>
      <h3>{title}</h3>
      <p class="quiet">{summary} ({numberWords(values.length)} {values.length === 1 ? of.slice(0, -1) : of}).</p>
      <Chart label={`${title}. ${summary}`} data={{ kind: 'bars', labels: bins.map(binWords), upTo: 1, rows: [{ name: of, colour: COLOUR, values: bins.map(({ count }) => count) }] }} />
      <details>
        <summary>As a table</summary>
        <Table label={`${title}, as a table`} numbers kind="pairs" columns={[title, of === 'runs' ? 'Runs' : 'Decisions']} rows={bins.map((bin) => ({ key: bin.from, cells: [binWords(bin), bin.count || undefined] }))} />
      </details>
    </section>
  );
}
