import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../../core/run.ts';
import type { Scripts } from '../../models/index.ts';
import { heldCall, openApprovalDesk } from '../support/approval-desk.ts';
import type { ApprovalDesk } from '../support/approval-desk.ts';
import { failedWorkflowTasks, historyOf } from '../support/histories.ts';
import { speaker } from '../support/speaker.ts';

const FORMS = ['function-calling', 'text'] as const;
const MEERA: Person = { name: 'meera', verified: false };
const ASHA: Person = { name: 'asha', verified: false };

describe.each(FORMS)('in the %s form', (form) => {
  const say = speaker(form);
  const pay = (amount: number, order_id = '88213') => say.call('I pay.', 'pay', { order_id, amount });
  const scripts: Scripts = {
    pays: [pay(25), say.answer('₹25 is paid back for order 88213.')],
    insists: [pay(25), pay(25), say.answer('It could not be paid.')],
  };
  let desk: ApprovalDesk;
  beforeAll(async () => {
    desk = await openApprovalDesk(scripts, [{ form }]);
  });
  afterAll(async () => desk.till.close());

  const answerOf = async (id: string) => {
    const result = await desk.client.result(id, { waitMs: 30_000 });
    expect(failedWorkflowTasks(await historyOf(desk.temporal, id))).toEqual([]);
    return result;
  };
  const paidOf = (key: string) => desk.till.paid.filter((one) => one.key === key);

  test('an effect waits for a person, who sees exactly what will run, and runs once with their yes', async () => {
    const { id, held: [call] } = await desk.untilHeld('pays');
    expect(call).toMatchObject({ call: '1.1', tool: 'pay', args: { order_id: '88213', amount: 25 }, summary: 'Pay ₹25 back for order 88213', amount: { amount: '25', currency: 'INR' } });
    expect(await desk.client.progress(id)).toMatchObject({ status: 'waiting_approval' });
    const before = desk.till.paid.length;
    expect(await desk.client.approve(id, { call: '1.1', argsHash: call?.argsHash ?? '', by: MEERA, reason: 'seen the receipt' })).toMatchObject({ state: 'applied' });
    expect(await answerOf(id)).toMatchObject({ endReason: 'final_answer', answer: '₹25 is paid back for order 88213.' });
    expect(desk.till.paid.slice(before)).toEqual([{ order: '88213', amount: 25, key: expect.any(String) }]);
    expect(paidOf(desk.till.paid.at(-1)?.key ?? '')).toHaveLength(1);
  });

  test('a rejection reaches the model as an observation, and the same call asked again needs a person again', async () => {
    const { id, held: [call] } = await desk.untilHeld('insists');
    const before = desk.till.paid.length;
    await desk.client.reject(id, { call: '1.1', argsHash: call?.argsHash ?? '', by: MEERA, reason: 'already refunded in the shop' });
    const second = await heldCall(desk, id, '2.1');
    await desk.client.reject(id, { call: '2.1', argsHash: second.argsHash, by: ASHA, reason: 'still no' });
    expect(await answerOf(id)).toMatchObject({ endReason: 'final_answer', answer: 'It could not be paid.' });
    expect(desk.till.paid.slice(before)).toEqual([]);
    const prompts = desk.model.requests().map(({ body }) => JSON.stringify(body));
    expect(prompts.some((prompt) => prompt.includes('meera rejected it: already refunded in the shop'))).toBe(true);
  });

  test('changed arguments run instead of the model\'s, and the model is told', async () => {
    const { id, held: [call] } = await desk.untilHeld('pays');
    const before = desk.till.paid.length;
    const tooMuch = await desk.client.edit(id, { call: '1.1', argsHash: call?.argsHash ?? '', by: MEERA, args: { order_id: '88213', amount: 5_000 } });
    expect(tooMuch).toMatchObject({ state: 'refused', because: expect.stringContaining('held as it was') });
    expect(await desk.client.edit(id, { call: '1.1', argsHash: call?.argsHash ?? '', by: MEERA, args: { order_id: '88213', amount: 25.5 } })).toMatchObject({ state: 'applied' });
    await answerOf(id);
    expect(desk.model.requests().some(({ body }) => JSON.stringify(body).includes('meera changed the arguments to'))).toBe(true);
    expect(desk.till.paid.slice(before)).toEqual([{ order: '88213', amount: 25.5, key: expect.any(String) }]);
  });

  test('a person answers in the place of the tool, and that counts as done', async () => {
    const { id, held: [call] } = await desk.untilHeld('pays');
    const before = desk.till.paid.length;
    await desk.client.respond(id, { call: '1.1', argsHash: call?.argsHash ?? '', by: MEERA, text: 'Paid ₹25 in cash for 88213.' });
    expect(await answerOf(id)).toMatchObject({ endReason: 'final_answer' });
    expect(desk.till.paid.slice(before)).toEqual([]);
  });
});
