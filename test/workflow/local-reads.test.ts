import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { TraceEntry } from '../../client/types.ts';
import type { Script, Scripts } from '../../models/index.ts';
import { defineTool } from '../../tools/define-tool.ts';
import type { Tool } from '../../tools/tool.ts';
import type { Desk } from '../support/desk.ts';
import { deskAgent, openDesk } from '../support/desk.ts';
import { openGate } from '../support/gate.ts';
import type { Gate } from '../support/gate.ts';
import { failedWorkflowTasks, historyOf, scheduledActivities } from '../support/histories.ts';
import { speaker } from '../support/speaker.ts';

const say = speaker('function-calling');
const lookAt = (...gates: readonly string[]) => say.calls('I look.', ...gates.map((gate) => ['look', { gate }] as const));

let gate: Gate;
beforeAll(async () => {
  gate = await openGate();
});
afterAll(() => gate.close());

/** Short by its time-out. What happens behind the gate is a test's to say. */
function look(changes: { readonly heedsSignal?: boolean; readonly attempts?: number } = {}): Tool {
  const { heedsSignal = true, attempts = 3 } = changes;
  return defineTool({
    name: 'look', description: 'Looks.', input: z.object({ gate: z.string() }), effect: 'read', timeout: '5s', retry: { attempts },
    run: async ({ gate: name }, { signal }) => (await fetch(`${gate.url}/${name}`, heedsSignal ? { signal } : {})).text(),
  });
}

function openWith(script: Script | Scripts, tool: Tool = look()): Promise<Desk> {
  return openDesk({ script, agents: [deskAgent({ tools: [tool], limits: { timeLimit: '1h', turns: 60 } })] });
}

function told(entries: readonly TraceEntry[]): readonly string[] {
  return entries.flatMap((entry) => {
    if (entry.kind === 'call_started') return [`started ${entry.call} ${JSON.stringify(entry.args)}`];
    if (entry.kind === 'attempt_failed') return [`failed attempt ${entry.attempt}`];
    return entry.kind === 'item' && entry.item.type === 'observation' && entry.item.tool === 'look' ? [`${entry.item.call} ${entry.item.status}`] : [];
  });
}

describe('a short read', () => {
  test('seven events a turn: one model call, the workflow task, and the mark of the read that was made in it; the agent is pinned in the first', async () => {
    for (let turn = 0; turn < 9; turn += 1) gate.open(`turn-${turn}`);
    const desk = await openWith(({ turn }) => (turn < 9 ? lookAt(`turn-${turn}`) : say.answer('All seen.')));
    const { id } = await desk.run({});
    const history = await historyOf(desk.temporal, id);
    const events = history.events ?? [];
    const thinks = events.flatMap((event, i) => (event.activityTaskScheduledEventAttributes?.activityType?.name === 'think' ? [i] : []));
    expect(new Set(thinks.slice(1).map((at, i) => at - (thinks[i] ?? 0)))).toEqual(new Set([7]));
    expect(scheduledActivities(history)).not.toContain('look');
    expect(failedWorkflowTasks(history)).toEqual([]);
    // The agent is pinned in the task that asks for the first model call.
    expect(events.findIndex(({ workflowTaskCompletedEventAttributes: completed }) => completed)).toBe(3);
    expect(thinks[0]).toBeLessThan(9);
  });

  test('the trace tells its call, its arguments and its observation; an ended run reads the same with no worker up', async () => {
    gate.open('told');
    const desk = await openWith([lookAt('told'), say.answer('All seen.')]);
    const { id } = await desk.run({});
    const { entries } = await desk.client.trace(id);
    expect(told(entries)).toEqual(['started 1.1 {"gate":"told"}', '1.1 ok']);
    await desk.stopWorker();
    expect((await desk.client.trace(id)).entries).toEqual(entries);
  });

  test('several of a turn run side by side', async () => {
    const desk = await openWith([lookAt('left', 'right'), say.answer('All seen.')]);
    const { id } = await desk.client.start({ agent: 'desk', task: 'Look.' });
    // Neither comes back before both are there.
    await Promise.all([gate.arrived('left', 1), gate.arrived('right', 1)]);
    gate.open('left');
    gate.open('right');
    expect(await desk.client.result(id, { waitMs: 50_000 })).toMatchObject({ endReason: 'final_answer' });
  });
});

describe('a read that does not come back in its second', () => {
  test.each([['heeds its signal', true], ['does not', false]])('is made once more as an activity of its own, and the next one is begun there; the tool %s', async (_what, heedsSignal) => {
    const [slow, next] = [`slow-${heedsSignal}`, `next-${heedsSignal}`];
    const desk = await openWith([lookAt(slow), lookAt(next), say.answer('All seen.')], look({ heedsSignal }));
    const { id } = await desk.client.start({ agent: 'desk', task: 'Look.' });
    await gate.arrived(slow, 2);
    gate.open(slow);
    await gate.arrived(next, 1);
    gate.open(next);
    expect(await desk.client.result(id, { waitMs: 50_000 })).toMatchObject({ endReason: 'final_answer', usage: { toolCalls: 2 } });
    const { entries } = await desk.client.trace(id);
    expect(told(entries)).toEqual([`started 1.1 {"gate":"${slow}"}`, 'failed attempt 1', '1.1 ok', `started 2.1 {"gate":"${next}"}`, '2.1 ok']);
    const history = await historyOf(desk.temporal, id);
    expect(scheduledActivities(history).filter((name) => name === 'look')).toHaveLength(2);
    expect(failedWorkflowTasks(history)).toEqual([]);
    expect(gate.count(next)).toBe(1);
  });

  test('a person who cancels meanwhile is heard after that second, and the run ends', async () => {
    const desk = await openWith([lookAt('never'), say.answer('All seen.')]);
    const { id } = await desk.client.start({ agent: 'desk', task: 'Look.' });
    await gate.arrived('never', 1);
    await desk.client.cancel(id, { by: { name: 'asha', verified: false }, reason: 'no longer needed' });
    expect(await desk.client.result(id, { waitMs: 50_000 })).toMatchObject({ endReason: 'cancelled' });
    expect(told((await desk.client.trace(id)).entries)).toContain('1.1 skipped');
  });
});

test('a read that fails is tried again as an activity, with one attempt fewer', async () => {
  let attempts = 0;
  const unreachable = defineTool({
    name: 'look', description: 'Looks.', input: z.object({ gate: z.string() }), effect: 'read', local: true, retry: { attempts: 2 },
    run: () => {
      attempts += 1;
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }) });
    },
  });
  const desk = await openWith([lookAt('x'), say.answer('It cannot be seen.')], unreachable);
  const { id, result } = await desk.run({});
  expect(result).toMatchObject({ endReason: 'final_answer' });
  expect(attempts).toBe(2);
  expect(told((await desk.client.trace(id)).entries)).toEqual(['started 1.1 {"gate":"x"}', 'failed attempt 1', '1.1 error']);
});
