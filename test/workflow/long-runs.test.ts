import { describe, expect, test } from 'vitest';
import type { Client } from '@temporalio/client';
import type { Scripts } from '../../models/index.ts';
import type { TraceEntry } from '../../client/types.ts';
import { deskAgent, openDesk } from '../support/desk.ts';
import { eventBytes, failedWorkflowTasks, historyOf, scheduledActivities } from '../support/histories.ts';
import type { History } from '../support/histories.ts';
import { speaker } from '../support/speaker.ts';

const say = speaker('function-calling');
const TURNS = 60;
/** A question a turn, then the answer; each result is a little longer than what a glance takes in. */
const looks: Scripts = {
  default: ({ turn }) => (turn < TURNS - 1 ? say.call(`Step ${turn}.`, 'search', { query: `${turn} ${'x'.repeat(400)}` }) : say.answer('All 59 steps are done.')),
};
const limits = { turns: 100, budget: '10000000 tokens', timeLimit: '1h' } as const;
const short = deskAgent({ name: 'short', limits, context: { historyEvents: 250 } });
const whole = deskAgent({ name: 'whole', limits });

/** All executions of a run, the oldest first. */
async function chainOf(client: Client, id: string): Promise<readonly History[]> {
  const chain: History[] = [];
  let runId: string | undefined;
  do {
    const history = await historyOf(client, id, runId);
    chain.unshift(history);
    runId = history.events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined;
  } while (runId !== undefined);
  return chain;
}

function turnsSeen(entries: readonly TraceEntry[]): readonly number[] {
  return entries.flatMap((entry) => (entry.kind === 'item' && entry.item.type === 'reply' ? [entry.item.turn] : []));
}

/** Bytes that history gained between the replies of two turns. */
function bytesOfTurns({ events }: History, from: number, to: number): number {
  const starts = (events ?? []).flatMap((event, i) => (event.activityTaskScheduledEventAttributes?.activityType?.name === 'think' ? [i] : []));
  return (events ?? []).slice(starts[from - 1], starts[to - 1]).reduce((sum, event) => sum + eventBytes(event), 0);
}

describe(`a run of ${TURNS} turns`, () => {
  test('crosses continue-as-new at least twice and answers as without, its trace whole', async () => {
    const desk = await openDesk({ script: looks, agents: [short, whole] });
    const [parts, one] = await Promise.all([desk.run({ agent: 'short' }), desk.run({ agent: 'whole' })]);
    const chain = await chainOf(desk.temporal, parts.id);
    expect(chain.length).toBeGreaterThanOrEqual(3);
    expect(parts.result).toMatchObject({ endReason: 'final_answer', answer: one.result.answer, usage: { turns: TURNS, toolCalls: TURNS - 1 } });
    expect(parts.result.usage.modelCalls).toBe(one.result.usage.modelCalls);
    expect(chain.flatMap(failedWorkflowTasks)).toEqual([]);
    expect(chain.flatMap(scheduledActivities).filter((name) => name === 'search')).toHaveLength(TURNS - 1);
    const trace = await desk.client.trace(parts.id);
    expect(turnsSeen(trace.entries)).toEqual(Array.from({ length: TURNS }, (_, i) => i + 1));
    expect(trace.entries.some(({ kind }) => kind === 'missing')).toBe(false);
  });

  test('history grows by the same bytes a turn early and late', async () => {
    const desk = await openDesk({ script: looks, agents: [whole] });
    const { id } = await desk.run({ agent: 'whole' });
    const history = await historyOf(desk.temporal, id);
    // Twenty turns each, so that the step in which older turns are summarised is in both.
    const early = bytesOfTurns(history, 12, 32);
    const late = bytesOfTurns(history, 33, 53);
    expect(late / early).toBeGreaterThan(0.9);
    expect(late / early).toBeLessThan(1.1);
  });

  test('twelve events a turn: one model call, one tool, and the workflow tasks between them', async () => {
    const desk = await openDesk({ script: looks, agents: [whole] });
    const { id } = await desk.run({ agent: 'whole' });
    const { events = [] } = await historyOf(desk.temporal, id);
    const thinks = (events ?? []).flatMap((event, i) => (event.activityTaskScheduledEventAttributes?.activityType?.name === 'think' ? [i] : []));
    const gaps = new Set(thinks.slice(1, 50).map((at, i) => at - (thinks[i] ?? 0)));
    expect([...gaps]).toEqual([12]);
  });

  test('a worker that keeps no workflow in memory replays its way to the same result', async () => {
    const forgetful = await openDesk({ script: looks, agents: [whole], maxCachedWorkflows: 0 });
    const { id, result } = await forgetful.run({ agent: 'whole', limits: { turns: 10 } });
    expect(result).toMatchObject({ endReason: 'step_limit', usage: { turns: 10, modelCalls: 10 } });
    expect(failedWorkflowTasks(await historyOf(forgetful.temporal, id))).toEqual([]);
  });
});

test('the trace of an ended run is read with no worker up', async () => {
  const desk = await openDesk({ script: [say.call('I look.', 'get_order', { order_id: '88213' }), say.answer('The fee was ₹25.')] });
  const { id } = await desk.run({});
  const before = await desk.client.trace(id);
  await desk.stopWorker();
  const after = await desk.client.trace(id);
  expect(after).toEqual(before);
  expect(after.entries.at(-1)).toMatchObject({ kind: 'end', result: { endReason: 'final_answer' } });
  const observations = after.entries.flatMap((entry) => (entry.kind === 'item' && entry.item.type === 'observation' ? [entry.item.call] : []));
  expect(observations).toContain('1.1');
});

test('the older part of a run is deleted from the server: its trace comes from the archive', async () => {
  const desk = await openDesk({ script: looks, agents: [short] });
  const { id } = await desk.run({ agent: 'short' });
  const whole = await desk.client.trace(id);
  const first = (await chainOf(desk.temporal, id))[0];
  const runId = first?.events?.[0]?.workflowExecutionStartedEventAttributes?.originalExecutionRunId ?? '';
  // Deleting is a task that the server may put off: it is asked again until it is done.
  const isGone = async () => {
    const { workflowService } = desk.temporal;
    await workflowService.deleteWorkflowExecution({ namespace: 'default', workflowExecution: { workflowId: id, runId } }).catch(() => undefined);
    return historyOf(desk.temporal, id, runId).then(() => 'there', () => 'gone');
  };
  await expect.poll(isGone, { timeout: 120_000, interval: 1_000 }).toBe('gone');
  const rest = await desk.client.trace(id);
  expect(turnsSeen(rest.entries)).toEqual(turnsSeen(whole.entries));
}, 180_000);
