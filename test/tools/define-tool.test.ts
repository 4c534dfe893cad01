import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { RESERVED_TOOL_NAMES } from '../../core/names.ts';
import { defineTool } from '../../tools/define-tool.ts';
import type { ToolDefinition } from '../../tools/define-tool.ts';

type Args = { readonly id: string };
const READ: ToolDefinition<Args> = {
  name: 'get_order', description: 'One order.', input: z.object({ id: z.string() }), effect: 'read', run: ({ id }) => id,
};

test('the schema reaches the run with everything that the author wrote', () => {
  const Address: z.ZodType = z.object({ city: z.string(), get near() { return z.array(Address); } }).meta({ id: 'Address' });
  const tool = defineTool({
    name: 'find', description: 'Finds.', effect: 'read',
    input: z.strictObject({
      orderId: z.string().regex(/^O-\d+$/).describe('like O-123'),
      tags: z.array(z.enum(['a', 'b'])).default([]),
      lines: z.array(z.object({ sku: z.string(), count: z.number().int().min(1).max(9) })).optional(),
      address: Address.optional(),
    }),
    run: () => 'ok',
  });
  expect(JSON.parse(JSON.stringify(tool.facts.schema))).toEqual({
    type: 'object',
    properties: {
      orderId: { type: 'string', pattern: '^O-\\d+$', description: 'like O-123' },
      tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, default: [] },
      lines: {
        type: 'array',
        items: {
          type: 'object',
          properties: { sku: { type: 'string' }, count: { type: 'integer', minimum: 1, maximum: 9 } },
          required: ['sku', 'count'],
        },
      },
      address: { $ref: '#/$defs/Address' },
    },
    required: ['orderId'],
    additionalProperties: false,
    $defs: {
      Address: {
        type: 'object', required: ['city', 'near'],
        properties: { city: { type: 'string' }, near: { type: 'array', items: { $ref: '#/$defs/Address' } } },
      },
    },
  });
});

test('what is not said has its default, and a write needs approval', () => {
  expect(defineTool(READ).facts).toMatchObject({ approval: 'never', timeoutMs: 30_000, maxAttempts: 3, polls: false, ids: {} });
  expect(defineTool({ ...READ, effect: 'once' }).facts).toMatchObject({ approval: 'always', maxAttempts: 1 });
  expect(defineTool({ ...READ, effect: 'idempotent', needsApproval: false }).facts).toMatchObject({ approval: 'never', maxAttempts: 3 });
  expect(defineTool({ ...READ, effect: 'once', needsApproval: () => false }).facts.approval).toBe('by_rule');
});

describe('a definition that cannot work is refused with the fix', () => {
  test.each<[string, Partial<ToolDefinition<Args>>, RegExp]>([
    ['a name with a blank', { name: 'get order' }, /no tool name.*letters/],
    ['a name of 65 characters', { name: 'a'.repeat(65) }, /1 to 64/],
    ['a prefix of Temporal', { name: '__temporal_x' }, /taken/],
    ['a name that every object has', { name: 'toString' }, /taken/],
    ['no description', { description: ' ' }, /no description/],
    ['an id field that is not there', { ids: { order: 'order' } as ToolDefinition<Args>['ids'] & object }, /ids names the field "order".*only: id/],
    ['an id of nothing', { ids: { id: ' ' } }, /ids\.id must say/],
    ['a time-out without a unit', { timeout: '30' }, /timeout.*30s/],
    ['a time-out of 0', { timeout: '0s' }, /above 0/],
    ['two attempts of an effect once', { effect: 'once', retry: { attempts: 2 } }, /one attempt/],
    ['no attempt', { retry: { attempts: 0 } }, /retry\.attempts.*from 1/],
    ['half an attempt', { retry: { attempts: 1.5 } }, /whole number/],
    ['an effect of its own', { effect: 'write' as 'once' }, /effect must be one of read, idempotent, once/],
  ])('%s', (_what, change, message) => {
    expect(() => defineTool({ ...READ, ...change })).toThrow(message);
  });

  test.each(RESERVED_TOOL_NAMES)('the name %s', (name) => {
    expect(() => defineTool({ ...READ, name })).toThrow(/taken/);
    expect(() => defineTool({ ...READ, name: name.toUpperCase() })).toThrow(/taken/);
  });

  test('an input that is no object, has no JSON Schema, cannot be compiled, or cannot be sent', () => {
    const facts = { name: 'find', description: 'Finds.', effect: 'read', run: () => 1 } as const;
    expect(() => defineTool({ ...facts, input: z.string() })).toThrow(/must describe an object.*"string"/);
    expect(() => defineTool({ ...facts, input: z.object({ at: z.date() }) })).toThrow(/Date.*as text/);
    expect(() => defineTool({ ...facts, input: z.object({ id: z.string().regex(/A\-B/) }) })).toThrow(/Tool "find": input .*cannot be compiled.*flag u/);
    const old = { '~standard': { version: 1, vendor: 'old', validate: (value: unknown) => ({ value }) } };
    expect(() => defineTool({ ...READ, input: old as unknown as ToolDefinition<Args>['input'] })).toThrow(/zod 4\.2/);
  });
});

test('dots are allowed in a name', () => {
  expect(defineTool({ ...READ, name: 'crm.orders.get' }).name).toBe('crm.orders.get');
});

describe('the rules of a tool are asked with checked arguments', () => {
  const refund = defineTool({
    name: 'refund', description: 'Pays.', effect: 'once',
    input: z.object({ order: z.string(), amount: z.number().default(5) }),
    key: ({ order }) => `refund-${order}`,
    needsApproval: ({ amount }) => amount > 20,
    run: () => 'paid',
  });

  test('defaults are there, the key is the business identity', () => {
    expect(refund.judge({ order: 'O1' })).toEqual({ ok: true, key: 'refund-O1', needsApproval: false });
    expect(refund.judge({ order: 'O1', amount: 21 })).toEqual({ ok: true, key: 'refund-O1', needsApproval: true });
  });

  test('arguments that the schema refuses are named field by field', () => {
    expect(refund.judge({ order: 1, amount: 'x' })).toMatchObject({ ok: false, problem: expect.stringMatching(/order: .*; amount: /) });
  });

  test('a rule that throws holds the call, a key that cannot be made stops it', () => {
    const fail = (): never => { throw new Error('down'); };
    const tool = { ...READ, effect: 'once' } as const;
    expect(defineTool({ ...tool, needsApproval: fail }).judge({ id: '1' })).toEqual({ ok: true, needsApproval: true });
    expect(defineTool({ ...tool, key: fail }).judge({ id: '1' })).toMatchObject({ ok: false, problem: expect.stringContaining('down') });
    expect(defineTool({ ...tool, key: () => '' }).judge({ id: '1' })).toMatchObject({ ok: false });
  });

  test('a schema that has to wait cannot let a call pass unheld', async () => {
    const input = z.object({ id: z.string().refine(async () => true) });
    const tool = defineTool({ ...READ, effect: 'once', input, needsApproval: () => false });
    expect(tool.judge({ id: '1' })).toEqual({ ok: true, needsApproval: true });
    expect(await tool.prepare({ id: '1' })).toMatchObject({ ok: true });
    expect(await tool.prepare({ id: 1 })).toMatchObject({ ok: false });
  });
});
