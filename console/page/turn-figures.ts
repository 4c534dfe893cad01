import type { TraceEntry } from '../../client/types.ts';

/** What one turn took, and what the run had taken by its end. */
export interface TurnFigures {
  readonly turn: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Decimal; absent without a price. */
  readonly cost?: number;
  /** The model call and the longest of the turn's tool calls, which run side by side. */
  readonly ms: number;
  readonly sum: { readonly tokens: number; readonly cost?: number; readonly ms: number };
}

/** A line for each model reply, in their order. What a fork was copied with is its parent's, and so is what it cost. */
export function turnFigures(entries: readonly TraceEntry[]): readonly TurnFigures[] {
  const toolMs = new Map<number, number>();
  const items = entries.flatMap((entry) => (entry.kind === 'item' ? [entry.item] : []));
  for (const item of items) {
    if (item.type !== 'observation') continue;
    const turn = Number.parseInt(item.call, 10);
    toolMs.set(turn, Math.max(toolMs.get(turn) ?? 0, item.ms));
  }
  const copied = items.find((item) => item.type === 'task')?.fork?.turn ?? 0;
  const figures: TurnFigures[] = [];
  for (const item of items) {
    if (item.type !== 'reply' || item.turn <= copied) continue;
    const { inputTokens, outputTokens } = item.usage;
    const cost = item.usage.cost === undefined ? undefined : Number(item.usage.cost);
    const ms = item.usage.ms + (toolMs.get(item.turn) ?? 0);
    const before = figures.at(-1)?.sum ?? { tokens: 0, ms: 0 };
    const costs = cost === undefined && before.cost === undefined ? {} : { cost: (before.cost ?? 0) + (cost ?? 0) };
    figures.push({
      turn: item.turn, inputTokens, outputTokens, ms, ...(cost === undefined ? {} : { cost }),
      sum: { tokens: before.tokens + inputTokens + outputTokens, ms: before.ms + ms, ...costs },
    });
  }
  return figures;
}
