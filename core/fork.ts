import type { PinnedAgent } from './agent.ts';
import { carried } from './compaction.ts';
import { orderNumber } from './decide-holder.ts';
import { inOrderOfCalls } from './in-order-of-calls.ts';
import type { Fork } from './run.ts';
import { append } from './state.ts';
import type { EffectRecord, RunState } from './state.ts';
import type { CallAction, Item, ObservationItem, PersonItem, TodoEntry } from './transcript.ts';

/**
 * The state of a run that begins where another one stood after a turn. The copied items keep their numbers and times;
 * their calls count as done, so that no effect among them is had again; what they cost was the parent's.
 */
export function forkRun(state: RunState, fork: Fork, nowMs: number): RunState {
  const { items, turn } = fork;
  const grown = append(state, nowMs, ...items);
  const forked: RunState = {
    ...grown,
    items: [...state.items, ...items],
    turn,
    todo: todoOf(items),
    involved: [...new Set([...state.involved, ...(fork.parent.requestedBy === undefined ? [] : [fork.parent.requestedBy]), ...items.flatMap(involvedIn)])],
    effects: effectsOf(items, state.agent),
    orderCount: items.reduce((most, item) => Math.max(most, orderIn(item)), 0),
  };
  const light = carried(forked, nowMs);
  // Nothing before the first item that is left is ever sent; the parent has it.
  return { ...light, sent: light.first, archived: light.first, notified: light.first };
}

/** Calls of persons go on with their numbers: one number is one call, in the copy too. */
function orderIn(item: Item): number {
  return item.type === 'observation' ? orderNumber(item.call) : 0;
}

/** Whoever asked for the parent, or changed its course within the copy, is no second pair of eyes for what follows. */
function involvedIn(item: Item): readonly string[] {
  if (item.type !== 'person' || item.refused !== undefined) return [];
  return item.verb === 'redirect' || item.goal !== undefined ? [item.by.name] : [];
}

function effectsOf(items: readonly Item[], agent: PinnedAgent): readonly EffectRecord[] {
  const calls = new Map(items.flatMap((item) => (item.type === 'reply' ? item.actions : [])).map((action) => [action.id, action]));
  return inOrderOfCalls(items, (item) => item).reduce<readonly EffectRecord[]>((effects, item) => {
    if (item.type === 'person') return settledBy(effects, item);
    if (item.type !== 'observation' || item.status === 'skipped' || item.status === 'denied') return effects;
    if (item.retryOf !== undefined) return triedAgain(effects, item, item.retryOf);
    const action = calls.get(item.call);
    return [...effects, ...effectOf(item, action?.kind === 'call' ? action : undefined, agent)];
  }, []);
}

/** What a person found out about a call in doubt is as true in the copy. */
function settledBy(effects: readonly EffectRecord[], { outcome, call, text, by, refused }: PersonItem): readonly EffectRecord[] {
  if (refused !== undefined || outcome === undefined || outcome === 'retry') return effects;
  const status = outcome === 'happened' ? 'ok' : 'error';
  return effects.map((effect) => (effect.call === call && effect.status === 'unknown' ? { ...effect, status, text, by } : effect));
}

/** A second try that worked is what became of the first; any other says nothing of it. */
function triedAgain(effects: readonly EffectRecord[], { status, text, by }: ObservationItem, retryOf: string): readonly EffectRecord[] {
  if (status !== 'ok' && status !== 'empty') return effects;
  return effects.map((effect) => (effect.call === retryOf ? { ...effect, status, text, ...(by ? { by } : {}) } : effect));
}

/** What ran is in the observation's note, since a person may have changed the arguments, or made the call. */
function effectOf(item: ObservationItem, call: CallAction | undefined, { tools }: PinnedAgent): readonly EffectRecord[] {
  const isWrite = item.effect !== undefined || tools.some(({ name, effect }) => name === item.tool && effect !== 'read');
  const hash = item.effect?.hash ?? call?.hash;
  if (!isWrite || hash === undefined) return [];
  const { call: id, tool, status, text, by } = item;
  // The key that the call went out under: a changed call may have another than the one that the model asked for.
  const key = item.effect?.key ?? call?.key;
  return [{ call: id, turn: Number.parseInt(id, 10), tool, hash, status, text, ...(key === undefined ? {} : { key }), ...(by ? { by } : {}) }];
}

/** The list as it was last written, by the model or by a person. */
function todoOf(items: readonly Item[]): readonly TodoEntry[] {
  return items.reduce<readonly TodoEntry[]>((todo, item) => {
    if (item.type === 'person' && item.todo && item.refused === undefined) return item.todo;
    const written = item.type === 'reply' ? item.actions.findLast((action) => action.kind === 'update_todo') : undefined;
    return written?.kind === 'update_todo' ? written.items : todo;
  }, []);
}
