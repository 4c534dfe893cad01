import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Script } from '../../models/index.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { deskAgent, openDesk } from '../support/desk.ts';
import { historyOf } from '../support/histories.ts';
import { speaker } from '../support/speaker.ts';
import { search } from '../support/start-desk.ts';

const say = speaker('function-calling');
const BY = { name: 'asha', verified: false };

test('the older part of a run is deleted from the server: the record of effects still tells it, approval and all', async () => {
  const refund = defineTool({ name: 'refund', description: 'Pays.', input: z.object({ order: z.string() }), effect: 'idempotent', run: () => 'receipt 7' });
  const script: Script = ({ turn }) => {
    if (turn === 0) return say.call('I pay.', 'refund', { order: '88213' });
    return turn < 20 ? say.call('I look.', 'search', { query: `${turn}` }) : say.answer('Finished.');
  };
  const desk = await openDesk({ script, agents: [deskAgent({ onStop: 'wait', tools: [search, refund], limits: { turns: 50 }, context: { historyEvents: 100 } })] });
  const { id } = await desk.client.start({ agent: 'desk', task: 'Pay order 88213.' });
  await expect.poll(async () => (await desk.client.progress(id))?.held?.length, { timeout: 30_000 }).toBe(1);
  const [held] = (await desk.client.progress(id))?.held ?? [];
  expect((await desk.client.effects(id)).effects).toMatchObject([{ call: '1.1', outcome: 'held' }]);
  await desk.client.decide(id, 'approve', { by: BY, call: held?.call ?? '', argsHash: held?.argsHash ?? '' });
  expect(await desk.client.result(id, { waitMs: 50_000 })).toMatchObject({ endReason: 'final_answer' });

  const whole = await desk.client.effects(id);
  expect(whole).toMatchObject({
    missing: [],
    effects: [{ call: '1.1', tool: 'refund', args: { order: '88213' }, kind: 'idempotent', attempts: 1, outcome: 'ok', approvedBy: { person: BY } }],
  });
  const { firstRunId = '' } = await desk.client.trace(id);
  const isGone = async () => {
    const { workflowService } = desk.temporal;
    await workflowService.deleteWorkflowExecution({ namespace: 'default', workflowExecution: { workflowId: id, runId: firstRunId } }).catch(() => undefined);
    return historyOf(desk.temporal, id, firstRunId).then(() => 'there', () => 'gone');
  };
  await expect.poll(isGone, { timeout: 120_000, interval: 1_000 }).toBe('gone');
  expect(await desk.client.effects(id)).toEqual(whole);
}, 240_000);
