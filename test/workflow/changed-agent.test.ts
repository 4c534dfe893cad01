import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { PriceTable } from '../../core/money.ts';
import { chatMessages } from '../../models/offline/chat-body.ts';
import type { AgentDefinition, AgentOptions } from '../../tools/define-agent.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { deskAgent } from '../support/desk.ts';
import { failedWorkflowTasks, historyOf } from '../support/histories.ts';
import { speaker } from '../support/speaker.ts';
import { startDesk } from '../support/start-desk.ts';
import type { Desk } from '../support/start-desk.ts';
import { temporaryDataDir, testBundle, testServer, uniqueTaskQueue } from '../support/test-server.ts';

const BY = { name: 'asha', verified: false };
const open: Desk[] = [];
afterAll(async () => {
  for (const desk of open) await desk.close();
});

/** Every field of a price table counts for a cost: with the second one a turn costs a thousand times more. */
const prices = (inputPerMillion: string): PriceTable => ({ currency: 'INR', budgetCurrency: 'INR', rate: '1', inputPerMillion, outputPerMillion: '0' });

describe.each(['function-calling', 'text'] as const)('in the form "%s" an agent is deployed anew under its old version while a run waits', (form) => {
  const say = speaker(form);
  const script = [
    say.call('I must know.', 'ask_person', { question: 'Which order?' }), say.call('I look.', 'look', { order: '88213' }),
    say.call('I note it.', 'note', { order: '88213' }), say.answer('It is noted.'),
  ];

  /** The agent with its two tools; `fields` is what both take beside the order. */
  function agentOf(changes: Partial<AgentOptions>, tools: { readonly fields?: z.ZodRawShape; readonly description?: string; readonly ran: string[] }): AgentDefinition {
    const { fields = {}, description = 'Works on an order.', ran } = tools;
    const input = z.object({ order: z.string(), ...fields });
    const make = (name: string, effect: 'read' | 'once') =>
      defineTool({ name, description, input, effect, needsApproval: false, run: (args) => `${name} ${String(args['order'])}, line ${ran.push(name)}` });
    return deskAgent({ form, onStop: 'wait', tools: [make('look', 'read'), make('note', 'once')], prices: prices('1'), limits: { turns: 10, budget: '1 INR' }, ...changes });
  }

  /** A run waits for an answer on the first build; the second one is there when the answer comes. */
  async function redeployed(before: AgentDefinition, after: AgentDefinition) {
    const { connection, nativeConnection, namespace } = await testServer();
    const server = { connection, nativeConnection, namespace, bundle: await testBundle(), taskQueue: uniqueTaskQueue(), dataDir: temporaryDataDir() };
    const build = async (agent: AgentDefinition): Promise<Desk> => {
      const desk = await startDesk(server, { agents: [agent], script });
      open.push(desk);
      return desk;
    };
    const first = await build(before);
    const { id } = await first.client.start({ agent: 'desk', task: 'Note it.' });
    await expect.poll(async () => (await first.client.progress(id))?.status, { timeout: 30_000 }).toBe('waiting_answer');
    await first.stopWorker();
    const second = await build(after);
    await second.client.answer(id, { by: BY, text: 'Order 88213.' });
    return { id, first, second, build };
  }

  test('another prompt, price, limit, description and a field that may be left out: the run goes on as it began', async () => {
    const ran: string[] = [];
    const after = agentOf(
      { instructions: 'You work elsewhere now.', prices: prices('1000'), limits: { turns: 1, budget: '0.001 INR' }, constraints: ['Note nothing.'] },
      { ran, fields: { why: z.string().optional() }, description: 'Works on an order, or says why not.' },
    );
    const { id, first, second } = await redeployed(agentOf({}, { ran }), after);
    const result = await second.client.result(id, { waitMs: 30_000 });
    expect(result).toMatchObject({ endReason: 'final_answer', usage: { turns: 4 } });
    expect(ran).toEqual(['look', 'note']);
    // The same model was told the same thing, and what it cost is what it cost before.
    expect(second.model.requests()).toHaveLength(3);
    const told = [...first.model.requests(), ...second.model.requests()].map(({ body }) => [chatMessages(body)[0]?.text, JSON.stringify(body['tools'])]);
    expect(new Set(told.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(told[0]?.[0]).toContain('You work at the desk.');
    expect(result?.usage.cost).toMatchObject({ currency: 'INR', amount: expect.stringMatching(/^0\.00\d+$/) });
    expect(failedWorkflowTasks(await historyOf(second.temporal, id))).toEqual([]);
  });

  test('a tool that takes other arguments now: it does not run, a person gets the run, and with the old tool back it goes on', async () => {
    const ran: string[] = [];
    const before = agentOf({}, { ran });
    const { id, second, build } = await redeployed(before, agentOf({}, { ran, fields: { reason: z.string() } }));
    await expect.poll(async () => (await second.client.progress(id))?.status, { timeout: 30_000 }).toBe('handed_over');
    expect(await second.client.progress(id)).toMatchObject({ stops: [{ reason: 'hand_over', detail: 'agent_changed', text: expect.stringContaining('reason is missing') }] });
    expect(ran).toEqual([]);
    await second.stopWorker();

    const third = await build(before);
    expect(await third.client.resume(id, { by: BY })).toMatchObject({ state: 'applied' });
    await third.client.result(id, { waitMs: 30_000 });
    expect(ran).toContain('note');
    expect(failedWorkflowTasks(await historyOf(third.temporal, id))).toEqual([]);
  });
});
