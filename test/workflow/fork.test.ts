import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { runInputProblem } from '../../core/run-input-problem.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { deskAgent, openDesk } from '../support/desk.ts';
import { failedWorkflowTasks, historyOf, scheduledActivities } from '../support/histories.ts';
import { speaker } from '../support/speaker.ts';
import { search } from '../support/start-desk.ts';

const BY = { name: 'asha', verified: false };

describe.each(['function-calling', 'text'] as const)('a fork in the %s form', (form) => {
  const say = speaker(form);
  const pay = say.call('I pay.', 'pay', { order: '88213' });
  const scripts = {
    first: [say.call('I look.', 'search', { query: 'fee' }), pay, say.call('I look.', 'search', { query: 'wrong way' }), say.answer('Went the wrong way.')],
    // The same model after the fork asks for the payment once more before it answers.
    again: ({ turn }: { readonly turn: number }) => (turn === 2 ? pay : say.answer('Went the right way.')),
  };

  async function forked() {
    let paid = 0;
    const payTool = defineTool({
      name: 'pay', description: 'Pays.', input: z.object({ order: z.string() }), effect: 'once', needsApproval: false,
      run: ({ order }) => `paid ${order}, receipt ${(paid += 1)}`,
    });
    const desk = await openDesk({ script: scripts, agents: [deskAgent({ form, tools: [search, payTool] })] });
    const parent = await desk.run({ task: 'script:first Pay order 88213.' });
    const { id } = await desk.client.fork(parent.id, { atTurn: 2, goal: 'script:again Pay order 88213, the right way.', requestedBy: BY });
    const result = await desk.client.result(id, { waitMs: 30_000 });
    return { desk, parent, id, result, paid: () => paid };
  }

  test('goes its own way after the copied turns, which it neither asks nor does again', async () => {
    const { desk, parent, id, result, paid } = await forked();
    expect(result).toMatchObject({ endReason: 'final_answer', answer: 'Went the right way.', usage: { turns: 2, modelCalls: 2 } });
    expect(paid()).toBe(1);
    const history = await historyOf(desk.temporal, id);
    expect(scheduledActivities(history)).not.toContain('pay');
    expect(failedWorkflowTasks(history)).toEqual([]);
    const { entries } = await desk.client.trace(id);
    const items = entries.flatMap((entry) => (entry.kind === 'item' ? [entry.item] : []));
    expect(items[0]).toMatchObject({ type: 'task', fork: { parent: parent.id, turn: 2 } });
    expect(items.flatMap((item) => (item.type === 'reply' ? [item.turn] : []))).toEqual([1, 2, 3, 4]);
    expect(items.find((item) => item.type === 'observation' && item.call === '3.1')).toMatchObject({ status: 'skipped', text: expect.stringContaining('already done at turn 2 (2.1)') });
    expect((await desk.client.effects(id)).effects).toMatchObject([{ call: '2.1', outcome: 'ok' }]);
    expect((await desk.client.show(id)).summary.forkedFrom).toBe(`${parent.id} at turn 2`);
  });

  test('the parent stays as it was', async () => {
    const { desk, parent } = await forked();
    const { entries } = await desk.client.trace(parent.id);
    expect(entries.at(-1)).toMatchObject({ kind: 'end', result: { answer: 'Went the wrong way.' } });
  });

  test.each([['its own', 'script:again Only look.', 'Only look.'], ['that which the parent had by then', undefined, 'Only order 2.']])(
    'its goal is %s, also where a person had given the parent another; rules of the parent stay', async (_whose, goal, heard) => {
      const turned = [{ ...say.call('I look.', 'search', { query: 'fee' }), heldBy: 'turned' }, say.answer('Looked.')];
      const desk = await openDesk({ script: { turned, again: () => say.answer('Looked again.') }, agents: [deskAgent({ form, tools: [search] })] });
      const { id: parent } = await desk.client.start({ agent: 'desk', task: 'script:turned Look at order 1.', constraints: ['Pay nothing.'] });
      await desk.model.until((requests) => requests.length === 1);
      await desk.client.redirect(parent, { goal: 'script:turned Only order 2.', by: BY });
      desk.model.release('turned');
      await desk.client.result(parent, { waitMs: 30_000 });
      const { id } = await desk.client.fork(parent, { atTurn: 1, ...(goal === undefined ? {} : { goal }) });
      expect(await desk.client.result(id, { waitMs: 30_000 })).toMatchObject({ endReason: 'final_answer' });
      const asked = JSON.stringify(desk.model.requests().at(-1)?.body);
      const reminder = asked.slice(asked.lastIndexOf('Goal'));
      expect(reminder).toContain(heard);
      expect(reminder).toContain('Pay nothing.');
      expect(failedWorkflowTasks(await historyOf(desk.temporal, id))).toEqual([]);
    },
  );

  test('a turn that does not exist cannot be forked at', async () => {
    const { desk, parent } = await forked();
    await expect(desk.client.fork(parent.id, { atTurn: 9 })).rejects.toThrow('has no finished turn 9');
  });
});

describe('a fork that nobody could go on from is refused before anything runs', () => {
  const input = (fork: unknown) => ({ agent: 'desk', task: 'x', fork });
  test.each([
    ['no parent', { turn: 1, items: [] }],
    ['no turn', { parent: { id: 'a' }, items: [] }],
    ['turn 0', { parent: { id: 'a' }, turn: 0, items: [] }],
    ['no items', { parent: { id: 'a' }, turn: 1 }],
    ['a task among the items', { parent: { id: 'a' }, turn: 1, items: [{ type: 'task', goal: 'x' }] }],
    ['half a reply', { parent: { id: 'a' }, turn: 1, items: [{ type: 'reply', turn: 1, actions: [{ kind: 'call', id: '1.1' }], notes: [], usage: {} }] }],
    ['an item of a kind that is not known', { parent: { id: 'a' }, turn: 1, items: [{ type: 'toString' }] }],
    ['more than can be sent', { parent: { id: 'a' }, turn: 1, items: [{ type: 'nudge', turn: 1, guard: 'repeating', text: 'x'.repeat(1_500_000) }] }],
  ])('%s', (_what, fork) => {
    expect(runInputProblem(input(fork))).toMatch(/fork|copied/i);
  });
});
