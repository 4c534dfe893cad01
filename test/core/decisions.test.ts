import { describe, expect, test } from 'vitest';
import { decideVerb } from '../../core/decisions.ts';
import { firstEnd, firstStop } from '../../core/guards.ts';
import { payloadProblem } from '../../core/payload-problem.ts';
import { startRun } from '../../core/state.ts';
import type { RunState } from '../../core/state.ts';
import { recordStop, resultOf, statusOf } from '../../core/stop.ts';
import type { Verb, VerbPayloads } from '../../core/verbs.ts';
import { pinnedAgent } from '../support/pinned-agent.ts';

const BY = { name: 'asha', verified: false };
const agent = pinnedAgent({ limits: { turns: 2 } });
const fresh = startRun({ agent: 'desk', task: 'Look at order 88213.' }, agent, { id: 'run', firstRunId: 'first', nowMs: 0 });
const stopped = recordStop({ ...fresh, turn: 2 }, { reason: 'step_limit', text: 'The step limit of 2 turns is used up.' }, 0);
const asking: RunState = { ...fresh, question: { call: '1.1', question: 'Which order?', askedAtMs: 0 } };

let ids = 0;
function decide<V extends Verb>(state: RunState, verb: V, payload: Omit<VerbPayloads[V], 'id' | 'by'> & { id?: string }) {
  const full = { id: `d${(ids += 1)}`, by: BY, ...payload } as unknown as VerbPayloads[V];
  const decided = decideVerb(state, { verb, payload: full, nowMs: 1 });
  if (!('outcome' in decided)) throw new Error('nothing of it has to be checked');
  return decided;
}

describe('cancel', () => {
  test('ends a running and a stopped run, with who and why', () => {
    for (const state of [fresh, stopped]) {
      const { state: after } = decide(state, 'cancel', { reason: 'wrong order' });
      expect((state === fresh ? firstStop(after) : firstEnd(after))).toMatchObject({ reason: 'cancelled', text: 'Cancelled by asha: wrong order' });
    }
  });

  test('a second cancel is refused and is in the record', () => {
    const once = decide(fresh, 'cancel', { reason: 'a' }).state;
    const twice = decide(once, 'cancel', { reason: 'b' });
    expect(twice.outcome).toEqual({ applied: false, because: 'the run is already being cancelled' });
    expect(twice.state.items.at(-1)).toMatchObject({ type: 'person', verb: 'cancel', refused: 'the run is already being cancelled' });
  });

  test('an answer that is there is not thrown away by a cancel that comes after it', () => {
    const answered: RunState = { ...fresh, ending: { reason: 'final_answer', text: 'answered', answer: '₹25' } };
    expect(decide(answered, 'cancel', { reason: 'late' }).outcome).toMatchObject({ applied: false });
    expect(firstStop({ ...answered, cancel: { reason: 'cancelled', text: 'x' } })).toMatchObject({ reason: 'final_answer' });
  });
});

describe('resume', () => {
  test('without a raised limit is refused, with the figure to raise', () => {
    expect(decide(stopped, 'resume', {}).outcome).toEqual({
      applied: false, because: '2 of 2 turns are used up: raise them with --max-turns 4',
    });
  });

  test('with a raised limit goes on, a new goal included', () => {
    const { state, outcome } = decide(stopped, 'resume', { limits: { turns: 5 }, goal: 'Only the fee.' });
    expect(outcome.applied).toBe(true);
    expect(state).toMatchObject({ limits: { turns: 5 }, goal: 'Only the fee.' });
    expect(statusOf(state)).toBe('running');
    expect(firstStop(state)).toBeUndefined();
  });

  test('of a run that neither stopped nor paused is refused', () => {
    expect(decide(fresh, 'resume', {}).outcome).toEqual({ applied: false, because: 'the run is neither paused nor stopped' });
  });

  test('a budget in money is refused where no price is known', () => {
    const budget = { kind: 'money', money: { amount: '40', currency: 'INR' } } as const;
    expect(decide(stopped, 'resume', { limits: { turns: 9, budget } }).outcome).toMatchObject({
      applied: false, because: expect.stringContaining('raise the budget in tokens'),
    });
  });

  test('forgets what the run was stuck on, so that it does not stop again at once', () => {
    const stuck = recordStop({ ...fresh, progress: { ...fresh.progress, idle: 9 } }, { reason: 'no_progress', text: 'stuck' }, 0);
    expect(decide(stuck, 'resume', { note: 'ask the depot' }).state.progress.idle).toBe(0);
  });
});

describe('resolve', () => {
  test("ends the run with the person's answer and the reason for which it had stopped", () => {
    const { state } = decide(stopped, 'resolve', { answer: 'Refund ₹25.' });
    const cause = firstEnd(state);
    const result = resultOf(recordStop(state, cause!, 2));
    expect(result).toMatchObject({ endReason: 'step_limit', answer: 'Refund ₹25.', resolvedBy: BY });
    expect(result.stops).toHaveLength(1);
  });

  test('of a run that still works is refused', () => {
    expect(decide(fresh, 'resolve', { answer: 'x' }).outcome.applied).toBe(false);
  });
});

describe('answer', () => {
  test('becomes the observation of the question it belongs to', () => {
    const { state } = decide(asking, 'answer', { text: 'Order 88213.' });
    expect(state.question).toBeUndefined();
    expect(state.items.at(-1)).toMatchObject({ type: 'observation', call: '1.1', status: 'ok', text: 'Order 88213.' });
  });

  test('to another question, or when none is open, is refused', () => {
    expect(decide(asking, 'answer', { call: '9.9', text: 'x' }).outcome).toEqual({ applied: false, because: 'question 9.9 is not open; 1.1 is' });
    expect(decide(fresh, 'answer', { text: 'x' }).outcome).toEqual({ applied: false, because: 'no question is open' });
  });
});

test('the same decision sent twice is applied once', () => {
  const first = decide(fresh, 'message', { id: 'same', text: 'The customer called.' });
  const second = decide(first.state, 'message', { id: 'same', text: 'The customer called.' });
  expect(second.outcome.applied).toBe(true);
  expect(second.state).toBe(first.state);
});

test('whatever comes after the end is refused with the reason for which the run ended', () => {
  const ended: RunState = { ...stopped, ended: true };
  const all = [decide(ended, 'cancel', { reason: 'x' }), decide(ended, 'resume', {}), decide(ended, 'message', { text: 'x' })];
  for (const { outcome } of all) expect(outcome).toEqual({ applied: false, because: 'the run has ended (step_limit)' });
});

describe('decisions that race or are malformed', () => {
  test('resume cannot take back an answer or a cancel that was decided before it', () => {
    const resolved = decide(stopped, 'resolve', { answer: 'Paid by hand.' }).state;
    expect(decide(resolved, 'resume', { limits: { turns: 9 } }).outcome).toEqual({ applied: false, because: 'the run has already its answer' });
    const cancelled = decide(stopped, 'cancel', { reason: 'x' }).state;
    expect(decide(cancelled, 'resume', { limits: { turns: 9 } }).outcome).toEqual({ applied: false, because: 'the run is being cancelled' });
  });

  test('an id that another verb has used hides no decision', () => {
    const told = decide(fresh, 'message', { id: '1', text: 'hello' }).state;
    expect(decide(told, 'cancel', { id: '1', reason: 'stop' }).state.cancel).toBeDefined();
  });

  test('a refused decision that is sent again is refused again', () => {
    const once = decide(fresh, 'resume', { id: 'r' });
    expect(decide(once.state, 'resume', { id: 'r' }).outcome).toEqual(once.outcome);
  });

  test('more than the run can take in at once is refused, and a cancel still lands', () => {
    let state = fresh;
    for (let i = 0; i < 5; i += 1) state = decide(state, 'message', { text: 'x'.repeat(100_000) }).state;
    const before = state.items.length;
    expect(decide(state, 'message', { text: 'one more' })).toMatchObject({ outcome: { applied: false }, state: { items: { length: before } } });
    expect(decide(state, 'cancel', { reason: 'stop' }).outcome.applied).toBe(true);
  });

  test('what is nested, too long, unnamed or unknown is malformed, whatever is in it', () => {
    const nested = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)) as unknown;
    const by = { name: 'a', verified: false };
    for (const payload of [null, undefined, 5, 'x', [], nested, { id: 'a', by, text: 'x', junk: nested }, { id: 'a', by: { ...by, more: 1 }, text: 'x' },
      { id: 'i'.repeat(300), by, text: 'x' }, { id: 'a', by: { name: 'n'.repeat(3_000), verified: false }, text: 'x' }]) {
      expect(payloadProblem('message', payload)).toBeTypeOf('string');
    }
    expect(payloadProblem('message', { id: 'a', by, text: 'x' })).toBeUndefined();
  });
});
