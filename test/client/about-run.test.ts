import { expect, test } from 'vitest';
import { aboutRun } from '../../client/about-run.ts';
import type { TraceEntry } from '../../client/types.ts';
import type { Item, PersonItem } from '../../core/transcript.ts';
import { reply, TASK } from './history-builder.ts';

const entries = (...items: readonly Item[]): readonly TraceEntry[] => items.map((item, number) => ({ kind: 'item', number, item }));
const redirect: PersonItem = { type: 'person', verb: 'redirect', by: { name: 'Ravi', verified: false }, id: 'd1', text: '', goal: 'Why was it late?' };

test('the record tells what a run is after by now, and which agent works on it', () => {
  const record = { entries: entries(TASK, redirect, reply(1)), task: TASK.goal };
  expect(aboutRun(record)).toEqual({ agent: TASK.agent, goal: 'Why was it late?' });
  expect(aboutRun({ ...record, entries: entries(TASK, { ...redirect, refused: 'it has ended' }) })).toMatchObject({ goal: TASK.goal });
});

test('of a run that no worker has taken yet it tells what was asked', () => {
  expect(aboutRun({ entries: [], task: TASK.goal })).toEqual({ goal: TASK.goal });
});
