import { afterEach, describe, expect, test } from 'vitest';
import { NO_COUNTS } from '../../core/agent.ts';
import type { RunResult } from '../../core/run.ts';
import type { Scripts } from '../../models/index.ts';
import { deskAgent, openDesk } from '../support/desk.ts';
import type { Desk } from '../support/desk.ts';
import { failedWorkflowTasks, historyOf } from '../support/histories.ts';
import { speaker } from '../support/speaker.ts';

const FORMS = ['function-calling', 'text'] as const;

describe.each(FORMS)('in the %s form', (form) => {
  const say = speaker(form);
  const look = (query: string) => say.call('I look.', 'search', { query });
  const scripts: Scripts = {
    answers: [say.call('I look it up.', 'get_order', { order_id: '88213' }), say.answer('The fee was ₹25.')],
    looks: ({ turn }) => look(`question ${turn}`),
    repeats: () => look('the same'),
    circles: ({ turn }) => look(turn % 2 === 0 ? 'here' : 'there'),
    fails: ({ turn }) => say.call('I try.', 'telephone', { turn }),
    handsOver: [say.call('Not for me.', 'hand_over', { reason: 'a legal question', queue: 'legal' })],
    writes: [say.call('I pay.', 'refund', { order_id: '88213', amount: '25' })],
    denied: () => ({ status: 401, body: { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } } }),
    asks: [say.call('I must know.', 'ask_person', { question: 'Which order?' }), say.answer('Order 88213 it is.')],
    invents: () => say.answer('You get ₹999 back for INV-7731.'),
    held: [{ ...look('x'), heldBy: 'never' }],
  };
  let desk: Desk | undefined;
  const open = async (): Promise<Desk> => (desk ??= await openDesk({ script: scripts, agents: [
    deskAgent({ form, approvals: { deadline: '2s' } }),
    deskAgent({ form, name: 'waiting', onStop: 'wait' }),
    deskAgent({ form, name: 'ruled', handOverWhen: [{ tool: 'search', reason: 'Searching is for people.' }] }),
  ] }));
  const runs: string[] = [];
  afterEach(async () => {
    for (const id of runs.splice(0)) expect(failedWorkflowTasks(await historyOf((await open()).temporal, id))).toEqual([]);
  });

  async function run(key: keyof typeof scripts, changes: object = {}): Promise<RunResult> {
    const { id, result } = await (await open()).run({ task: `script:${key} Look at order 88213.`, ...changes });
    runs.push(id);
    return result;
  }

  test('final answer: the answer, and no package', async () => {
    const result = await run('answers');
    expect(result).toMatchObject({ endReason: 'final_answer', answer: 'The fee was ₹25.', usage: { turns: 2, toolCalls: 1, modelCalls: 2 } });
    expect(result.handOver).toBeUndefined();
    expect(result.counters).toEqual(NO_COUNTS);
  });

  test('step limit: what was done and what remains', async () => {
    const result = await run('looks', { limits: { turns: 3 } });
    expect(result).toMatchObject({ endReason: 'step_limit', usage: { turns: 3 } });
    expect(result.handOver).toMatchObject({ remains: ['script:looks Look at order 88213.'], next: expect.stringContaining('--max-turns 6') });
    expect(result.handOver?.done.map(({ call, tool }) => `${call} ${tool}`)).toEqual(['1.1 search', '2.1 search', '3.1 search']);
  });

  test('budget: the call that could pass it is not made', async () => {
    const result = await run('looks', { limits: { turns: 50, budget: { kind: 'tokens', tokens: 9_000 } } });
    expect(result.endReason).toBe('budget');
    expect(result.usage.inputTokens + result.usage.outputTokens).toBeLessThanOrEqual(9_000);
    expect(result.usage.turns).toBeGreaterThan(0);
  });

  test('time limit: active time is what calls took', async () => {
    const result = await run('looks', { limits: { turns: 50, timeMs: 1 } });
    expect(result).toMatchObject({ endReason: 'time_limit' });
  });

  test('repeating: one nudge, then the stop', async () => {
    expect(await run('repeats')).toMatchObject({ endReason: 'repeating', usage: { turns: 3 }, counters: { nudges: 1 } });
    expect(await run('circles')).toMatchObject({ endReason: 'repeating', usage: { turns: 4 }, counters: { nudges: 1 } });
  });

  test('no progress: unknown tools bring nothing new', async () => {
    const result = await run('fails');
    expect(result).toMatchObject({ endReason: 'no_progress', counters: { unknown_tools: 4, nudges: 1 } });
  });

  test('hand-over: asked for by the model, by a rule, by a write that nobody approves, by a made-up answer', async () => {
    expect(await run('handsOver')).toMatchObject({ endReason: 'hand_over', handOver: { reason: 'a legal question', queue: 'legal' }, stops: [{ detail: 'model' }] });
    expect(await run('looks', { agent: 'ruled' })).toMatchObject({ endReason: 'hand_over', handOver: { reason: 'Searching is for people.' }, stops: [{ detail: 'rule' }] });
    const held = await run('writes');
    expect(held).toMatchObject({ endReason: 'hand_over', stops: [{ detail: 'approval_expired' }], usage: { toolCalls: 0 } });
    expect(held.handOver?.remains[0]).toContain('refund');
    expect(await run('invents')).toMatchObject({ endReason: 'hand_over', stops: [{ detail: 'answer_check' }], usage: { turns: 2 } });
  });

  test('error: a wrong key ends the run at once and names the fix', async () => {
    const result = await run('denied');
    expect(result).toMatchObject({ endReason: 'error', stops: [{ detail: 'Model.Auth' }], usage: { modelCalls: 1, turns: 0 } });
    expect(result.handOver?.reason).toContain('OPENAI_API_KEY');
  });

  test('cancelled: in the middle of a model call, with state kept', async () => {
    const { client, model } = await open();
    const { id } = await client.start({ agent: 'waiting', task: 'script:held Look.' });
    runs.push(id);
    await model.until((requests) => requests.some(({ key }) => key === 'held'));
    const outcome = await client.cancel(id, { by: { name: 'asha', verified: false }, reason: 'wrong customer' });
    expect(outcome).toMatchObject({ state: 'applied' });
    const result = await client.result(id, { waitMs: 20_000 });
    expect(result).toMatchObject({ endReason: 'cancelled', handOver: { reason: 'Cancelled by asha: wrong customer' } });
    await model.until((requests) => requests.some(({ key, outcome }) => key === 'held' && outcome === 'aborted'));
  });

  test('a question waits for its answer and goes on with it', async () => {
    const { client } = await open();
    const { id } = await client.start({ agent: 'waiting', task: 'script:asks Look.' });
    runs.push(id);
    for await (const entry of client.follow(id)) if (entry.kind === 'waiting') break;
    expect(await client.progress(id)).toMatchObject({ status: 'waiting_answer', question: { call: '1.1', question: 'Which order?' } });
    await client.answer(id, { by: { name: 'asha', verified: false }, text: 'Order 88213.' });
    expect(await client.result(id, { waitMs: 20_000 })).toMatchObject({ endReason: 'final_answer', answer: 'Order 88213 it is.' });
  });

  test('a stopped run waits: it is resumed with more turns, or resolved by a person', async () => {
    const { client } = await open();
    const by = { name: 'asha', verified: false };
    const stopped = async () => {
      const { id } = await client.start({ agent: 'waiting', task: 'script:looks Look.', limits: { turns: 2 } });
      runs.push(id);
      for await (const entry of client.follow(id)) if (entry.kind === 'waiting') break;
      return id;
    };
    const resumed = await stopped();
    expect(await client.resume(resumed, { by })).toMatchObject({ state: 'refused', because: expect.stringContaining('--max-turns 4') });
    expect(await client.resume(resumed, { by, limits: { turns: 3 } })).toMatchObject({ state: 'applied' });
    for await (const entry of client.follow(resumed)) if (entry.kind === 'waiting' && entry.atMs > 0 && (await client.progress(resumed))?.stops.length === 2) break;
    await client.resolve(resumed, { by, answer: 'Paid by hand.' });
    expect(await client.result(resumed, { waitMs: 20_000 })).toMatchObject({
      endReason: 'step_limit', answer: 'Paid by hand.', resolvedBy: by, stops: [{ turn: 2 }, { turn: 3 }],
    });
  });
});

