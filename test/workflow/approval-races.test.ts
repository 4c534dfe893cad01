import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DecisionOutcome } from '../../client/types.ts';
import type { Person } from '../../core/run.ts';
import type { Scripts } from '../../models/index.ts';
import { heldCall, openApprovalDesk } from '../support/approval-desk.ts';
import type { ApprovalDesk } from '../support/approval-desk.ts';
import { failedWorkflowTasks, historyOf } from '../support/histories.ts';
import { speaker } from '../support/speaker.ts';

const say = speaker('function-calling');
const pay = (amount: number, order_id = '88213') => ['pay', { order_id, amount }] as const;
const scripts: Scripts = {
  pays: [say.calls('I pay.', pay(25)), say.answer('That is settled.')],
  two: [say.calls('I pay both.', pay(25), pay(20, '88214')), say.answer('That is settled.')],
  four: [
    say.calls('I do four things.', pay(1), pay(2, '88214'), ['get_order', { order_id: '88213' }], pay(3, '88214'), pay(4, '88213')),
    say.answer('That is settled.'),
  ],
};
const person = (name: string): Person => ({ name, verified: false });
const isApplied = ({ state }: DecisionOutcome) => state === 'applied';

let desk: ApprovalDesk;
let runs: string[] = [];
beforeAll(async () => {
  desk = await openApprovalDesk(scripts, [{}, { name: 'short-history', context: { historyEvents: 40 } }]);
});
afterAll(async () => {
  for (const id of runs) expect(failedWorkflowTasks(await historyOf(desk.temporal, id))).toEqual([]);
  await desk.till.close();
});

async function held(script: string, count = 1, request: object = {}) {
  const run = await desk.untilHeld(script, count, request);
  runs = [...runs, run.id];
  return { ...run, hashOf: (call: string) => run.held.find((one) => one.call === call)?.argsHash ?? 'none' };
}

async function ended(id: string) {
  const result = await desk.client.result(id, { waitMs: 50_000 });
  if (!result) throw new Error(`run ${id} did not end: ${JSON.stringify(await desk.client.show(id))}`);
  return result;
}

/** Money paid since a moment, whoever paid it. */
function since(from: number) {
  return desk.till.paid.slice(from).map(({ order, amount }) => ({ order, amount }));
}

test('100 equal decisions at once: the call runs once, and each of them is answered', async () => {
  const { id, hashOf } = await held('pays');
  const before = desk.till.paid.length;
  const decision = { id: randomUUID(), call: '1.1', argsHash: hashOf('1.1'), by: person('meera') };
  const outcomes = await Promise.all(Array.from({ length: 100 }, () => desk.client.approve(id, decision)));
  expect(outcomes.every(({ state }) => state === 'applied' || state === 'delivered')).toBe(true);
  await ended(id);
  expect(since(before)).toEqual([{ order: '88213', amount: 25 }]);
});

test('100 approvals by different persons at once: one counts, the others are told who was first', async () => {
  const { id, hashOf } = await held('pays');
  const before = desk.till.paid.length;
  const outcomes = await Promise.all(Array.from({ length: 100 }, (_, i) =>
    desk.client.approve(id, { call: '1.1', argsHash: hashOf('1.1'), by: person(`person-${i}`) })));
  await ended(id);
  expect(outcomes.filter(isApplied).length).toBeLessThanOrEqual(1);
  for (const outcome of outcomes) if (outcome.state === 'refused') expect(outcome.because).toMatch(/person-\d+ approved it on 20/);
  expect(since(before)).toEqual([{ order: '88213', amount: 25 }]);
});

test('100 races of an approval and a rejection: one winner each, the other is told who did what, and it is what happened', async () => {
  const race = async () => {
    const { id, hashOf } = await held('pays');
    const on = { call: '1.1', argsHash: hashOf('1.1') };
    const [yes, no] = await Promise.all([
      desk.client.approve(id, { ...on, by: person('meera') }),
      desk.client.reject(id, { ...on, by: person('asha'), reason: 'not ours' }),
    ]);
    const loser = isApplied(yes) ? no : yes;
    expect([yes, no].filter(isApplied)).toHaveLength(1);
    expect(loser).toMatchObject({ state: 'refused', because: expect.stringMatching(isApplied(yes) ? /meera approved it on 20/ : /asha rejected it on 20/) });
    await ended(id);
    const { entries } = await desk.client.trace(id);
    const observed = entries.flatMap((entry) => (entry.kind === 'item' && entry.item.type === 'observation' && entry.item.call === '1.1' ? [entry.item.status] : []));
    expect(observed).toEqual([isApplied(yes) ? 'ok' : 'denied']);
    return isApplied(yes) ? 1 : 0;
  };
  const before = desk.till.paid.length;
  let paid = 0;
  // Ten at a time: each race is its own run.
  for (let round = 0; round < 10; round += 1) {
    const won = await Promise.all(Array.from({ length: 10 }, race));
    paid += won.reduce<number>((sum, one) => sum + one, 0);
  }
  expect(since(before)).toHaveLength(paid);
}, 180_000);

test('two calls held, decided in the other order: each decision goes to its own call, and nothing waits for the other', async () => {
  const { id, hashOf } = await held('two', 2);
  const before = desk.till.paid.length;
  await desk.client.approve(id, { call: '1.2', argsHash: hashOf('1.2'), by: person('meera') });
  // The second runs while the first is still held.
  while (desk.till.paid.length === before) await desk.client.progress(id);
  expect(since(before)).toEqual([{ order: '88214', amount: 20 }]);
  expect((await desk.client.progress(id))?.held?.map(({ call }) => call)).toEqual(['1.1']);
  await desk.client.reject(id, { call: '1.1', argsHash: hashOf('1.1'), by: person('meera'), reason: 'no' });
  await ended(id);
  expect(since(before)).toEqual([{ order: '88214', amount: 20 }]);
});

test('a batch with every kind of decision: each call gets its own, in the model\'s order', async () => {
  const { id, hashOf } = await held('four', 4);
  const before = desk.till.paid.length;
  const by = person('meera');
  await Promise.all([
    desk.client.approve(id, { call: '1.1', argsHash: hashOf('1.1'), by }),
    desk.client.reject(id, { call: '1.2', argsHash: hashOf('1.2'), by, reason: 'no' }),
    desk.client.edit(id, { call: '1.4', argsHash: hashOf('1.4'), by, args: { order_id: '88214', amount: 30 } }),
    desk.client.respond(id, { call: '1.5', argsHash: hashOf('1.5'), by, text: 'Paid in cash.' }),
  ]);
  await ended(id);
  expect(since(before).sort((a, b) => a.amount - b.amount)).toEqual([{ order: '88213', amount: 1 }, { order: '88214', amount: 30 }]);
  const { entries } = await desk.client.trace(id);
  const observed = entries.flatMap((entry) => (entry.kind === 'item' && entry.item.type === 'observation' ? [`${entry.item.call} ${entry.item.status}`] : []));
  expect(observed.slice(0, 5)).toEqual(['1.1 ok', '1.2 denied', '1.3 ok', '1.4 ok', '1.5 ok']);
});

describe('what does not fit is refused with the reason, and nothing runs', () => {
  test('early, foreign, stale, late and repeated', async () => {
    const [one, other] = await Promise.all([held('pays'), held('pays')]);
    const before = desk.till.paid.length;
    const by = person('meera');
    const approve = (call: string, argsHash: string) => desk.client.approve(one.id, { call, argsHash, by });
    expect(await approve('2.1', one.hashOf('1.1'))).toMatchObject({ state: 'refused', because: expect.stringContaining('waiting: 1.1') });
    expect(await approve('1.1', other.hashOf('1.1'))).toMatchObject({ state: 'refused', because: expect.stringContaining('is not what this decision was made on') });
    const edited = { id: 'once', call: '1.1', argsHash: one.hashOf('1.1'), by, args: { order_id: '88213', amount: 26 } };
    expect(await desk.client.edit(one.id, edited)).toMatchObject({ state: 'applied' });
    await ended(one.id);
    expect(since(before)).toEqual([{ order: '88213', amount: 26 }]);
    expect(await approve('1.1', one.hashOf('1.1'))).toMatchObject({ state: 'refused', because: expect.stringMatching(/^meera changed and approved it on 20.*, and the run has ended$/) });
    await desk.client.reject(other.id, { call: '1.1', argsHash: other.hashOf('1.1'), by, reason: 'a test' });
  });

  test('an edit with an id that nobody has named, or beyond the schema, leaves the call held as it was', async () => {
    const { id, hashOf } = await held('pays');
    const edit = (args: object) => desk.client.edit(id, { call: '1.1', argsHash: hashOf('1.1'), by: person('meera'), args: { ...args } });
    expect(await edit({ order_id: '99999', amount: 25 })).toMatchObject({ state: 'refused', because: expect.stringContaining('99999') });
    expect(await edit({ order_id: '88213', amount: 5_000 })).toMatchObject({ state: 'refused', because: expect.stringContaining('1000') });
    expect(await edit({ order_id: '88213', amount: 25, note: 'x' })).toMatchObject({ state: 'refused' });
    expect(await heldCall(desk, id, '1.1')).toMatchObject({ args: { order_id: '88213', amount: 25 }, argsHash: hashOf('1.1') });
    await desk.client.cancel(id, { by: person('meera'), reason: 'done' });
    expect((await ended(id)).handOver?.remains[0]).toContain('pay');
  });
});

async function isContinued(id: string): Promise<boolean> {
  const { events } = await historyOf(desk.temporal, id);
  return Boolean(events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId);
}

test('decisions that arrive while the run continues as new are not lost, and what was held stays held', async () => {
  const { id, hashOf } = await held('two', 2, { agent: 'short-history' });
  const before = desk.till.paid.length;
  const handle = desk.temporal.workflow.getHandle(id);
  // Each refused decision leaves events, until the history is long.
  for (let wave = 0; !(await isContinued(id)); wave += 1) {
    await Promise.all(Array.from({ length: 20 }, (_, i) => desk.client.approve(id, { call: `9.${wave}`, argsHash: 'x', by: person(`asha-${i}`) })));
  }
  await Promise.all([
    ...Array.from({ length: 60 }, (_, i) => handle.signal('message', { id: `m${i}`, by: person('asha'), text: `note ${i}` })),
    desk.client.approve(id, { call: '1.1', argsHash: hashOf('1.1'), by: person('meera') }),
    desk.client.approve(id, { call: '1.2', argsHash: hashOf('1.2'), by: person('meera') }),
  ]);
  await ended(id);
  expect(since(before)).toHaveLength(2);
  const { entries } = await desk.client.trace(id);
  const notes = entries.filter((entry) => entry.kind === 'item' && entry.item.type === 'person' && entry.item.verb === 'message');
  expect(notes).toHaveLength(60);
});
