import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineAgent } from '../../tools/define-agent.ts';
import type { AgentOptions } from '../../tools/define-agent.ts';
import { defineTool } from '../../tools/define-tool.ts';

const tool = (name: string) => defineTool({ name, description: 'x', input: z.object({}), effect: 'read', run: () => 1 });
const DESK: AgentOptions = { name: 'desk', version: '1', instructions: 'Work.', tools: [tool('get_order')] };

test('what is not said has its default', () => {
  expect(defineAgent(DESK)).toMatchObject({
    form: 'function-calling', onStop: 'wait', constraints: [], callRules: [], counterRules: [],
    limits: { turns: 12, timeMs: 120_000, repeats: 3, idleTurns: 3, outputTokens: 1024, modelCallMs: 60_000, modelAttempts: 5, waitMs: 2_592_000_000 },
    context: { observationChars: 1_500 },
  });
  expect(defineAgent(DESK).budget).toBeUndefined();
});

test('limits are written with their units', () => {
  const limits = { turns: 4, budget: '₹5', timeLimit: '1.5m', repeats: 4, idleTurns: 2, outputTokens: 500, modelCall: '30s', modelAttempts: 2, wait: '3d' };
  const agent = defineAgent({ ...DESK, limits });
  expect(agent.budget).toEqual({ kind: 'money', money: { amount: '5', currency: 'INR' } });
  expect(agent.limits).toEqual({
    turns: 4, timeMs: 90_000, repeats: 4, idleTurns: 2, outputTokens: 500, modelCallMs: 30_000, modelAttempts: 2, waitMs: 259_200_000,
  });
});

test('rules on calls and on counters are told apart', () => {
  const call = { tool: 'get_order', when: () => true, reason: 'large' };
  const counter = { counter: 'unknown_tools', atLeast: 3, reason: 'lost' } as const;
  expect(defineAgent({ ...DESK, handOverWhen: [call, counter] })).toMatchObject({ callRules: [call], counterRules: [counter] });
});

describe('0, negative, NaN, null and text are refused, never taken for "no limit"', () => {
  const fields = ['turns', 'repeats', 'idleTurns', 'outputTokens', 'modelAttempts', 'timeLimit', 'modelCall', 'wait', 'budget'];
  test.each(fields)('%s', (field) => {
    for (const value of [0, -1, Number.NaN, null, '3', '0s', '-5s', Infinity, '₹0', '₹-1', {}]) {
      const limits = { [field]: value } as AgentOptions['limits'] & object;
      expect(() => defineAgent({ ...DESK, limits }), `${field} = ${String(value)}`).toThrow(new RegExp(`Agent "desk": limits.${field}`));
    }
  });
});

describe('a definition that cannot work is refused with the fix', () => {
  test.each<[string, Partial<AgentOptions>, RegExp]>([
    ['two tools of one name', { tools: [tool('a'), tool('a')] }, /two tools are called "a"/],
    ['names that differ in case only', { tools: [tool('Pay'), tool('pay')] }, /"Pay" and "pay"/],
    ['a tool that nobody defined', { tools: [{ name: 'x' } as never] }, /defineTool/],
    ['a rule on a tool that is not there', { handOverWhen: [{ tool: 'pay', reason: 'x' }] }, /names the tool "pay".*get_order/],
    ['a rule on nothing', { handOverWhen: [{ reason: 'x' }] }, /neither a tool nor a condition/],
    ['a rule on a counter that is not there', { handOverWhen: [{ counter: 'tears' as 'nudges', atLeast: 1, reason: 'x' }] }, /counter "tears"/],
    ['a rule without a reason', { handOverWhen: [{ tool: 'get_order', reason: '' }] }, /no reason/],
    ['an unknown limit', { limits: { maxTurns: 3 } as AgentOptions['limits'] & object }, /no limit "maxTurns": use turns/],
    ['no instructions', { instructions: '' }, /instructions are empty/],
    ['a name with a blank', { name: 'my desk' }, /name must be/],
    ['an unknown form', { form: 'xml' as 'text' }, /form must be/],
    ['observations too short to say what was cut', { context: { observationChars: 20 } }, /at least 200/],
    ['a price that is no number', { prices: { currency: 'USD', budgetCurrency: 'INR', rate: '88', inputPerMillion: 'free', outputPerMillion: '1' } }, /inputPerMillion/],
    ['a rate of 0', { prices: { currency: 'USD', budgetCurrency: 'INR', rate: '0', inputPerMillion: '1', outputPerMillion: '1' } }, /rate must be/],
  ])('%s', (_what, change, message) => {
    expect(() => defineAgent({ ...DESK, ...change })).toThrow(message);
  });
});
