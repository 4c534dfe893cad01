import { loadDataConverter } from '@temporalio/common/lib/internal-non-workflow/index.js';
import { describe, expect, test } from 'vitest';
import { createDecoder, type HistoryEvent } from '../../client/history-events.ts';
import { createHistoryReader } from '../../client/history-items.ts';
import { foldTrace } from '../../client/trace.ts';
import type { TraceEntry } from '../../client/types.ts';
import type { ArchiveSegment } from '../../core/contract.ts';
import { at, historyBuilder, observation, reply, RESULT, TASK, USAGE } from './history-builder.ts';

async function traceOf(
  events: readonly HistoryEvent[],
  segments: readonly ArchiveSegment[] = [],
): Promise<readonly TraceEntry[]> {
  const reader = createHistoryReader(createDecoder(loadDataConverter(), 'default', 'run-1'));
  return foldTrace({ facts: await reader.read(events), segments, whyMissing: 'deleted' });
}

/** One word an entry: what a reader sees, in order. */
function outline(entries: readonly TraceEntry[]): readonly string[] {
  return entries.map((entry) => {
    switch (entry.kind) {
      case 'item':
        return `${entry.number ?? '-'} ${entry.item.type}`;
      case 'unknown_item':
        return `${entry.number} unknown ${entry.was}`;
      case 'missing':
        return `missing ${entry.from}-${entry.to}`;
      case 'call_started':
        return `started ${entry.call}`;
      case 'attempt_failed':
        return `failed attempt ${entry.attempt}`;
      default:
        return entry.kind;
    }
  });
}

const ACT = { call: '1.1', tool: 'get_order', args: { order_id: '88213' } };

describe('the fold of history into a trace', () => {
  test('what a model and a tool returned is shown before its number is known, at the end', async () => {
    const history = historyBuilder();
    const think = history.scheduled('think', { turn: 1, base: 0, delta: [at(TASK, 1)] });
    history.completed(think, reply(1));
    const act = history.scheduled('get_order', ACT);
    expect(outline(await traceOf(history.events))).toEqual(['0 task', '- reply', 'started 1.1']);
    history.completed(act, observation('1.1'));
    expect(outline(await traceOf(history.events))).toEqual(['0 task', '- reply', 'started 1.1', '- observation']);
  });

  test('an item that comes again with its number replaces the one without', async () => {
    const history = historyBuilder();
    const think = history.scheduled('think', { turn: 1, base: 0, delta: [at(TASK, 1)] });
    history.completed(think, reply(1));
    const act = history.scheduled('get_order', ACT);
    history.completed(act, observation('1.1'));
    history.scheduled('think', { turn: 2, base: 1, delta: [at(reply(1), 2), at(observation('1.1'), 3)] });
    const entries = await traceOf(history.events);
    expect(outline(entries)).toEqual(['0 task', '1 reply', 'started 1.1', '2 observation']);
    expect(entries.find((entry) => entry.kind === 'item' && entry.item.type === 'reply')).toMatchObject({ atMs: 2 });
  });

  test("calls side by side are told in the model's order, whichever came back first", async () => {
    const history = historyBuilder();
    const think = history.scheduled('think', { turn: 1, base: 0, delta: [TASK] });
    history.completed(think, reply(1));
    const first = history.scheduled('get_order', ACT);
    const second = history.scheduled('get_order', { ...ACT, call: '1.2' });
    history.completed(second, observation('1.2'));
    history.completed(first, observation('1.1'));
    history.scheduled('think', { turn: 2, base: 1, delta: [reply(1), observation('1.1'), observation('1.2')] });
    const calls = (await traceOf(history.events)).flatMap((entry) =>
      entry.kind === 'item' && entry.item.type === 'observation' ? [entry.item.call] : [],
    );
    expect(calls).toEqual(['1.1', '1.2']);
  });

  test('what the workflow decided alone is read from notify: the stop, and that it waits', async () => {
    const history = historyBuilder();
    history.scheduled('think', { turn: 1, base: 0, delta: [TASK] });
    const stop = { type: 'stop', turn: 1, reason: 'step_limit', text: 'Two turns are over.', usage: USAGE } as const;
    history.scheduled('notify', { status: 'handed_over', base: 1, items: [reply(1), observation('1.1'), stop] });
    expect(outline(await traceOf(history.events))).toEqual(['0 task', '1 reply', '2 observation', '3 stop', 'waiting']);
  });

  test('a failed attempt that was made again stands before the reply that came of it', async () => {
    const history = historyBuilder();
    const think = history.scheduled('think', { turn: 1, base: 0, delta: [TASK] });
    history.started(think, 2, '429: slow down');
    history.completed(think, reply(1));
    const entries = await traceOf(history.events);
    expect(outline(entries)).toEqual(['0 task', 'failed attempt 1', '- reply']);
    expect(entries[1]).toMatchObject({ message: '429: slow down', type: 'Model.RateLimit', last: false });
  });

  test('an attempt after which none is made says so', async () => {
    const history = historyBuilder();
    const think = history.scheduled('think', { turn: 1, base: 0, delta: [TASK] });
    history.started(think);
    history.failed(think, '401: bad key');
    expect((await traceOf(history.events)).at(-1)).toMatchObject({ kind: 'attempt_failed', attempt: 1, last: true });
  });

  test('an item of a newer build is shown as unknown, and one with odd fields too', async () => {
    const history = historyBuilder();
    history.scheduled('think', {
      turn: 1,
      base: 0,
      delta: [TASK, { type: 'hologram', turn: 1 }, { type: 'reply', turn: 'one' }, 7],
    });
    expect(outline(await traceOf(history.events))).toEqual([
      '0 task',
      '1 unknown hologram',
      '2 unknown reply',
      '3 unknown number',
    ]);
  });

  test("the end is the workflow's result; a run that was ended from outside says how", async () => {
    const ended = historyBuilder();
    ended.ended(RESULT);
    expect(await traceOf(ended.events)).toMatchObject([{ kind: 'end', result: { endReason: 'final_answer' } }]);
    const terminated = historyBuilder();
    terminated.terminated('by the operator');
    expect(await traceOf(terminated.events)).toMatchObject([
      { kind: 'closed', how: 'terminated', message: 'by the operator' },
    ]);
  });

  test('an input that is none of ours is passed over', async () => {
    const history = historyBuilder();
    history.scheduled('think', 'nonsense');
    history.scheduled('pinAgent', { agent: 'x' });
    history.completed(1, { type: 'reply' });
    expect(await traceOf(history.events)).toEqual([]);
  });
});

describe('a trace whose older part was deleted', () => {
  const later = () => {
    const history = historyBuilder();
    history.scheduled('think', { turn: 3, base: 4, delta: [observation('2.1')] });
    return history.events;
  };

  test('the archive gives what history has lost', async () => {
    const segments = [
      { first: 0, items: [TASK, reply(1)] },
      { first: 2, items: [observation('1.1'), reply(2)] },
    ];
    expect(outline(await traceOf(later(), segments))).toEqual([
      '0 task',
      '1 reply',
      '2 observation',
      '3 reply',
      '4 observation',
    ]);
  });

  test('what neither has is named, with the reason', async () => {
    const entries = await traceOf(later(), [{ first: 2, items: [observation('1.1')] }]);
    expect(outline(entries)).toEqual(['missing 0-1', '2 observation', 'missing 3-3', '4 observation']);
    expect(entries[0]).toMatchObject({ why: 'deleted' });
  });

  test('a run that only the archive knows ends with its archived result', async () => {
    expect(outline(await traceOf([], [{ first: 0, items: [TASK], result: RESULT }]))).toEqual(['0 task', 'end']);
  });
});
