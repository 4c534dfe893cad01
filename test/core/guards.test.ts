import { describe, expect, test } from 'vitest';
import { planTurn } from '../../core/policy.ts';
import { call, answer, observed, replyWith, simulate } from '../support/simulated-run.ts';
import type { ActionDraft, Simulation } from '../support/simulated-run.ts';
import { pinnedAgent, toolFacts } from '../support/pinned-agent.ts';

/** A model that says these actions turn by turn, the last one for ever. */
function says(...turns: readonly (readonly ActionDraft[])[]): Simulation['reply'] {
  return (state) => replyWith(state, turns[state.turn] ?? turns.at(-1) ?? []);
}
const sameResult: Simulation['run'] = (one) => observed(one, `result of ${one.hash}`);
const newResult: Simulation['run'] = (one, state) => observed(one, `result at ${state.turn}`);
const malformed: ActionDraft = { kind: 'invalid', problem: 'format', raw: 'hm', text: 'Write an action.', hash: 'format:hm' };
const empty: ActionDraft = { kind: 'invalid', problem: 'empty', raw: '', text: 'Answer or call a tool.', hash: 'empty' };
const unknownTool: ActionDraft = { kind: 'invalid', problem: 'unknown_tool', tool: 'nothing', raw: '{}', text: 'No such tool.', hash: 'nothing:{}' };

describe('step limit', () => {
  test('a limit of one turn allows exactly one model call', () => {
    const { result } = simulate({ agent: pinnedAgent({ limits: { turns: 1 } }), reply: says([call('get_order', '1')]), run: newResult });
    expect(result).toMatchObject({ endReason: 'step_limit', usage: { turns: 1, modelCalls: 1 } });
  });

  test('an answer at exactly the last turn is the answer; one turn later it is the step limit', () => {
    const agent = pinnedAgent({ limits: { turns: 3 } });
    const look = [[call('get_order', '1')], [call('get_order', '2')], [call('get_order', '3')]];
    expect(simulate({ agent, reply: says(...look.slice(0, 2), [answer('Open.')]), run: newResult }).result.endReason).toBe('final_answer');
    expect(simulate({ agent, reply: says(...look, [answer('Open.')]), run: newResult }).result).toMatchObject({ endReason: 'step_limit' });
  });
});

describe('repeating', () => {
  test('the same call with the same result is nudged once and stopped at the third', () => {
    const { result, state } = simulate({ agent: pinnedAgent(), reply: says([call('get_order', '1')]), run: sameResult });
    expect(result).toMatchObject({ endReason: 'repeating', usage: { turns: 3 }, counters: { nudges: 1 } });
    expect(state.items.filter(({ type }) => type === 'nudge')).toHaveLength(1);
  });

  test('a changed result is no repeat', () => {
    const { result } = simulate({ agent: pinnedAgent(), reply: says([call('get_order', '1')]), run: newResult });
    expect(result.endReason).toBe('step_limit');
  });

  test.each([2, 3, 4])('a circle of %i calls is stopped when it closes the second time', (length) => {
    const circle = Array.from({ length }, (_, i) => [call('get_order', String(i))]);
    const { result } = simulate({ agent: pinnedAgent(), reply: says(...circle, ...circle, ...circle), run: sameResult });
    expect(result).toMatchObject({ endReason: 'repeating', usage: { turns: length * 2 }, counters: { nudges: 1 } });
  });

  test('unknown tools and malformed replies in turn are a circle too', () => {
    const { result } = simulate({ agent: pinnedAgent(), reply: says([unknownTool], [malformed], [unknownTool], [malformed], [unknownTool]), run: sameResult });
    expect(result).toMatchObject({ endReason: 'repeating', usage: { turns: 4 } });
  });

  test('a tool that polls by declaration may be asked again and again', () => {
    const agent = pinnedAgent({ tools: [toolFacts({ name: 'get_order', polls: true })], limits: { turns: 6, idleTurns: 20 } });
    expect(simulate({ agent, reply: says([call('get_order', '1')]), run: sameResult }).result.endReason).toBe('step_limit');
  });

  test('two equal calls in one turn are one attempt', () => {
    const twice = [call('get_order', '1'), call('get_order', '1')];
    const { result } = simulate({ agent: pinnedAgent(), reply: says(twice, [answer('Open.')]), run: sameResult });
    expect(result).toMatchObject({ endReason: 'final_answer', counters: { nudges: 0 } });
  });
});

describe('no progress', () => {
  test('three turns without anything new bring one nudge, the fourth the stop', () => {
    const failing: Simulation['run'] = (one, state) => observed(one, `failed ${state.turn}`, 'error');
    const tries = ['1', '2', '3', '4', '5'].map((id) => [call('get_order', id)]);
    const { result } = simulate({ agent: pinnedAgent(), reply: says(...tries), run: failing });
    expect(result).toMatchObject({ endReason: 'no_progress', usage: { turns: 4 }, counters: { nudges: 1 } });
  });

  test('two empty replies are asked again, the third ends the run', () => {
    const { result } = simulate({ agent: pinnedAgent(), reply: says([empty]), run: sameResult });
    expect(result).toMatchObject({ usage: { turns: 3 } });
    expect(result.stops[0]).toMatchObject({ reason: 'no_progress', detail: 'empty_response' });
  });
});

describe('budget and time', () => {
  test('a call whose worst case does not fit what is left is not made', () => {
    const agent = pinnedAgent({ limits: { budget: { kind: 'tokens', tokens: 8_000 } } });
    const { result } = simulate({ agent, reply: (state) => replyWith(state, [call('get_order', String(state.turn))], { inputTokens: 2_000, outputTokens: 500 }), run: newResult });
    expect(result.endReason).toBe('budget');
    expect(result.usage.inputTokens + result.usage.outputTokens).toBeLessThanOrEqual(8_000);
  });

  test('lost calls whose billing nobody knows are charged in full', () => {
    const agent = pinnedAgent({ limits: { budget: { kind: 'tokens', tokens: 20_000 } } });
    const { result } = simulate({
      agent,
      reply: () => ({ kind: 'lost', type: 'Model.Unavailable', text: 'down', details: { attempts: 2, unknownBilling: 1, ms: 5 }, allowed: { attempts: 5, timeoutMs: 60_000 } }) as const,
      run: newResult,
    });
    expect(result).toMatchObject({ endReason: 'error', usage: { modelCalls: 2, turns: 0 }, stops: [{ detail: 'Model.Unavailable' }] });
    expect(result.usage.estimatedTokens).toBeGreaterThan(1_024);
  });

  test('active time is what calls took, side by side counted as the longest', () => {
    const agent = pinnedAgent({ limits: { timeMs: 1_000 } });
    const slow: Simulation['run'] = (one, state) => ({ ...observed(one, `r${state.turn}${one.id}`), ms: 400 });
    const both = [call('get_order', '1'), call('get_policy', '1')];
    const { result } = simulate({ agent, reply: (state) => replyWith(state, both, { ms: 100 }), run: slow });
    expect(result).toMatchObject({ endReason: 'time_limit', usage: { turns: 2, activeMs: 1_000 } });
  });
});

describe('final answer', () => {
  test('an answer that comes with a call is not taken; the call runs', () => {
    const { result, ran } = simulate({ agent: pinnedAgent(), reply: says([call('get_order', '1'), answer('Open.')], [answer('Closed.')]), run: newResult });
    expect(ran).toHaveLength(1);
    expect(result).toMatchObject({ endReason: 'final_answer', answer: 'Closed.' });
  });

  test('an answer that the evidence does not carry is refused once, then a person gets the run', () => {
    const made: ActionDraft = { kind: 'final_answer', answer: '₹99', problems: [{ kind: 'amount', value: '₹99' }] };
    const { result } = simulate({ agent: pinnedAgent(), reply: says([made]), run: newResult });
    expect(result).toMatchObject({ endReason: 'hand_over', usage: { turns: 2 }, stops: [{ detail: 'answer_check' }] });
  });

  test('an id that was looked for in vain is marked in the second answer', () => {
    const gone: ActionDraft = { kind: 'final_answer', answer: 'Order 88219 is late.', problems: [{ kind: 'not_found', value: '88219' }] };
    const { result } = simulate({ agent: pinnedAgent(), reply: says([gone]), run: newResult });
    expect(result).toMatchObject({ endReason: 'final_answer', answer: 'Order 88219 is late.\n(not found: 88219)' });
  });
});

describe('hand-over', () => {
  const handOver: ActionDraft = { kind: 'hand_over', reason: 'legal' };

  test('calls before a hand-over in the same reply run, those after it do not', () => {
    const { result, ran, state } = simulate({ agent: pinnedAgent(), reply: says([call('get_order', '1'), handOver, call('get_policy', '1')]), run: newResult });
    expect(ran.map(({ tool }) => tool)).toEqual(['get_order']);
    expect(result.endReason).toBe('hand_over');
    expect(state.items.findLast((item) => item.type === 'observation' && item.call === '1.3')).toMatchObject({ status: 'skipped' });
  });

  test('a refusal is handed over at once and never asked again', () => {
    const refused: ActionDraft = { kind: 'invalid', problem: 'refused', raw: '', text: "I can't help with that.", hash: 'refused' };
    const { result } = simulate({ agent: pinnedAgent(), reply: says([refused]), run: newResult });
    expect(result).toMatchObject({ endReason: 'hand_over', usage: { modelCalls: 1 }, stops: [{ detail: 'refused' }] });
  });

  test('a write that needs approval does not run and is what remains', () => {
    const { result, ran } = simulate({ agent: pinnedAgent(), reply: says([{ ...call('refund', '1'), needsApproval: true } as ActionDraft]), run: newResult });
    expect(ran).toEqual([]);
    expect(result).toMatchObject({ endReason: 'hand_over', stops: [{ detail: 'approval' }] });
    expect(result.handOver?.remains[0]).toContain('refund {"id":"1"} did not run');
  });
});

describe('effects', () => {
  test('a write that was done is not done again, at whatever turn it is asked', () => {
    const { ran, state } = simulate({ agent: pinnedAgent(), reply: says([call('refund', '1')], [call('get_order', '1')], [call('refund', '1')], [answer('Done.')]), run: sameResult });
    expect(ran.map(({ tool }) => tool)).toEqual(['refund', 'get_order']);
    const again = state.items.find((item) => item.type === 'observation' && item.call === '3.1');
    expect(again).toMatchObject({ status: 'skipped', text: expect.stringContaining('already done at turn 1') });
  });

  test('a write whose outcome is unknown ends in a hand-over that names it as in doubt', () => {
    const lost: Simulation['run'] = (one) => observed(one, 'The result was lost.', 'unknown');
    const { result } = simulate({ agent: pinnedAgent(), reply: says([call('refund', '1')]), run: lost });
    expect(result).toMatchObject({ endReason: 'hand_over', stops: [{ detail: 'unknown_outcome' }], handOver: { inDoubt: [{ tool: 'refund', call: '1.1' }] } });
  });

  test('the same write twice in one reply runs once', () => {
    const { ran } = simulate({ agent: pinnedAgent(), reply: says([call('refund', '1'), call('refund', '1')], [answer('Done.')]), run: sameResult });
    expect(ran).toHaveLength(1);
  });

  test('more than sixteen calls in one reply: sixteen run, the rest are answered skipped', () => {
    const many = Array.from({ length: 20 }, (_, i) => call('get_order', String(i)));
    const { ran, state } = simulate({ agent: pinnedAgent(), reply: says(many, [answer('Done.')]), run: newResult });
    expect(ran).toHaveLength(16);
    expect(state.items.filter((item) => item.type === 'observation' && item.call.startsWith('1.'))).toHaveLength(20);
  });
});

describe('a person who stops a run while the model replies', () => {
  test.each(['cancel', 'paused'] as const)('%s: no call of that reply starts', (stop) => {
    const { state } = simulate({ agent: pinnedAgent(), reply: says([answer('Open.')]), run: newResult });
    const stopped = stop === 'cancel' ? { ...state, cancel: { reason: 'cancelled', text: 'stop' } as const } : { ...state, paused: true };
    const steps = planTurn(stopped, replyWith(state, [call('refund', '1'), call('get_order', '1')]));
    expect(steps.every((step) => 'observation' in step && step.observation.status === 'skipped')).toBe(true);
  });
});
