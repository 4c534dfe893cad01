import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Script, Scripts } from '../../models/index.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { heldCall, openApprovalDesk } from '../support/approval-desk.ts';
import { deskAgent, openDesk } from '../support/desk.ts';
import type { Desk } from '../support/desk.ts';
import { failedWorkflowTasks, historyOf } from '../support/histories.ts';
import { speaker } from '../support/speaker.ts';
import { search } from '../support/start-desk.ts';

const MEERA = { name: 'meera', verified: false };
const say = speaker('function-calling');
const look = (query: string) => say.call('I look.', 'search', { query });
const pay = say.call('I pay.', 'pay', { order: '88213' });
/** The same refund at turns 3 and 5. */
const asksTwice = [look('a'), look('b'), pay, look('c'), pay, say.answer('Finished.')];

/** A desk whose payments are counted, as the bank would count them; `bank` is what it knows by key. */
async function payingDesk(effect: 'once' | 'idempotent', script: Script) {
  const bank: string[] = [];
  const payTool = defineTool({
    name: 'pay', description: 'Pays.', input: z.object({ order: z.string() }), effect, needsApproval: false,
    run: ({ order }, { idempotencyKey }) => {
      bank.push(idempotencyKey);
      return `paid for ${order}, receipt ${bank.length}`;
    },
  });
  return { bank, desk: await openDesk({ script, agents: [deskAgent({ tools: [search, payTool] })] }) };
}

/** Temporal's own reset, to just before a turn's model call. */
async function resetBefore({ temporal }: Desk, id: string, turn: number): Promise<void> {
  const { events } = await historyOf(temporal, id);
  const think = events?.find(({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityId === `think-${turn}`);
  const workflowTaskFinishEventId = think?.activityTaskScheduledEventAttributes?.workflowTaskCompletedEventId;
  const { runId } = await temporal.workflow.getHandle(id).describe();
  await temporal.workflowService.resetWorkflowExecution({
    namespace: 'default', workflowExecution: { workflowId: id, runId }, reason: 'a test', requestId: randomUUID(), ...(workflowTaskFinishEventId ? { workflowTaskFinishEventId } : {}),
  });
}

describe.each(['once', 'idempotent'] as const)('a payment (%s) that a model asks for at turns 3 and 5', (effect) => {
  test('is made once, and not again after a reset to before it', async () => {
    const { bank, desk } = await payingDesk(effect, asksTwice);
    const { id } = await desk.run({ task: 'Pay order 88213.' });
    expect(bank).toHaveLength(1);
    await resetBefore(desk, id, 3);
    expect(await desk.client.result(id, { waitMs: 30_000 })).toMatchObject({ endReason: 'final_answer', usage: { turns: 6 } });
    expect(bank).toHaveLength(1);
    const { effects } = await desk.client.effects(id);
    expect(effects).toMatchObject([{ call: '3.1', outcome: 'ok', text: expect.stringContaining('Already done (call 3.1 of this run)'), key: bank[0] }]);
    expect(failedWorkflowTasks(await historyOf(desk.temporal, id))).toEqual([]);
  });

  test('is not made again when the model asks for it in another turn after the reset', async () => {
    const asksLater: Script = ({ turn, attempt }) => (turn === 2 && attempt > 1 ? look('d') : asksTwice[turn] ?? say.answer('Finished.'));
    const { bank, desk } = await payingDesk(effect, asksLater);
    const { id } = await desk.run({ task: 'Pay order 88213.' });
    await resetBefore(desk, id, 3);
    expect(await desk.client.result(id, { waitMs: 30_000 })).toMatchObject({ endReason: 'final_answer' });
    expect(bank).toHaveLength(1);
    expect((await desk.client.effects(id)).effects).toMatchObject([{ call: '5.1', outcome: 'ok', text: expect.stringContaining('paid for 88213') }]);
  });
});

test('after a reset a call of the same number with other arguments does not go out under the old key', async () => {
  const other = say.call('I pay.', 'pay', { order: '88214' });
  const script: Script = ({ turn, attempt }) => (attempt > 1 && (turn === 2 || turn === 4) ? other : asksTwice[turn] ?? say.answer('Finished.'));
  const { bank, desk } = await payingDesk('idempotent', script);
  const { id } = await desk.run({ task: 'Pay orders 88213 and 88214.' });
  await resetBefore(desk, id, 3);
  await desk.client.result(id, { waitMs: 30_000 });
  const { entries } = await desk.client.trace(id);
  const refused = entries.find((entry) => entry.kind === 'item' && entry.item.type === 'observation' && entry.item.call === '3.1');
  expect(refused).toMatchObject({ item: { status: 'error', text: expect.stringContaining('other arguments before the run was reset') } });
  expect(new Set(bank).size).toBe(2);
});

test('two runs that mean one business case pay once, whichever asks second', async () => {
  let paid = 0;
  const payTool = defineTool({
    name: 'pay', description: 'Pays.', input: z.object({ order: z.string(), note: z.string().optional() }), effect: 'once', needsApproval: false,
    key: ({ order }) => `refund of ${order}`, run: () => `receipt ${(paid += 1)}`,
  });
  const desk = await openDesk({
    script: { first: [pay, say.answer('Finished.')], other: [say.call('I pay.', 'pay', { order: '88213', note: 'x' }), say.answer('Finished.')] },
    agents: [deskAgent({ tools: [payTool] })],
  });
  const first = await desk.run({ task: 'script:first Pay order 88213.' });
  const second = await desk.run({ task: 'script:first Pay order 88213.' });
  const third = await desk.run({ task: 'script:other Pay order 88213.' });
  expect(paid).toBe(1);
  expect((await desk.client.effects(second.id)).effects).toMatchObject([{ outcome: 'earlier', doneBy: { run: first.id, call: '1.1' }, attempts: 0, key: 'refund of 88213', text: `Already done (call 1.1 of run ${first.id}), so it was not done again. Its outcome was: receipt 1` }]);
  expect((await desk.client.effects(third.id)).effects).toEqual([]);
});

/** Payments that a person approves, one for each order whatever the run. */
async function approvedPayments(script: Scripts) {
  const paid: string[] = [];
  const payTool = defineTool({
    name: 'pay', description: 'Pays.', input: z.object({ order: z.string() }), effect: 'once',
    key: ({ order }) => `refund of ${order}`, run: ({ order }) => `receipt ${paid.push(order)}`,
  });
  return { paid, desk: await openApprovalDesk(script, [{ tools: [payTool] }]) };
}

test('before the yes an approver is told that another run has had the effect, in both ways to ask for it', async () => {
  const { paid, desk } = await approvedPayments({ pays: [pay, say.answer('Finished.')], stops: [say.call('Not for me.', 'hand_over', { reason: 'too large' }), say.answer('Finished.')] });
  const first = await desk.untilHeld('pays');
  expect(first.held[0]?.checks).not.toHaveProperty('elsewhere');
  await desk.client.approve(first.id, { call: '1.1', argsHash: first.held[0]?.argsHash ?? '', by: MEERA });
  await desk.client.result(first.id, { waitMs: 30_000 });
  const elsewhere = { run: first.id, call: '1.1', stands: 'done' };
  const second = await desk.untilHeld('pays');
  expect(await desk.client.waiting(second.id)).toMatchObject([{ checks: { elsewhere }, risk: { level: 'high', reasons: [{ kind: 'elsewhere', elsewhere }, { kind: 'once' }] } }]);
  const yes = await desk.client.approve(second.id, { call: '1.1', argsHash: second.held[0]?.argsHash ?? '', by: MEERA });
  expect(yes).toMatchObject({ state: 'applied', text: 'pay (1.1) is approved.' });
  const { id } = await desk.client.start({ agent: 'desk', task: 'script:stops Order 88213.' });
  await expect.poll(async () => (await desk.client.progress(id))?.status, { timeout: 20_000 }).toBe('handed_over');
  await desk.client.takeOver(id, { by: MEERA });
  await desk.client.call(id, { by: MEERA, tool: 'pay', args: { order: '88213' } });
  expect((await heldCall(desk, id, '1.p1')).checks).toMatchObject({ elsewhere });
  expect(paid).toHaveLength(1);
  await desk.till.close();
});

test('of two runs of one case that wait at once, the second tells what the first has done since', async () => {
  const { paid, desk } = await approvedPayments({ waits: [say.call('I pay.', 'pay', { order: '88214' }), say.answer('Finished.')] });
  const [first, second] = [await desk.untilHeld('waits'), await desk.untilHeld('waits')];
  expect(await desk.client.waiting(second.id)).toMatchObject([{ risk: { level: 'some' }, checks: expect.not.objectContaining({ elsewhere: expect.anything() }) }]);
  await desk.client.approve(first.id, { call: '1.1', argsHash: first.held[0]?.argsHash ?? '', by: MEERA });
  await desk.client.result(first.id, { waitMs: 30_000 });
  const elsewhere = { run: first.id, call: '1.1', stands: 'done' };
  const told = [{ checks: { elsewhere }, risk: { level: 'high' } }];
  expect(await desk.client.waiting(second.id)).toMatchObject(told);
  expect((await desk.client.show(second.id)).progress?.held).toMatchObject([{ checks: { elsewhere } }]);
  await expect.poll(async () => (await desk.client.inbox({ agent: 'desk' })).filter(({ run }) => run === second.id), { timeout: 20_000 }).toMatchObject(told);
  expect(paid).toHaveLength(1);
  await desk.till.close();
});
