import type { HeldView } from '../../../core/run.ts';
import { fieldWords, moneyWords } from '../words.ts';

/** What the run recorded of its checks on this call, one a line; what did not come out well is marked. */
export function Checked({ held, spent }: { readonly held: HeldView; readonly spent?: string | undefined }) {
  const { checks, amount, argsHash, effect, repeats } = held;
  return (
    <ul class="checks">
      {checks ? <Line good>{fieldsWords(checks.fields)}</Line>
        : <li class="quiet">An older version held this call, and did not record which checks passed.</li>}
      {checks?.ids.map(({ field, value }, i) => <Line key={i} good>{fieldWords(field)} <code>{value}</code> was seen in this run.</Line>)}
      {checks?.amountSeen === undefined || !amount ? null : <Line good={checks.amountSeen}>The amount {moneyWords(amount)} {checks.amountSeen ? 'was seen in this run' : 'was not seen in this run'}.</Line>}
      {checks ? <Line good={checks.rules}>{checks.rules ? 'The rules of the agent and of the tool were asked; none forbids it.' : 'The rules of the tool could not be asked.'}</Line> : null}
      {effect === undefined ? null : <Line good={!repeats && !checks?.elsewhere}>{firstWords(held)}</Line>}
      {spent ? <li class="quiet">The run has used: {spent}.</li> : null}
      <Line good>Your decision is for exactly these values (<code>{argsHash.slice(0, 12)}</code>), and counts once.</Line>
    </ul>
  );
}

function firstWords({ repeats, why, checks }: HeldView): string {
  if (repeats) return `Not the first time: ${why}.`;
  return checks?.elsewhere ? `This run had not done it, but run ${checks.elsewhere.run} of the same case had, or began it.` : 'This run had not done it when it was held.';
}

function fieldsWords(fields: number): string {
  if (fields === 0) return 'It has no fields, as the tool asks for.';
  return `${fields === 1 ? 'Its field has' : `All ${fields} fields have`} the form that the tool asks for.`;
}

function Line({ good, children }: { readonly good: boolean; readonly children: preact.ComponentChildren }) {
  return <li class={good ? 'passed' : 'failed'}><span class="hidden">{good ? 'Passed: ' : 'Look here: '}</span>{children}</li>;
}
