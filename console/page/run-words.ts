import { currentGoal } from '../../core/current-goal.ts';
import type { Item, PersonItem } from '../../core/transcript.ts';
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

/** What it is to do by now; without a worker, as its trace tells it. */
export function goalOf(run: RunView): string | undefined {
  return run.progress?.goal ?? (currentGoal(itemsOf(run)).goal || run.trace.task);
}

/** What persons have made of the first task: of goal and constraints those that are others by now. */
export interface ChangedTask {
  readonly goal?: string;
  readonly constraints?: readonly string[];
  /** Who changed it last. */
  readonly last?: PersonItem & { readonly atMs?: number };
}

/** `undefined` while the first task holds. */
export function changedTask(run: RunView): ChangedTask | undefined {
  const items = itemsOf(run);
  const first = items.find((item) => item.type === 'task');
  const goal = goalOf(run);
  const { constraints } = currentGoal(items);
  const isGoalNew = goal !== undefined && goal !== (first?.goal ?? run.trace.task);
  const areRulesNew = first !== undefined && JSON.stringify(constraints) !== JSON.stringify(first.constraints);
  if (!isGoalNew && !areRulesNew) return undefined;
  const last = items.findLast((item) => item.type === 'person' && item.refused === undefined && (item.goal !== undefined || item.constraints !== undefined));
  return { ...(isGoalNew ? { goal } : {}), ...(areRulesNew ? { constraints } : {}), ...(last?.type === 'person' ? { last } : {}) };
}

function itemsOf({ trace, unread }: RunView): readonly (Item & { readonly atMs?: number })[] {
  return [...trace.entries, ...unread].flatMap((entry) => (entry.kind === 'item' ? [entry.item] : []));
}
