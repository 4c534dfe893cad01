import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Script } from '../../models/index.ts';
import { decide } from '../../models/offline/offline-model.ts';
import { speak } from '../../models/offline/speak.ts';
import { viewOf } from '../../models/offline/view.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { deskAgent, openDesk } from '../support/desk.ts';
import { speaker } from '../support/speaker.ts';

const say = speaker('function-calling');

/** Long enough that it is worth eliding. */
const getOrder = defineTool({
  name: 'get_order', description: 'One order.', input: z.object({ order_id: z.string() }), effect: 'read', local: true,
  run: ({ order_id }) => ({ order_id, status: 'delivered', fee: '₹25', price: '₹480', notes: 'The courier rang twice and left it with the neighbour. '.repeat(8) }),
});
const getPage = defineTool({
  name: 'get_page', description: 'One page of the day book.', input: z.object({ page: z.number() }), effect: 'read', local: true,
  run: ({ page }) => `Page ${page}: ${'Nothing that has to do with any order was written down here. '.repeat(12)}`,
});

/** Reads the order at turn 3 and the day book ever after; from turn 150 on the offline model's rules decide, by what they are shown. */
const script: Script = ({ turn, body }) => {
  if (turn === 2) return say.call('The order is needed.', 'get_order', { order_id: '88213' });
  if (turn < 149) return say.call('The day book may say more.', 'get_page', { page: turn + 1 });
  const view = viewOf(body);
  return speak(view, decide(view));
};

/** What stands for the order's record at turn 150: a line that names it, or nothing any more. */
const CONTEXTS = [
  { what: 'elided: the model recalls it', context: { elideAboveTokens: 12_000, summariseAboveTokens: 1_000_000 }, asks: ['recall', { id: '3.1' }] },
  { what: 'left out of the summary: the model looks it up again', context: {}, asks: ['get_order', { order_id: '88213' }] },
] as const;

test.each(CONTEXTS)('what was found at turn 3 is still right at turn 150; it was $what', { timeout: 240_000 }, async ({ context, asks }) => {
  const desk = await openDesk({ script, agents: [deskAgent({ tools: [getOrder, getPage], context, limits: { turns: 170, timeLimit: '1h', budget: '100000000 tokens' } })] });
  const { id } = await desk.client.start({ agent: 'desk', task: 'What was the fee of order 88213?' });
  const result = await desk.client.result(id, { waitMs: 220_000 });
  expect(result).toMatchObject({ endReason: 'final_answer', answer: expect.stringContaining('₹25') });
  const { entries } = await desk.client.trace(id);
  const actions = entries.flatMap((entry) => (entry.kind === 'item' && entry.item.type === 'reply' ? entry.item.actions : []));
  const calls = actions.flatMap((action) => (action.kind === 'call' ? [[action.tool, action.args]] : []));
  expect(calls).toHaveLength(150);
  expect(calls[149]).toEqual(asks);
});
