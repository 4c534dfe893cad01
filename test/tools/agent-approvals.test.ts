import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { AgentApprovals } from '../../tools/agent-approvals.ts';
import { defineAgent } from '../../tools/define-agent.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { pinnedFrom } from '../../tools/pinned-from.ts';

const DAY_MS = 86_400_000;
const input = z.object({ amount: z.number() });
const look = defineTool({ name: 'look', description: 'Looks.', effect: 'read', input, run: () => 1 });
const pay = defineTool({ name: 'pay', description: 'Pays.', effect: 'once', input, amount: ({ amount }) => `${amount} INR`, run: () => 1 });
const book = defineTool({ name: 'book', description: 'Books.', effect: 'idempotent', input, run: () => 1 });

function pinned(approvals?: AgentApprovals, tools = [look, pay]) {
  const agent = defineAgent({ name: 'desk', version: '1', instructions: 'Work.', tools, ...(approvals ? { approvals } : {}) });
  const result = pinnedFrom(agent, { model: 'm', searchAttributes: [], promptBytes: () => 0 });
  if (!result.ok) throw new Error(result.problem);
  return result.agent.approvals;
}

test('without a policy everybody may decide, for three days, told again after one', () => {
  expect(pinned()).toEqual({ deciders: [], allowUnverified: true, deadlineMs: 3 * DAY_MS, remindAfterMs: DAY_MS });
});

test('amounts and durations are read with their units', () => {
  expect(pinned({ deciders: [{ role: 'support', upTo: '₹500' }, { role: 'finance', tools: ['pay'] }], fourEyes: '1,000 INR', deadline: '2d', remindAfter: '6h' })).toEqual({
    deciders: [{ role: 'support', upTo: { amount: '500', currency: 'INR' } }, { role: 'finance', tools: ['pay'] }],
    fourEyes: { above: { amount: '1000', currency: 'INR' } }, allowUnverified: false, deadlineMs: 2 * DAY_MS, remindAfterMs: DAY_MS / 4,
  });
  expect(pinned({ fourEyes: true })).toMatchObject({ fourEyes: {} });
});

describe('a policy that cannot work is refused when the agent is made, with the fix', () => {
  test.each<[string, AgentApprovals, string]>([
    ['a limit without a currency', { deciders: [{ role: 'support', upTo: '500' }] }, 'must be an amount with its currency'],
    ['a tool that the agent lacks', { deciders: [{ role: 'support', tools: ['refund'] }] }, 'names the tool "refund"'],
    ['nobody for a tool that is held', { deciders: [{ role: 'support', tools: ['look'] }] }, 'names nobody who may decide pay'],
    ['a role without a name', { deciders: [{ role: ' ' }] }, 'has no role'],
    ['a deadline without a unit', { deadline: '3' }, 'deadline must be a number above 0 with its unit'],
    ['a reminder after the deadline', { deadline: '1h', remindAfter: '2h' }, 'must be shorter'],
    ['a rule without a reason', { hold: [{ tool: 'look', reason: '' }] }, 'has no reason'],
    ['a rule on a tool that the agent lacks', { hold: [{ tool: 'refund', reason: 'x' }] }, 'approvals.hold names the tool "refund"'],
    ['an unknown field', { deadlin: '3d' } as AgentApprovals, 'approvals has no field "deadlin"'],
  ])('%s', (_, approvals, text) => {
    expect(() => pinned(approvals)).toThrow(text);
  });

  test('a limit in money for a tool that does not say what it moves', () => {
    expect(() => pinned({ fourEyes: '500 INR' }, [book])).toThrow('does not say what it moves');
    expect(() => pinned({ deciders: [{ role: 'support', upTo: '5 INR' }] }, [book])).toThrow('does not say what it moves');
    expect(pinned({ deciders: [{ role: 'support', upTo: '5 INR' }, { role: 'lead' }] }, [book])).toMatchObject({ deciders: [{ role: 'support' }, { role: 'lead' }] });
  });
});

test('what a tool says of a call for people never fails: what it cannot say is left out', () => {
  const odd = defineTool({
    name: 'odd', description: 'Odd.', effect: 'once', input,
    summary: () => { throw new Error('no'); }, amount: ({ amount }) => (amount > 1 ? 'much' : `${amount} INR`), run: () => 1,
  });
  expect(odd.describe({ amount: 1 })).toEqual({ amount: { amount: '1', currency: 'INR' } });
  expect(odd.describe({ amount: 2 })).toEqual({});
  expect(odd.describe({ amount: 'x' })).toEqual({});
});
