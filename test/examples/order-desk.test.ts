import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import agents from '../../examples/agents.ts';
import { calculate } from '../../examples/order-desk/calculate.ts';
import { findOrder } from '../../examples/order-desk/orders.ts';
import { findPolicy } from '../../examples/order-desk/policies.ts';
import { getOrder, getPolicy, issueRefund } from '../../examples/order-desk/tools.ts';
import type { Tool } from '../../tools/tool.ts';

const CONTEXT = { signal: new AbortController().signal, idempotencyKey: 'k', heartbeat: () => {}, log: () => {} };

async function call(tool: Tool, args: Record<string, string | number>) {
  const prepared = await tool.prepare(args);
  if (!prepared.ok) throw new Error(prepared.problem);
  return prepared.call;
}

test('the agents of the examples are those that the command line serves', () => {
  expect(agents.map(({ name }) => name)).toEqual(['order-desk', 'population', 'refunds']);
});

test('an order is found by its number, however people write it', () => {
  expect(findOrder(' #88213 ')).toMatchObject({ promised_at: '2026-03-04 18:00', delivered_at: '2026-03-04 19:02', price: 480, delivery_fee: 25 });
});

test('an order that does not exist is a sentence that says what to do', async () => {
  const missing = await call(getOrder, { order_id: '88219' });
  expect(missing.run(CONTEXT)).toBeUndefined();
  expect(missing.emptyText()).toBe('No order with id 88219 exists. Ask the customer for the number on the receipt.');
});

test.each([
  ['late delivery', /more than 30 minutes.*nothing else/],
  ['refund for late orders', /more than 30 minutes/],
  ['refund of a cancelled order', /Cancelled orders/],
  ['order in transit', /in transit/],
])('the policy on "%s"', (topic, text) => {
  expect(findPolicy(topic)).toMatch(text);
});

test('a topic without a policy is answered with the topics there are', async () => {
  const missing = await call(getPolicy, { topic: 'gift wrapping' });
  expect(missing.run(CONTEXT)).toBeUndefined();
  expect(missing.emptyText()).toContain('late delivery');
});

describe('calculate is exact and knows arithmetic only', () => {
  test.each([
    ['480 + 25', '505'], ['0.1 + 0.2', '0.3'], ['(480 + 25) * 2 / 4', '252.5'], ['₹1,240.50 − ₹40', '1200.5'], ['1,00,000 × 2', '200000'],
    ['15% * 200', '30'], ['10 / 3', '3.3333333333'], ['-(3 - 5)', '2'], ['7 mod 4', '3'], ['(19*60 + 2) - 18*60', '62'],
    ['9007199254740993 + 0', '9007199254740993'], ['99999999999999999999 * 10', '999999999999999999990'],
  ])('%s = %s', async (expression, value) => {
    expect(await calculate(expression)).toBe(value);
  });

  test.each([
    'x = 3', 'sqrt(4)', 'import("fs")', '1:100000000', '9^9^9', '5!', 'a + 1', '[1,2,3]', '"text"', '19:02 - 18:00', '1; 2', 'f(x) = x',
    '480 25', '1 > 0', '2 km', 'process.exit()', '1 +', '',
  ])('%s is refused with what to write instead', async (expression) => {
    await expect(calculate(expression)).rejects.toThrow(/Write numbers/);
  });

  test('a division by zero has no value', async () => {
    await expect(calculate('1 / (2 - 2)')).rejects.toThrow(/divided by zero/);
  });
});

describe('a refund is written down once', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'order-desk-'));
    vi.stubEnv('CASEWORKER_DATA', folder);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });

  test('it needs approval, and one order has one business key', () => {
    expect(issueRefund.facts).toMatchObject({ effect: 'once', approval: 'always', maxAttempts: 1 });
    expect(issueRefund.judge({ order_id: '#88213', amount: 25 })).toEqual({ ok: true, key: 'order-88213', needsApproval: true });
    expect(issueRefund.describe({ order_id: '#88213', amount: 25 })).toEqual({ summary: 'Refund ₹25 for order 88213', amount: { amount: '25', currency: 'INR' } });
  });

  test('a second payment of the same order is refused by the ledger', async () => {
    const refund = await call(issueRefund, { order_id: '88213', amount: 25 });
    expect(await refund.lookup(CONTEXT)).toEqual({ happened: false });
    expect(await refund.run(CONTEXT)).toBe('Refunded ₹25 for order 88213.');
    expect(await refund.lookup(CONTEXT)).toMatchObject({ happened: true, result: expect.stringContaining('"amount":25') });
    const again = await call(issueRefund, { order_id: '#88213', amount: 30 });
    await expect(again.run(CONTEXT)).rejects.toThrow(/refunded before/);
    expect(await readdir(join(folder, 'order-desk-refunds'))).toEqual(['88213.json']);
  });

  test('an order that does not exist is not refunded', async () => {
    const refund = await call(issueRefund, { order_id: '88219', amount: 25 });
    await expect(refund.run(CONTEXT)).rejects.toThrow(/nothing was refunded/);
  });
});
