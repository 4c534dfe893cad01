import { elsewhereText } from '../../../client/elsewhere-text.ts';
import type { Risk, RiskReason } from '../../../client/risk.ts';
import { moneyWords } from '../words.ts';
import { Who } from './bits.tsx';

const LEVELS: Readonly<Record<Risk['level'], readonly [text: string, kind: string]>> = {
  low: ['Low risk', 'good'], some: ['Some risk', 'waits'], high: ['High risk', 'bad'],
};

export function RiskMark({ risk: { level } }: { readonly risk: Risk }) {
  const [text, kind] = LEVELS[level];
  return <span class={`status small ${kind}`}>{text}</span>;
}

/** What makes a yes risky, in words. */
export function RiskReasons({ risk: { reasons } }: { readonly risk: Risk }) {
  if (reasons.length === 0) return <p>It changes nothing outside.</p>;
  return <ul class="bare">{reasons.map((reason, i) => <li key={i}>{wordsOf(reason)}</li>)}</ul>;
}

function wordsOf(reason: RiskReason) {
  switch (reason.kind) {
    case 'repeated': return <>It may happen a second time: {reason.why}.</>;
    case 'elsewhere': return <>{elsewhereText(reason.elsewhere)}</>;
    case 'amount_unseen': return <>The amount {moneyWords(reason.amount)} stands nowhere in what this run has seen: somebody worked it out. Check the sum.</>;
    case 'beyond_role': return <>The role {reason.role} may not approve it (it approves up to {moneyWords(reason.upTo)}).</>;
    case 'four_eyes': return <>It needs a second pair of eyes.</>;
    case 'rules_gone': return <>The rules of this tool are not installed any more, so nobody asked them.</>;
    case 'not_recorded': return <>What was checked, or who may decide it, is not in the record: look at it with care.</>;
    case 'by_person': return <><Who person={reason.person} /> wrote these values, not the agent.</>;
    case 'once': return <>It changes something outside, and cannot be tried twice: if its result is lost, somebody has to look it up.</>;
    case 'idempotent': return <>It changes something outside; a second try does not do it again.</>;
  }
}
