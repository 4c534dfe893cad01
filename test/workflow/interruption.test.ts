import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Scripts } from '../../models/index.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { deskAgent, openDesk } from '../support/desk.ts';
import type { Desk } from '../support/desk.ts';
import { openGate } from '../support/gate.ts';
import type { Gate } from '../support/gate.ts';
import { failedWorkflowTasks, historyOf, scheduledActivities } from '../support/histories.ts';
import { speaker } from '../support/speaker.ts';

const FORMS = ['function-calling', 'text'] as const;
const by = { name: 'meera', verified: false };

let gate: Gate;
beforeAll(async () => {
  gate = await openGate();
});
afterAll(() => gate.close());

/** Goes through the gate; told to stop it says what it did, as a good tool does. */
const gated = (name: string, effect: 'read' | 'once') =>
  defineTool({
    name, description: `Goes through the gate (${effect}).`, effect, needsApproval: false,
    input: z.object({ gate: z.string() }),
    run: async (args, { signal }) => {
      const passed = fetch(`${gate.url}/${args.gate}`).then((response) => response.text());
      if (effect === 'read') return passed;
      await Promise.race([passed, new Promise((resolve) => signal.addEventListener('abort', resolve))]);
      return signal.aborted ? 'It was paid before the cancel came.' : passed;
    },
  });

describe.each(FORMS)('in the %s form', (form) => {
  const say = speaker(form);
  const on = (tool: string, name: string) => say.call('On.', tool, { gate: `${name}-${form}` });
  const scripts: Scripts = {
    pays: [on('pay', 'pay'), on('look', 'after-pay'), say.answer('Done.')],
    looks: [on('look', 'look'), on('look', 'after-look'), say.answer('Done.')],
    last: [on('look', 'last'), say.answer('Done.')],
    thinks: [{ ...on('look', 'never'), heldBy: 'thinks' }],
    retries: [{ ...on('look', 'never'), first: [{ fault: 'drop' }], heldBy: 'retries' }],
    asks: [say.call('Which?', 'ask_person', { question: 'Which order?' }), say.answer('Done.')],
  };
  let desk: Desk;
  let runs: string[] = [];
  beforeAll(async () => {
    desk = await openDesk({ script: scripts, agents: [deskAgent({ form, onStop: 'wait', tools: [gated('look', 'read'), gated('pay', 'once')] })] });
  });
  afterAll(async () => {
    for (const id of runs) expect(failedWorkflowTasks(await historyOf(desk.temporal, id))).toEqual([]);
  });

  async function start(script: string): Promise<string> {
    const { id } = await desk.client.start({ agent: 'desk', task: `script:${script} Go.` });
    runs = [...runs, id];
    return id;
  }

  async function cancelled(id: string) {
    expect(await desk.client.cancel(id, { reason: 'not needed', by })).toMatchObject({ state: 'applied' });
    const started = scheduledActivities(await historyOf(desk.temporal, id)).filter((type) => type !== 'archive').length;
    const result = await desk.client.result(id, { waitMs: 30_000 });
    expect(result).toMatchObject({ endReason: 'cancelled', handOver: { reason: 'Cancelled by meera: not needed' } });
    // Nothing starts after the reply.
    expect(scheduledActivities(await historyOf(desk.temporal, id)).filter((type) => type !== 'archive')).toHaveLength(started);
    return result;
  }

  test('a cancel in a write tells the tool and waits for it, so that its outcome is known', async () => {
    const id = await start('pays');
    await gate.arrived(`pay-${form}`, 1);
    const result = await cancelled(id);
    expect(result?.handOver).toMatchObject({ done: [{ tool: 'pay', outcome: 'It was paid before the cancel came.' }], inDoubt: [] });
    expect(gate.count(`after-pay-${form}`)).toBe(0);
  });

  test('a cancel in a model call aborts it', async () => {
    const id = await start('thinks');
    await desk.model.until((requests) => requests.some(({ key }) => key === 'thinks'));
    expect(await cancelled(id)).toMatchObject({ usage: { turns: 0 } });
    desk.model.release('thinks');
  });

  test('a model call that is cut short is charged with the attempts before it', async () => {
    const id = await start('retries');
    await desk.model.until((requests) => requests.filter(({ key }) => key === 'retries').length === 2);
    expect(await cancelled(id)).toMatchObject({ usage: { turns: 0, modelCalls: 2 } });
    desk.model.release('retries');
  });

  test('a cancel while a question waits ends the run, and the question is among what remains', async () => {
    const id = await start('asks');
    while ((await desk.client.progress(id))?.status !== 'waiting_answer') expect(id).not.toBe('');
    expect((await cancelled(id))?.handOver?.remains[0]).toBe('Answer the question: Which order?');
  });

  test('a cancel that comes together with the last result: either the answer or the cancel, never both', async () => {
    const id = await start('last');
    await gate.arrived(`last-${form}`, 1);
    gate.open(`last-${form}`);
    const outcome = await desk.client.cancel(id, { reason: 'late', by }).catch((error: unknown) => error);
    const result = await desk.client.result(id, { waitMs: 30_000 });
    const isApplied = typeof outcome === 'object' && outcome !== null && 'state' in outcome && outcome.state === 'applied';
    expect(result?.endReason).toBe(isApplied ? 'cancelled' : 'final_answer');
    expect(result?.stops).toHaveLength(1);
  });

  test('a pause lets calls in flight end and starts nothing more until resume', async () => {
    const id = await start('looks');
    await gate.arrived(`look-${form}`, 1);
    expect(await desk.client.pause(id, { by })).toMatchObject({ state: 'applied' });
    gate.open(`look-${form}`);
    gate.open(`after-look-${form}`);
    while ((await desk.client.progress(id))?.usage.toolCalls !== 1) expect(id).not.toBe('');
    expect(await desk.client.progress(id)).toMatchObject({ status: 'paused', turn: 1 });
    expect(gate.count(`after-look-${form}`)).toBe(0);
    await desk.client.resume(id, { by });
    expect(await desk.client.result(id, { waitMs: 30_000 })).toMatchObject({ endReason: 'final_answer', usage: { toolCalls: 2 } });
  });
});
