import { describe, expect, test } from 'vitest';
import type { ApprovalPolicy } from '../../core/agent.ts';
import { decideVerb, finishVerb } from '../../core/decisions.ts';
import { hold, withExpired, withReminders } from '../../core/held-calls.ts';
import type { Person } from '../../core/run.ts';
import { startRun } from '../../core/state.ts';
import type { HeldCall, RunState } from '../../core/state.ts';
import type { VerbOutcome } from '../../core/verbs.ts';
import { pinnedAgent } from '../support/pinned-agent.ts';

const OPEN: ApprovalPolicy = { deciders: [], allowUnverified: false, deadlineMs: 1_000, remindAfterMs: 400 };
const rupees = (amount: string) => ({ amount, currency: 'INR' });
const proven = (name: string, ...roles: readonly string[]): Person => ({ name, verified: true, roles });
const said = (name: string): Person => ({ name, verified: false });

function refundOf(amount: string | null): HeldCall['call'] {
  return {
    kind: 'call', id: '1.1', tool: 'refund', args: { id: 'A-1' }, hash: 'h', needsApproval: true,
    approval: { argsHash: 'shown', why: 'it pays', ...(amount === null ? {} : { amount: rupees(amount) }) },
  };
}

function heldUnder(policy: Partial<ApprovalPolicy>, amount: string | null = '100'): RunState {
  const agent = pinnedAgent({ approvals: { ...OPEN, ...policy } });
  const run = startRun({ agent: 'desk', task: 'Refund A-1.', requestedBy: proven('Ravi', 'support') }, agent, { id: 'run', firstRunId: 'first', nowMs: 0 });
  return hold(run, refundOf(amount), { nowMs: 0 });
}

let ids = 0;
function decided(state: RunState, verb: 'approve' | 'reject' | 'respond' | 'redirect', by: Person, more: object = {}) {
  const payload = { id: `d${(ids += 1)}`, by, call: '1.1', argsHash: 'shown', reason: 'because', text: 'done by hand', ...more };
  const result = decideVerb(state, { verb, payload: payload, nowMs: 10 });
  if (!('outcome' in result)) throw new Error('nothing of it has to be checked');
  return result;
}

function because(outcome: VerbOutcome): string {
  return outcome.applied ? 'applied' : outcome.because;
}

describe('who may decide', () => {
  const deciders = [{ role: 'support', tools: ['refund'], upTo: rupees('500') }, { role: 'finance' }];

  test.each([
    ['a role within its limit', '500', proven('meera', 'support'), 'applied'],
    ['a role above its limit', '500.01', proven('meera', 'support'), 'needs the role finance'],
    ['a role without a limit', '100000', proven('arun', 'finance'), 'applied'],
    ['another role', '5', proven('guest', 'viewer'), 'needs the role support or finance'],
    ['nobody proven', '5', said('meera'), 'nobody has proven the name meera'],
    ['an amount that nobody can tell', null, proven('meera', 'support'), 'needs the role finance'],
  ])('%s', (_, amount, by, expected) => {
    expect(because(decided(heldUnder({ deciders }, amount), 'approve', by).outcome)).toContain(expected);
  });

  test('an amount in another currency is within no limit', () => {
    const state = heldUnder({ deciders: [{ role: 'support', upTo: { amount: '500', currency: 'EUR' } }] }, '5');
    expect(because(decided(state, 'approve', proven('meera', 'support')).outcome)).toContain('no role may decide');
  });

  test('whoever has a role for the tool may say no, whatever the amount', () => {
    expect(decided(heldUnder({ deciders }, '100000'), 'reject', proven('meera', 'support')).outcome.applied).toBe(true);
  });

  test('a policy that allows unverified names takes them, and four eyes still hold for the same name', () => {
    const state = heldUnder({ deciders, fourEyes: {}, allowUnverified: true });
    expect(because(decided(state, 'approve', said(' ravi ')).outcome)).toContain('four eyes');
    expect(decided(state, 'approve', said('meera')).outcome.applied).toBe(true);
  });
});

describe('four eyes', () => {
  test('above the limit neither the requester nor whoever changed the course may approve or answer; they may reject', () => {
    const state = heldUnder({ fourEyes: { above: rupees('50') } });
    expect(because(decided(state, 'approve', proven('ravi')).outcome)).toContain('asked for this run');
    expect(because(decided(state, 'respond', proven('Ravi')).outcome)).toContain('four eyes');
    const redirected = decided(state, 'redirect', proven('asha'), { call: undefined, argsHash: undefined, goal: 'Refund A-1 twice.' }).state;
    expect(because(decided(redirected, 'approve', proven('asha')).outcome)).toContain('four eyes');
    expect(decided(redirected, 'reject', proven('asha')).outcome.applied).toBe(true);
    expect(decided(redirected, 'approve', proven('meera')).outcome.applied).toBe(true);
  });

  test('up to the limit one pair is enough', () => {
    expect(decided(heldUnder({ fourEyes: { above: rupees('100') } }), 'approve', proven('ravi')).outcome.applied).toBe(true);
  });

  test('whoever changes the arguments writes them: the call waits for somebody else', () => {
    const state = heldUnder({ fourEyes: { above: rupees('50') } });
    const payload = { id: 'e1', by: proven('meera'), call: '1.1', argsHash: 'shown', args: { id: 'A-2' } };
    const claimed = decideVerb(state, { verb: 'edit', payload, nowMs: 1 });
    if (!('check' in claimed)) throw new Error('an edit is checked');
    expect(because(decided(claimed.state, 'approve', proven('arun')).outcome)).toContain('is being checked');
    const call = { ...refundOf('60'), args: { id: 'A-2' }, hash: 'other', approval: { argsHash: 'edited', why: 'it pays', amount: rupees('60') } };
    const edited = finishVerb(claimed.state, { verb: 'edit', payload, nowMs: 2 }, { ok: true, call });
    expect(edited.outcome).toMatchObject({ applied: true, text: expect.stringContaining("somebody else's approval") });
    expect(edited.state.held[0]).toMatchObject({ original: { id: 'A-1' }, editedBy: { name: 'meera' } });
    expect(because(decided(edited.state, 'approve', proven('meera'), { argsHash: 'edited' }).outcome)).toContain('four eyes');
    expect(because(decided(edited.state, 'approve', proven('arun')).outcome)).toContain('is not what this decision was made on');
    expect(decided(edited.state, 'approve', proven('arun'), { argsHash: 'edited' }).outcome.applied).toBe(true);
  });
});

describe('silence', () => {
  test('persons are told once more, then the call is denied and the run handed over: never a yes', () => {
    const state = heldUnder({});
    const reminded = withReminders(state, 400);
    expect(reminded.held[0]?.reminded).toBe(true);
    expect(withReminders(reminded, 500)).toBe(reminded);
    const expired = withExpired(reminded, 1_000);
    expect(expired.held[0]?.decision).toMatchObject({ kind: 'answered', observation: { status: 'denied' } });
    expect(expired.ending).toMatchObject({ reason: 'hand_over', detail: 'approval_expired' });
    expect(because(decided(expired, 'approve', proven('meera')).outcome)).toContain('the deadline passed for it');
  });
});

describe('what is held stays what it was', () => {
  const meera = proven('meera');
  const twin = { ...refundOf('60'), id: '1.2', args: { id: 'A-9' }, hash: 'other', approval: { argsHash: 'second', why: 'it pays' } };

  test('an edit that makes a call the twin of another one that is held is refused', () => {
    const state = hold(heldUnder({}), twin, { nowMs: 0 });
    const payload = { id: 'e1', by: meera, call: '1.2', argsHash: 'second', args: { id: 'A-1' } };
    const claimed = decideVerb(state, { verb: 'edit', payload, nowMs: 1 });
    if (!('check' in claimed)) throw new Error('an edit is checked');
    const call = { ...twin, args: { id: 'A-1' }, hash: 'h', approval: { argsHash: 'edited', why: 'it pays' } };
    const edited = finishVerb(claimed.state, { verb: 'edit', payload, nowMs: 2 }, { ok: true, call });
    expect(because(edited.outcome)).toContain('the same call is made or held already (1.1)');
    expect(edited.state.held[1]).toMatchObject({ call: { args: { id: 'A-9' } } });
  });

  test('an approval on facts that have changed since is refused', () => {
    const state = heldUnder({});
    const done: RunState = { ...state, effects: [{ call: '0.1', turn: 0, tool: 'refund', hash: 'h', status: 'ok', text: 'done' }] };
    expect(because(decided(done, 'approve', meera).outcome)).toContain('already done at turn 0 (0.1)');
  });

  test('one id on two calls is two decisions; the same decision again is one', () => {
    const state = hold(heldUnder({}), twin, { nowMs: 0 });
    const first = decided(state, 'approve', meera, { id: 'same' });
    const second = decided(first.state, 'reject', meera, { id: 'same', call: '1.2', argsHash: 'second' });
    expect(second.state.held.map(({ decision }) => decision?.kind)).toEqual(['run', 'answered']);
    const again = decided(second.state, 'approve', meera, { id: 'same' });
    expect(again.state).toBe(second.state);
    const late = decided(first.state, 'reject', meera, { id: 'late' });
    expect(decided(late.state, 'reject', meera, { id: 'late' }).outcome).toEqual(late.outcome);
  });

  test('a flood of refused decisions does not fill the run, and what decides something is still taken in', () => {
    let state = heldUnder({});
    for (let i = 0; i < 200; i += 1) state = decided(state, 'reject', meera, { call: '7.7', reason: 'x'.repeat(100_000) }).state;
    expect(JSON.stringify(state.items).length).toBeLessThan(600_000);
    expect(decided(state, 'approve', meera).outcome.applied).toBe(true);
    const told = decideVerb(state, { verb: 'message', payload: { id: 'm', by: meera, text: 'hello' }, nowMs: 1 });
    expect('outcome' in told && told.outcome.applied).toBe(false);
    for (const verb of ['pause', 'take-over'] as const) {
      const taken = decideVerb(state, { verb, payload: { id: 'p', by: meera }, nowMs: 1 });
      expect('outcome' in taken && taken.outcome.applied).toBe(true);
    }
  });
});
