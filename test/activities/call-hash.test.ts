import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { callHash } from '../../activities/call-hash.ts';
import type { JsonObject } from '../../core/json.ts';
import { defineTool } from '../../tools/define-tool.ts';

const { facts } = defineTool({
  name: 'pay', description: 'Pays.', effect: 'once', ids: { order_id: 'order' },
  input: z.object({
    order_id: z.string(),
    amount: z.string(),
    currency: z.string().default('INR'),
    to: z.object({ kind: z.string().default('card'), number: z.string() }).optional(),
    lines: z.array(z.object({ sku: z.string(), count: z.number().default(1) })).optional(),
  }),
  run: () => 'ok',
});
const hash = (args: JsonObject) => callHash('pay', args, facts);
const PLAIN = { order_id: '88213', amount: '25' };

describe('a call is the same call', () => {
  test('with or without what the schema has a default for, at every depth', () => {
    expect(hash({ ...PLAIN, currency: 'INR' })).toBe(hash(PLAIN));
    expect(hash({ ...PLAIN, to: { kind: 'card', number: '1' } })).toBe(hash({ ...PLAIN, to: { number: '1' } }));
    expect(hash({ ...PLAIN, lines: [{ sku: 'A' }] })).toBe(hash({ ...PLAIN, lines: [{ count: 1, sku: 'A' }] }));
  });

  test('whatever the order of keys, white space, and of ids the case and the sign in front', () => {
    expect(hash({ amount: ' 25', order_id: '#88213 ' })).toBe(hash(PLAIN));
  });
});

describe('a call is another call', () => {
  test('with another value than the default', () => {
    expect(hash({ ...PLAIN, currency: 'USD' })).not.toBe(hash(PLAIN));
    expect(hash({ ...PLAIN, lines: [{ sku: 'A', count: 2 }] })).not.toBe(hash({ ...PLAIN, lines: [{ sku: 'A' }] }));
  });

  test('when its values only mean the same: what may happen once needs a key', () => {
    expect(hash({ ...PLAIN, amount: '25.00' })).not.toBe(hash(PLAIN));
  });
});
