import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '../../core/json.ts';
import type { Scripts } from '../../models/index.ts';
import type { ObservationItem } from '../../core/transcript.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { deskAgent, openDesk } from '../support/desk.ts';
import type { Desk } from '../support/desk.ts';
import { chance } from '../chaos/chance.ts';
import { eventBytes, failedWorkflowTasks } from '../support/histories.ts';
import type { History } from '../support/histories.ts';
import { speaker } from '../support/speaker.ts';
import { search } from '../support/start-desk.ts';

const say = speaker('function-calling');
const BY = { name: 'asha', verified: false };
const MB = 1_000_000;
const limits = { turns: 1_000, budget: '1000000000 tokens', timeLimit: '24h' } as const;
const huge = defineTool({
  name: 'huge', description: 'Returns a lot.', input: z.object({ mb: z.number() }), effect: 'read', run: ({ mb }) => `start ${'x'.repeat(mb * MB)} the end`,
});
const agent = deskAgent({ tools: [search, huge], limits });

/** A provider's reply that is larger than the output that it was asked for. */
function replyOf(calls: readonly (readonly [name: string, args: JsonObject])[]): JsonObject {
  return {
    id: 'r', object: 'chat.completion', created: 0, model: 'scripted',
    usage: { prompt_tokens: 400, completion_tokens: 900, total_tokens: 1_300 },
    choices: [{
      index: 0, finish_reason: 'tool_calls',
      message: {
        role: 'assistant', content: 'Everything at once.',
        tool_calls: calls.map(([name, args], i) => ({ id: `c${i}`, type: 'function', function: { name, arguments: JSON.stringify(args) } })),
      },
    }],
  };
}

async function chainOf({ temporal }: Desk, id: string): Promise<readonly History[]> {
  const chain: History[] = [];
  let runId: string | undefined;
  do {
    const history = await temporal.workflow.getHandle(id, runId).fetchHistory();
    chain.unshift(history);
    runId = history.events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined;
  } while (runId !== undefined);
  return chain;
}

async function observationsOf({ client }: Desk, id: string): Promise<readonly ObservationItem[]> {
  const { entries } = await client.trace(id);
  return entries.flatMap((entry) => (entry.kind === 'item' && entry.item.type === 'observation' ? [entry.item] : []));
}

/** Nothing that crossed was large, and nothing got stuck on its size. */
async function expectSmall(desk: Desk, id: string): Promise<void> {
  const chain = await chainOf(desk, id);
  expect(chain.flatMap(failedWorkflowTasks)).toEqual([]);
  const largest = Math.max(...chain.flatMap(({ events }) => (events ?? []).map(eventBytes)));
  expect(largest).toBeLessThan(2 * MB);
}

describe('what is too large is survived, or refused with its reason', () => {
  test('a result of nearly 5 MB: the model sees its beginning, and recall brings the rest', async () => {
    const desk = await openDesk({
      script: [say.call('I look.', 'huge', { mb: 4.9 }), say.call('I read on.', 'recall', { id: '1.1', from: 4_899_000 }), say.answer('Finished.')], agents: [agent],
    });
    const { id, result } = await desk.run({});
    expect(result).toMatchObject({ endReason: 'final_answer' });
    const [first, rest] = await observationsOf(desk, id);
    expect(first).toMatchObject({ status: 'ok', text: expect.stringMatching(/^start x+[^]*cut: \d+ of 4900014 characters/) });
    expect(rest?.text).toContain('the end');
    await expectSmall(desk, id);
  });

  test('a result above 5 MB is not taken, and the model is told to ask for less', async () => {
    const desk = await openDesk({ script: [say.call('I look.', 'huge', { mb: 5 }), say.answer('Finished.')], agents: [agent] });
    const { id, result } = await desk.run({});
    expect(result).toMatchObject({ endReason: 'final_answer' });
    expect((await observationsOf(desk, id))[0]).toMatchObject({ status: 'error', text: expect.stringContaining('ask for less at a time') });
    await expectSmall(desk, id);
  });

  test('a reply of 1 MB is a reply in the wrong format, and the run goes on', async () => {
    const desk = await openDesk({ script: [{ text: 'y'.repeat(MB) }, say.answer('Finished.')], agents: [agent] });
    const { id, result } = await desk.run({});
    expect(result).toMatchObject({ endReason: 'final_answer', answer: 'Finished.', usage: { turns: 2 }, counters: { format_errors: 1 } });
    await expectSmall(desk, id);
  });

  test.each([['3 MB', 3 * MB, 'Nothing was run. Reply again, shorter.'], ['200 kB', 200_000, 'at most 128 KiB are allowed']])(
    'an argument of %s does not run, and the model is told why', async (_what, size, why) => {
      const desk = await openDesk({ script: [{ raw: replyOf([['search', { query: 'z'.repeat(size) }]]) }, say.answer('Finished.')], agents: [agent] });
      const { id, result } = await desk.run({});
      expect(result).toMatchObject({ endReason: 'final_answer', usage: { toolCalls: 0 } });
      expect((await observationsOf(desk, id))[0]).toMatchObject({ status: 'error', text: expect.stringContaining(why) });
      await expectSmall(desk, id);
    },
  );

  const calls = (count: number) => Array.from({ length: count }, (_, i) => ['search', { query: `q${i}` }] as const);

  test('60 calls in one reply: 16 run, each of the others is told why not', async () => {
    const desk = await openDesk({ script: [{ raw: replyOf(calls(60)) }, say.answer('Finished.')], agents: [agent] });
    const { id, result } = await desk.run({});
    expect(result).toMatchObject({ endReason: 'final_answer', usage: { toolCalls: 16 } });
    const observations = await observationsOf(desk, id);
    expect(observations.slice(0, 60).map(({ call }) => call)).toEqual(calls(60).map((_, i) => `1.${i + 1}`));
    expect(observations.filter(({ status, text }) => status === 'skipped' && text.includes('at most 16 calls a turn'))).toHaveLength(44);
    await expectSmall(desk, id);
  });

  test('200 calls in one reply: none runs, and the model is told how many may', async () => {
    const desk = await openDesk({ script: [{ raw: replyOf(calls(200)) }, say.answer('Finished.')], agents: [agent] });
    const { id, result } = await desk.run({});
    expect(result).toMatchObject({ endReason: 'final_answer', usage: { toolCalls: 0 } });
    expect((await observationsOf(desk, id))[0]).toMatchObject({ status: 'error', text: expect.stringContaining('none was run. Make at most 16 a turn.') });
    await expectSmall(desk, id);
  });
});

describe('a run of 500 turns with 50 decisions sent at random', () => {
  test('continues as new at least three times, loses no decision, and answers as without them', async () => {
    const TURNS = 500;
    const scripts: Scripts = {
      default: ({ turn }) => (turn < TURNS - 1 ? say.call(`Step ${turn}.`, 'search', { query: `${turn}` }) : say.answer(`All ${TURNS - 1} steps are done.`)),
    };
    const desk = await openDesk({ script: scripts, agents: [deskAgent({ tools: [search], limits, context: { historyEvents: 1_800 } })] });
    const { int } = chance(500);
    const { id } = await desk.client.start({ agent: 'desk', task: 'Work it off.' });
    const sent = Array.from({ length: 50 }, (_, i) => ({ decision: `decision-${i}`, atTurn: int(TURNS - 20) }));
    await Promise.all(sent.map(async ({ decision, atTurn }) => {
      await desk.model.until((requests) => requests.length > 0 && (requests.at(-1)?.turn ?? 0) >= atTurn);
      await desk.client.message(id, { id: decision, by: BY, text: `Said at turn ${atTurn}.` });
    }));
    const result = await desk.client.result(id, { waitMs: 400_000 });
    expect(result).toMatchObject({ endReason: 'final_answer', answer: 'All 499 steps are done.', usage: { turns: TURNS, modelCalls: TURNS, toolCalls: TURNS - 1 } });
    const chain = await chainOf(desk, id);
    expect(chain.length).toBeGreaterThanOrEqual(4);
    expect(chain.flatMap(failedWorkflowTasks)).toEqual([]);
    const { entries } = await desk.client.trace(id);
    const said = entries.flatMap((entry) => (entry.kind === 'item' && entry.item.type === 'person' ? [entry.item.id] : []));
    expect([...said].sort()).toEqual(sent.map(({ decision }) => decision).sort());
  }, 600_000);
});

describe('10,000 messages from persons', () => {
  test('are taken in until the run has more than it can read, then refused with that reason; an answer lets it go on', async () => {
    const MESSAGES = 10_000;
    // The server itself ends a workflow task during which it has to put aside more than 100 events.
    const AT_ONCE = 50;
    const desk = await openDesk({ script: [say.call('I must know.', 'ask_person', { question: 'Which order?' }), say.answer('Finished.')], agents: [agent] });
    const { id } = await desk.client.start({ agent: 'desk', task: 'Work it off.' });
    const handle = desk.temporal.workflow.getHandle(id);
    for (let from = 0; from < MESSAGES; from += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, i) =>
        handle.signal('message', { id: `m-${from + i}`, by: BY, text: `Message ${from + i}.` })));
      // As fast as the run takes them in, not faster: what a run cannot even begin to read is Temporal's to refuse.
      await expect.poll(() => desk.client.progress(id), { timeout: 120_000 }).toBeDefined();
    }
    const said = await desk.client.message(id, { by: BY, text: 'One more.' });
    expect(said).toMatchObject({ state: 'refused', because: expect.stringContaining('more has been sent than the run can take in') });
    await desk.client.answer(id, { by: BY, text: 'Order 88213.' });
    const result = await desk.client.result(id, { waitMs: 300_000 });
    expect(result).toMatchObject({ endReason: 'final_answer', answer: 'Finished.' });
    await expectSmall(desk, id);
  }, 600_000);
});
