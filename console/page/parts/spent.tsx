import type { Budget } from '../../../core/agent.ts';
import type { LimitsInput, Usage } from '../../../core/run.ts';
import type { TurnFigures } from '../turn-figures.ts';
import { Age } from './bits.tsx';
import { Table } from './table.tsx';
import { budgetWords, moneyWords, numberWords, spanWords } from '../words.ts';

interface SpentProps {
  readonly usage: Usage;
  readonly limits: LimitsInput | undefined;
  readonly budget: Budget | undefined;
}

interface SpentNowProps extends SpentProps {
  /** Since when it waits for a person at this moment. */
  readonly waitsSinceMs?: number | undefined;
}

/** What was used, against each limit. */
export function Spent({ usage, limits, budget, waitsSinceMs }: SpentNowProps) {
  const tokens = usage.inputTokens + usage.outputTokens;
  const spent = budget?.kind === 'money' ? Number(usage.cost?.amount ?? 0) : tokens;
  return (
    <div class="spent">
      <Bar label="Turns" value={usage.turns} most={limits?.turns} text={`${usage.turns}${limits?.turns ? ` of ${limits.turns}` : ''}`} />
      <Bar label={budget?.kind === 'money' ? 'Cost' : 'Budget'} value={spent} most={mostOf(budget)} text={`${usage.cost ? moneyWords(usage.cost) : budget?.kind === 'tokens' ? numberWords(tokens) : 'no price known'}${budget ? ` of ${budgetWords(budget)}` : ''}`} />
      <Bar label="Active time" value={usage.activeMs} most={limits?.timeMs} text={`${spanWords(usage.activeMs)}${limits?.timeMs ? ` of ${spanWords(limits.timeMs)}` : ''}`} />
      <div><span class="bar-label">Tokens</span><span>{numberWords(usage.inputTokens)} in, {numberWords(usage.outputTokens)} out</span><span class="quiet">{counted(usage.modelCalls, 'model call')}, {counted(usage.toolCalls, 'tool call')}</span></div>
      <Waited ms={usage.waitingMs} sinceMs={waitsSinceMs} />
    </div>
  );
}

/** A wait is counted once it is over, so one that lasts is told beside those that are. */
function Waited({ ms, sinceMs }: { readonly ms: number; readonly sinceMs: number | undefined }) {
  const counted = ms > 0 ? spanWords(ms) : undefined;
  return (
    <div>
      <span class="bar-label">Waited for persons</span>
      {sinceMs === undefined ? <span>{counted ?? 'not yet'}</span> : <><span>waits now, for <Age ms={sinceMs} lasting /></span>{counted ? <span class="quiet">{counted} counted so far</span> : null}</>}
    </div>
  );
}

function counted(count: number, word: string): string {
  return `${numberWords(count)} ${word}${count === 1 ? '' : 's'}`;
}

function mostOf(budget: Budget | undefined): number | undefined {
  return budget?.kind === 'money' ? Number(budget.money.amount) : budget?.tokens;
}

interface SpentByTurnProps extends SpentProps {
  readonly turns: readonly TurnFigures[];
  readonly currency: string | undefined;
}

/** The same a turn, with what had come together by then. The last line is the run's own sum: it has attempts that were lost, too. */
export function SpentByTurn({ turns, usage, limits, budget, currency }: SpentByTurnProps) {
  const costWords = (amount: number | undefined): string | undefined => (amount === undefined || currency === undefined ? undefined : moneyWords({ amount: String(amount), currency }));
  const total = usage.cost ? moneyWords(usage.cost) : undefined;
  const most = mostOf(budget);
  return (
    <details class="by-turn">
      <summary>Turn by turn</summary>
      <Table label="Tokens, cost and time by turn" kind="wide" numbers columns={['Turn', 'Tokens in', 'Tokens out', 'Cost', 'Time', 'Tokens so far', 'Cost so far', 'Time so far', 'Of the budget']}
        rows={turns.map(({ turn, inputTokens, outputTokens, cost, ms, sum }) => ({
          key: turn,
          cells: [
            `${turn}${limits?.turns ? ` of ${limits.turns}` : ''}`, numberWords(inputTokens), numberWords(outputTokens), costWords(cost), spanWords(ms), numberWords(sum.tokens), costWords(sum.cost), spanWords(sum.ms),
            most ? <Share label={`Budget used by turn ${turn}`} value={budget?.kind === 'money' ? sum.cost ?? 0 : sum.tokens} most={most} /> : undefined,
          ],
        }))}
        foot={['Total', numberWords(usage.inputTokens), numberWords(usage.outputTokens), total, spanWords(usage.activeMs), numberWords(usage.inputTokens + usage.outputTokens), total, spanWords(usage.activeMs), budget ? budgetWords(budget) : undefined]} />
    </details>
  );
}

interface BarProps {
  readonly label: string;
  readonly value: number;
  readonly most: number | undefined;
  readonly text: string;
}

function Bar({ label, value, most, text }: BarProps) {
  return <div><span class="bar-label">{label}</span><span>{text}</span><Share label={label} value={value} most={most} /></div>;
}

function Share({ label, value, most }: Omit<BarProps, 'text'>) {
  return most === undefined || most === 0 ? null : <meter aria-label={label} min={0} max={most} low={most * 0.7} high={most * 0.9} optimum={0} value={Math.min(value, most)}>{`${Math.round((value / most) * 100)} %`}</meter>;
}
