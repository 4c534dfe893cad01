import type { RunView } from '../api/run-view.ts';
import { budgetWords, moneyWords, numberWords, spanWords } from './words.ts';

/** What the model thought in the turn that a call belongs to: a call's number begins with its turn's. */
export function thoughtOf({ trace }: RunView, call: string): string | undefined {
  const turn = Number.parseInt(call, 10);
  const replies = trace.entries.flatMap((entry) => (entry.kind === 'item' && entry.item.type === 'reply' && entry.item.turn === turn ? [entry.item] : []));
  return replies.at(-1)?.thought;
}

/** What a run that goes on has used of its limits. */
export function spentWords({ progress }: RunView): string | undefined {
  if (!progress) return undefined;
  const { usage, limits, budget } = progress;
  const tokens = usage.inputTokens + usage.outputTokens;
  const cost = budget?.kind === 'money' && usage.cost ? moneyWords(usage.cost) : `${numberWords(tokens)}`;
  return [
    `turn ${usage.turns}${limits?.turns ? ` of ${limits.turns}` : ''}`, `${cost}${budget ? ` of ${budgetWords(budget)}` : ' tokens'}`,
    `${spanWords(usage.activeMs)}${limits?.timeMs ? ` of ${spanWords(limits.timeMs)}` : ''} active`,
  ].join(', ');
}

/** What it is to do by now; without a worker, what it was to do at first. */
export function goalOf({ progress, trace }: RunView): string | undefined {
  const goals = trace.entries.flatMap((entry) => (entry.kind === 'item' && entry.item.type === 'task' ? [entry.item.goal] : []));
  return progress?.goal ?? goals[0];
}
