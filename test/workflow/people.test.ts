import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '../../core/run.ts';
import { switchKey } from '../../core/contract.ts';
import type { Scripts } from '../../models/index.ts';
import type { Notification } from '../../tools/notify.ts';
import { heldCall, openApprovalDesk } from '../support/approval-desk.ts';
import type { ApprovalDesk } from '../support/approval-desk.ts';
import { failedWorkflowTasks, historyOf } from '../support/histories.ts';
import { speaker } from '../support/speaker.ts';

const say = speaker('function-calling');
const look = say.call('I look.', 'get_order', { order_id: '88213' });
const scripts: Scripts = {
  slow: [{ ...look, heldBy: 'slow' }, say.answer('Told in time.')],
  taken: [look, { ...look, heldBy: 'taken' }, say.answer('Order 88214 costs ₹100.')],
  legal: [say.call('Not for me.', 'hand_over', { reason: 'a legal question' }), say.answer('Order 88213 is done.')],
  told: [say.answer('Order 88213 is done.')],
  pays: [say.call('I pay.', 'pay', { order_id: '88213', amount: 25 }), say.answer('That is settled.')],
};
const MEERA: Person = { name: 'meera', verified: false };
const ASHA: Person = { name: 'asha', verified: false };
const notifications: Notification[] = [];

let tellOfEnd: () => void = () => undefined;
const toldOfEnd = new Promise<void>((resolve) => { tellOfEnd = resolve; });

let desk: ApprovalDesk;
let runs: string[] = [];
beforeAll(async () => {
  desk = await openApprovalDesk(scripts, [{ notify: (told) => notifications.push(told) }, { name: 'other' }, { name: 'third' }, { name: 'slow-teller', notify: ({ event }) => (event === 'ended' ? toldOfEnd : undefined) }]);
});
afterAll(async () => {
  for (const id of runs) expect(failedWorkflowTasks(await historyOf(desk.temporal, id))).toEqual([]);
  await desk.till.close();
});

async function start(script: string, agent = 'desk'): Promise<string> {
  const { id } = await desk.client.start({ agent, task: `script:${script} Orders 88213 and 88214.`, requestedBy: ASHA });
  runs = [...runs, id];
  return id;
}

async function progressOf(id: string, isThere: (status: string, turn: number) => boolean) {
  for (let tries = 0; tries < 2_000; tries += 1) {
    const progress = await desk.client.progress(id);
    if (progress && isThere(progress.status, progress.turn)) return progress;
  }
  throw new Error(`run ${id} did not get there: ${JSON.stringify(await desk.client.show(id))}`);
}

test('a message that cannot wait cuts the model call short, and the next one knows it', async () => {
  const id = await start('slow');
  await desk.model.until((requests) => requests.some(({ key }) => key === 'slow'));
  await desk.client.message(id, { text: 'It is order 88213.', now: true, by: MEERA });
  await desk.model.until((requests) => requests.filter(({ key }) => key === 'slow').length === 2);
  expect(JSON.stringify(desk.model.requests().at(-1)?.body)).toContain('It is order 88213.');
  desk.model.release('slow');
  const result = await desk.client.result(id, { waitMs: 30_000 });
  expect(result).toMatchObject({ endReason: 'final_answer', usage: { turns: 2, modelCalls: 3 } });
});

test('whoever takes a run over works with its tools, under the same checks, and gives all of it back', async () => {
  const id = await start('taken');
  await desk.model.until((requests) => requests.filter(({ key }) => key === 'taken').length === 2);
  expect(await desk.client.takeOver(id, { by: MEERA, reason: 'I know this one' })).toMatchObject({ state: 'applied' });
  expect(await progressOf(id, (status) => status === 'taken_over')).toMatchObject({ takenOverBy: MEERA });
  const before = { calls: desk.model.requests().length, paid: desk.till.paid.length };
  expect(await desk.client.call(id, { by: ASHA, tool: 'get_order', args: { order_id: '88214' } })).toMatchObject({ state: 'refused', because: expect.stringContaining('meera holds the run') });
  expect(await desk.client.call(id, { by: MEERA, tool: 'get_order', args: { order_id: '99999' } })).toMatchObject({ state: 'refused', because: expect.stringContaining('99999') });
  expect(await desk.client.call(id, { by: MEERA, tool: 'get_order', args: { order_id: '88214' } })).toMatchObject({ state: 'applied' });
  expect(await desk.client.call(id, { by: MEERA, tool: 'pay', args: { order_id: '88214', amount: 5 } })).toMatchObject({ state: 'applied', text: expect.stringContaining('waits for approval') });
  const order = await heldCall(desk, id, '1.p3');
  expect(await desk.client.approve(id, { call: '1.p3', argsHash: order.argsHash, by: ASHA })).toMatchObject({ state: 'applied' });
  while (desk.till.paid.length === before.paid) await desk.client.progress(id);
  expect(await desk.client.todo(id, { by: MEERA, add: ['tell the customer'] })).toMatchObject({ state: 'applied' });
  expect(await desk.client.todo(id, { by: MEERA, done: [2] })).toMatchObject({ state: 'refused' });
  expect(await desk.client.resume(id, { by: MEERA })).toMatchObject({ state: 'refused', because: expect.stringContaining('give-back') });
  expect(desk.model.requests().length).toBe(before.calls);
  await progressOf(id, () => (desk.till.paid.length > before.paid));
  desk.model.release('taken');
  expect(await desk.client.giveBack(id, { by: MEERA, note: 'paid ₹5, answer now' })).toMatchObject({ state: 'applied' });
  const result = await desk.client.result(id, { waitMs: 30_000 });
  expect(result?.stops[0]).toMatchObject({ reason: 'hand_over', detail: 'taken_over' });
  const prompt = JSON.stringify(desk.model.requests().filter(({ key }) => key === 'taken').at(-1)?.body);
  for (const text of ['meera', 'paid ₹5, answer now', 'tell the customer', '88214', 'Paid ₹5 back']) expect(prompt).toContain(text);
  expect((await desk.client.effects(id)).effects.filter(({ outcome }) => outcome === 'ok')).toHaveLength(1);
});

test('a tool and an agent that are switched off hand the run over at their next call, also in running runs', async () => {
  const id = await start('pays', 'other');
  const { argsHash } = await heldCall(desk, id, '1.1');
  const off = (reason: string) => JSON.stringify({ off: true, by: 'meera', reason, atMs: 0 });
  await desk.blobs.put(switchKey('other', 'pay'), off('the bank is down'));
  const before = desk.till.paid.length;
  await desk.client.approve(id, { call: '1.1', argsHash, by: MEERA });
  const handed = await progressOf(id, (status) => status === 'handed_over');
  expect(handed.stops.at(-1)).toMatchObject({ reason: 'hand_over', detail: 'switched_off', text: expect.stringContaining('the bank is down') });
  expect(handed.handOver?.next).toBe('caseworker enable other pay');
  expect(desk.till.paid).toHaveLength(before);
  await desk.blobs.put(switchKey('other'), off('it misbehaves'));
  await desk.client.resume(id, { by: MEERA });
  const again = await progressOf(id, (status, turn) => status === 'handed_over' && turn >= 1);
  expect(again.stops.at(-1)?.text).toContain('it misbehaves');
  expect(again.handOver?.next).toBe('caseworker enable other');
  await desk.client.cancel(id, { by: MEERA, reason: 'a test' });
});

test('an agent that is switched off while a call of it is held is what is to be switched on, not the tool', async () => {
  await desk.blobs.put(switchKey('third', 'pay'), JSON.stringify({ off: false, by: 'meera', reason: '', atMs: 0 }));
  const id = await start('pays', 'third');
  const { argsHash } = await heldCall(desk, id, '1.1');
  await desk.blobs.put(switchKey('third'), JSON.stringify({ off: true, by: 'meera', reason: 'it misbehaves', atMs: 0 }));
  await desk.client.approve(id, { call: '1.1', argsHash, by: MEERA });
  expect(await progressOf(id, (status) => status === 'handed_over')).toMatchObject({
    stops: [{ reason: 'hand_over', detail: 'switched_off', text: expect.stringContaining('it misbehaves') }], handOver: { next: 'caseworker enable third' },
  });
  await desk.client.cancel(id, { by: MEERA, reason: 'a test' });
});

test('lists learn how a run stands when somebody decides it, also where the run goes on waiting', async () => {
  const id = await start('legal');
  const listed = async (status: 'handed_over' | 'taken_over') => (await desk.client.list({ status, limit: 100 })).some((run) => run.id === id);
  await expect.poll(() => listed('handed_over'), { timeout: 20_000 }).toBe(true);
  await desk.client.takeOver(id, { by: MEERA, reason: 'I know this one' });
  await expect.poll(() => listed('taken_over'), { timeout: 20_000 }).toBe(true);
  await desk.client.giveBack(id, { by: MEERA, note: 'It is done.' });
  expect(await desk.client.result(id, { waitMs: 30_000 })).toMatchObject({ endReason: 'final_answer' });
});

test('persons are told when something waits and when the run has ended, with the exact call', async () => {
  notifications.length = 0;
  const id = await start('pays');
  const { argsHash } = await heldCall(desk, id, '1.1');
  while (!notifications.some(({ run }) => run === id)) await desk.client.progress(id);
  expect(notifications.find(({ run }) => run === id)).toMatchObject({ event: 'waiting', status: 'waiting_approval', held: [{ call: '1.1', argsHash, args: { amount: 25 } }] });
  await desk.client.approve(id, { call: '1.1', argsHash, by: MEERA });
  await desk.client.result(id, { waitMs: 30_000 });
  expect(notifications.filter(({ run }) => run === id).at(-1)).toMatchObject({ event: 'ended', endReason: 'final_answer' });
});

test('while its end is still being told, a run says that it has ended, and whoever asks how it stands gets the result', async () => {
  const id = await start('told', 'slow-teller');
  expect(await progressOf(id, (status) => status !== 'running')).toMatchObject({ status: 'ended' });
  await expect.poll(async () => (await desk.client.list({ status: 'ended', agent: 'slow-teller', limit: 100 })).map((run) => run.id), { timeout: 20_000 }).toContain(id);
  const shown = desk.client.show(id);
  // Asked behind the question above, so that one is answered before the run closes.
  for (let asked = 0; asked < 3; asked += 1) expect(await desk.client.progress(id)).toMatchObject({ status: 'ended' });
  tellOfEnd();
  expect(await shown).toMatchObject({ summary: { status: 'ended' }, result: { endReason: 'final_answer', answer: 'Order 88213 is done.' } });
});

test('what Temporal calls cancel ends a run that waits for an approval, with its package', async () => {
  const id = await start('pays');
  await heldCall(desk, id, '1.1');
  await desk.temporal.workflow.getHandle(id).cancel();
  const result = await desk.client.result(id, { waitMs: 30_000 });
  expect(result).toMatchObject({ endReason: 'cancelled', handOver: { remains: [expect.stringContaining('pay')] } });
});
