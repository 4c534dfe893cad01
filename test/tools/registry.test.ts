import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { PriceTable } from '../../core/money.ts';
import { defineAgent } from '../../tools/define-agent.ts';
import type { AgentOptions } from '../../tools/define-agent.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { pinnedFrom } from '../../tools/pinned-from.ts';
import type { PinFacts } from '../../tools/pinned-from.ts';
import { createRegistry } from '../../tools/registry.ts';

const pay = (name: string) => defineTool({ name, description: 'x', input: z.object({}), effect: 'read', run: () => name });
const desk = (changes: Partial<AgentOptions> = {}) => defineAgent({ name: 'desk', version: '1', instructions: 'Work.', tools: [pay('pay')], ...changes });

describe('registry', () => {
  const registry = createRegistry([desk(), desk({ version: '2', tools: [pay('pay_now')] }), desk({ name: 'other' })]);

  test('a run gets the version it started with, a new run the last one given', () => {
    expect(registry.findAgent('desk', '1')?.version).toBe('1');
    expect(registry.findAgent('desk')?.version).toBe('2');
    expect(registry.findAgent('desk', '3')).toBeUndefined();
    expect(registry.findAgent('toString')).toBeUndefined();
  });

  test('a tool that a later version renamed is not found under its old agent, nor the other way round', () => {
    expect(registry.findTool('desk', '1', 'pay')?.name).toBe('pay');
    expect(registry.findTool('desk', '2', 'pay')).toBeUndefined();
    expect(registry.findTool('desk', '1', 'pay_now')).toBeUndefined();
  });

  test('two definitions of one name and version are refused', () => {
    expect(() => createRegistry([desk(), desk()])).toThrow(/"desk" in version "1"/);
  });
});

const RUPEES: PriceTable = { currency: 'USD', budgetCurrency: 'INR', rate: '88', inputPerMillion: '0.25', outputPerMillion: '2' };
const FACTS: PinFacts = { model: 'm', searchAttributes: ['CaseworkerAgent'], promptBytes: () => 123 };

describe('pinning', () => {
  test('the run gets plain data that survives JSON', () => {
    const result = pinnedFrom(desk({ constraints: ['be kind'] }), { ...FACTS, prices: RUPEES, constraints: ['be quick'] });
    expect(result).toMatchObject({
      ok: true,
      agent: { model: 'm', constraints: ['be kind', 'be quick'], promptBytes: 123, tools: [{ name: 'pay' }], prices: RUPEES },
    });
    expect(JSON.parse(JSON.stringify(result))).toEqual(result);
  });

  test('the default budget is ₹20 where costs are known in rupees, else 200,000 tokens', () => {
    const budgetOf = (facts: PinFacts) => {
      const result = pinnedFrom(desk(), facts);
      return result.ok ? result.agent.limits.budget : result.problem;
    };
    expect(budgetOf({ ...FACTS, prices: RUPEES })).toEqual({ kind: 'money', money: { amount: '20', currency: 'INR' } });
    expect(budgetOf(FACTS)).toEqual({ kind: 'tokens', tokens: 200_000 });
    expect(budgetOf({ ...FACTS, prices: { ...RUPEES, budgetCurrency: 'EUR' } })).toEqual({ kind: 'tokens', tokens: 200_000 });
  });

  test('a budget in money that cannot be kept is refused with the fix', () => {
    const money = { kind: 'money', money: { amount: '1', currency: 'USD' } } as const;
    expect(pinnedFrom(desk(), { ...FACTS, limits: { budget: money } })).toMatchObject({ ok: false, problem: expect.stringContaining('no price') });
    expect(pinnedFrom(desk(), { ...FACTS, prices: RUPEES, limits: { budget: money } })).toMatchObject({ ok: false, problem: expect.stringContaining('INR') });
    expect(pinnedFrom(desk({ limits: { budget: '$1' } }), FACTS)).toMatchObject({ ok: false });
  });

  test('limits of the caller replace those of the agent, odd ones are refused', () => {
    expect(pinnedFrom(desk(), { ...FACTS, limits: { turns: 2, timeMs: 5_000 } })).toMatchObject({ ok: true, agent: { limits: { turns: 2, timeMs: 5_000, repeats: 3 } } });
    expect(pinnedFrom(desk(), { ...FACTS, limits: { turns: 0 } })).toMatchObject({ ok: false, problem: expect.stringContaining('turns') });
  });

  test('the hash is that of the definition: settings of a run do not change it, a changed tool does', () => {
    const hash = (definition: ReturnType<typeof desk>, facts = FACTS) => {
      const result = pinnedFrom(definition, facts);
      return result.ok ? result.agent.hash : '';
    };
    expect(hash(desk())).toMatch(/^[0-9a-f]{64}$/);
    expect(hash(desk(), { ...FACTS, model: 'other', limits: { turns: 1 } })).toBe(hash(desk()));
    expect(hash(desk({ tools: [pay('pay2')] }))).not.toBe(hash(desk()));
  });
});
