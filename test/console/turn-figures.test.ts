import { expect, test } from 'vitest';
import type { TraceEntry } from '../../client/types.ts';
import { turnFigures } from '../../console/page/turn-figures.ts';
import type { Item, TaskItem } from '../../core/transcript.ts';

function task(fork?: TaskItem['fork']): Item {
  const agent = { name: 'desk', version: '1', hash: 'a', form: 'function-calling', model: 'm' } as const;
  return { type: 'task', goal: 'Refund.', constraints: [], agent, budget: { kind: 'tokens', tokens: 1_000 }, ...(fork ? { fork } : {}) };
}

function reply(turn: number): Item {
  const usage = { model: 'm', inputTokens: 100, outputTokens: 10, cachedTokens: 0, estimatedTokens: 0, attempts: 1, ms: 5, promptBytes: 1 };
  return { type: 'reply', turn, actions: [], notes: [], usage };
}

const trace = (...items: readonly Item[]): readonly TraceEntry[] => items.map((item, number) => ({ kind: 'item', number, item, atMs: 0 }));

test('each turn has its figures and what had come together by then', () => {
  expect(turnFigures(trace(task(), reply(1), reply(2))).map(({ turn, sum }) => [turn, sum.tokens])).toEqual([[1, 110], [2, 220]]);
});

test('a fork counts its own turns: what it was copied with was paid for by its parent', () => {
  const figures = turnFigures(trace(task({ parent: 'first', turn: 2 }), reply(1), reply(2), reply(3)));
  expect(figures.map(({ turn, sum }) => [turn, sum.tokens])).toEqual([[3, 110]]);
});
