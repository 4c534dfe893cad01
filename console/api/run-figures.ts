import type { Counters } from '../../core/agent.ts';
import type { Money } from '../../core/money.ts';
import type { RunSummary, TraceEntry } from '../../client/types.ts';

/** What the overview needs of one ended run. */
export interface RunFigures {
  readonly agent: string;
  readonly turns: number;
  readonly cost?: Money;
  /** From when a call was held to when a person decided it, for each. */
  readonly decisionMs: readonly number[];
  /** Held calls that a person decided, and those that they approved as they were. */
  readonly decided: number;
  readonly unchanged: number;
  readonly counters: Readonly<Partial<Record<keyof Counters, number>>>;
}

const DECIDING: readonly string[] = ['approve', 'edit', 'reject', 'respond'];

export function figuresOf({ agent = '?' }: RunSummary, entries: readonly TraceEntry[]): RunFigures {
  const end = entries.findLast((entry) => entry.kind === 'end');
  const held = new Map<string, number>();
  const decisions: { readonly verb: string; readonly ms: number }[] = [];
  for (const entry of entries) {
    if (entry.kind !== 'item') continue;
    const { item, atMs = 0 } = entry;
    if (item.type === 'held') held.set(item.call, item.atMs ?? atMs);
    if (item.type !== 'person' || item.refused !== undefined || item.call === undefined || !DECIDING.includes(item.verb)) continue;
    const heldAtMs = held.get(item.call);
    if (heldAtMs !== undefined) decisions.push({ verb: item.verb, ms: Math.max(0, (item.atMs ?? atMs) - heldAtMs) });
  }
  const usage = end?.kind === 'end' ? end.result.usage : undefined;
  return {
    agent, turns: usage?.turns ?? 0, ...(usage?.cost ? { cost: usage.cost } : {}),
    decisionMs: decisions.map(({ ms }) => ms), decided: decisions.length,
    unchanged: decisions.filter(({ verb }) => verb === 'approve').length,
    counters: end?.kind === 'end' ? end.result.counters : {},
  };
}
