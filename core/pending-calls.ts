import { isSameEffect } from './policy.ts';
import type { RunState } from './state.ts';
import type { CallAction, ReplyItem } from './transcript.ts';

/** Calls of the open turn that need nobody. */
export function plannedCalls(state: RunState): readonly CallAction[] {
  if (!state.open) return [];
  const ids = state.open.steps.flatMap((step) => ('run' in step ? [step.run] : []));
  return ids.length === 0 ? [] : callsOf(openReply(state)).filter(({ id }) => ids.includes(id));
}

export function openReply({ items }: RunState): ReplyItem | undefined {
  return items.findLast((item): item is ReplyItem & { atMs?: number } => item.type === 'reply');
}

export function callsOf(reply: ReplyItem | undefined): readonly CallAction[] {
  return reply?.actions.filter((action): action is CallAction => action.kind === 'call') ?? [];
}

export function hasResult({ open }: RunState, id: string): boolean {
  return open?.results.some(({ call }) => call === id) ?? false;
}

/** Another call with this effect that runs, may run, or waits for a person: both would have it. */
export function pendingTwin(state: RunState, call: CallAction): string | undefined {
  if (!isEffect(state, call)) return undefined;
  const pending = [
    ...plannedCalls(state).filter(({ id }) => !hasResult(state, id)),
    ...state.held.filter(({ decision }) => decision?.kind !== 'answered').map((held) => held.call),
    ...state.orders.map((order) => order.call),
  ];
  return pending.find((other) => other.id !== call.id && isSameEffect(other, call))?.id;
}

export function isEffect({ agent }: RunState, { tool }: CallAction): boolean {
  return agent.tools.some(({ name, effect }) => name === tool && effect !== 'read');
}
