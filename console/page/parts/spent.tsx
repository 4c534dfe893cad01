import type { Budget } from '../../../core/agent.ts';
import type { LimitsInput, Usage } from '../../../core/run.ts';
import type { TurnFigures } from '../turn-figures.ts';
import { budgetWords, moneyWords, numberWords, spanWords } from '../words.ts';

interface SpentProps {
  readonly usage: Usage;
  readonly limits: LimitsInput | undefined;
  readonly budget: Budget | undefined;
}

/** What was used, against each limit. */
export function Spent({ usage, limits, budget }: SpentProps) {
  const tokens = usage.inputTokens + usage.outputTokens;
  const spent = budget?.kind === 'money' ? Number(usage.cost?.amount ?? 0) : tokens;
  return (
    <div class="spent">
      <Bar label="Turns" value={usage.turns} most={limits?.turns} text={`${usage.turns}${limits?.turns ? ` of ${limits.turns}` : ''}`} />
      <Bar label={budget?.kind === 'money' ? 'Cost' : 'Budget'} value={spent} most={mostOf(budget)} text={`${usage.cost ? moneyWords(usage.cost) : budget?.kind === 'tokens' ? numberWords(tokens) : 'no price known'}${budget ? ` of ${budgetWords(budget)}` : ''}`} />
      <Bar label="Active time" value={usage.activeMs} most={limits?.timeMs} text={`${spanWords(usage.activeMs)}${limits?.timeMs ? ` of ${spanWords(limits.timeMs)}` : ''}`} />
      <div><span class="bar-label">Tokens</span><span>{numberWords(usage.inputTokens)} in, {numberWords(usage.outputTokens)} out</span><span class="quiet">{counted(usage.modelCalls, 'model call')}, {counted(usage.toolCalls, 'tool call')}</span></div>
      <div><span class="bar-label">Waited for persons</span><span>{usage.waitingMs > 0 ? spanWords(usage.waitingMs) : 'not yet'}</span></div>
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
  const cost = (amount: number | undefined): string => (amount === undefined || currency === undefined ? '–' : moneyWords({ amount: String(amount), currency }));
  const most = mostOf(budget);
  return (
    <details class="by-turn">
      <summary>Turn by turn</summary>
      <div class="scroll" tabIndex={0} role="region" aria-label="Tokens, cost and time by turn">
        <table class="list numbers">
          <thead><tr><th scope="col">Turn</th><th scope="col">Tokens in</th><th scope="col">Tokens out</th><th scope="col">Cost</th><th scope="col">Time</th><th scope="col">Tokens so far</th><th scope="col">Cost so far</th><th scope="col">Time so far</th><th scope="col">Of the budget</th></tr></thead>
          <tbody>
            {turns.map((one) => (
              <tr key={one.turn}>
                <th scope="row">{one.turn}{limits?.turns ? ` of ${limits.turns}` : ''}</th><td>{numberWords(one.inputTokens)}</td><td>{numberWords(one.outputTokens)}</td><td>{cost(one.cost)}</td><td>{spanWords(one.ms)}</td>
                <td>{numberWords(one.sum.tokens)}</td><td>{cost(one.sum.cost)}</td><td>{spanWords(one.sum.ms)}</td><td><Share label={`Budget used by turn ${one.turn}`} value={budget?.kind === 'money' ? one.sum.cost ?? 0 : one.sum.tokens} most={most} /></td>
              </tr>
            ))}
          </tbody>
          <tfoot><tr><th scope="row">Total</th><td>{numberWords(usage.inputTokens)}</td><td>{numberWords(usage.outputTokens)}</td><td>{usage.cost ? moneyWords(usage.cost) : '–'}</td><td>{spanWords(usage.activeMs)}</td>
            <td>{numberWords(usage.inputTokens + usage.outputTokens)}</td><td>{usage.cost ? moneyWords(usage.cost) : '–'}</td><td>{spanWords(usage.activeMs)}</td><td>{budget ? budgetWords(budget) : '–'}</td></tr></tfoot>
        </table>
      </div>
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
