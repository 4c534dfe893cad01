import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '../../core/json.ts';
import type { ReadAction } from '../../core/reply.ts';
import type { Action, Item } from '../../core/transcript.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { bare, checkAll, checkOne, desk, find, getOrder, pinned, said, TASK, toldOf } from './check-parts.ts';

const LONE = '\ud83c';

describe('a tool that does not exist', () => {
  test('is answered with the real tools, the closest first', () => {
    const action = checkOne(said('get_orders', { order_id: '88213' }));
    expect(action).toMatchObject({ id: '3.1', kind: 'invalid', problem: 'unknown_tool', tool: 'get_orders' });
    expect(toldOf(action)).toMatch(/^There is no tool "get_orders"\. The tools are: get_order, list_orders, /);
    expect(toldOf(action)).toContain('hand_over');
  });

  test.each(['toString', '__proto__', 'constructor', 'hasOwnProperty', 'valueOf', '', 'x'.repeat(100_000)])('%.20s is one, though every object knows the name', (tool) => {
    expect(checkOne(said(tool, {}))).toMatchObject({ kind: 'invalid', problem: 'unknown_tool' });
    expect(checkOne(bare(tool, 'x'))).toMatchObject({ kind: 'invalid', problem: 'unknown_tool' });
  });

  test('in the form with brackets too', () => {
    expect(toldOf(checkOne(bare('lookup_order', '88213')))).toContain('There is no tool "lookup_order"');
  });

  test('an agent without tools says so', () => {
    expect(toldOf(checkOne(said('get_order', {}), { definition: desk({ tools: [] }) }))).toMatch(/There are only final_answer/);
  });
});

describe('bare text in the text form', () => {
  test('fills the one field that is required', () => {
    expect(checkOne(bare('find', 'late delivery'))).toMatchObject({ kind: 'call', args: { query: 'late delivery' } });
  });

  test.each([
    ['set_level', '12.5', { level: 12.5 }],
    ['set_level', '-3', { level: -3 }],
    ['toggle', 'true', { on: true }],
    ['toggle', 'false', { on: false }],
  ])('%s[%s] becomes a number or truth value where it certainly is one', (tool, input, args) => {
    expect(checkOne(bare(tool, input))).toMatchObject({ kind: 'call', args });
  });

  test.each([
    ['set_level', '1e5'], ['set_level', '007'], ['set_level', '12 or so'], ['set_level', '1,5'], ['set_level', '8812345678901234567'],
    ['set_level', '0.1234567890123456789'], ['toggle', 'True'], ['toggle', 'yes'],
  ])('%s[%s] stays text, and the schema says what is wanted', (tool, input) => {
    expect(checkOne(bare(tool, input))).toMatchObject({ kind: 'invalid', problem: 'bad_arguments' });
  });

  test('a tool with several fields says which JSON it needs, with an example', () => {
    const text = toldOf(checkOne(bare('issue_refund', '88213, 25')));
    expect(text).toContain('order_id, amount, method (may be left out), lines (may be left out)');
    expect(text).toContain('Action Input: {"order_id":"<order_id>","amount":');
  });

  test('a tool without fields says that it takes none', () => {
    expect(toldOf(checkOne(bare('now', 'please')))).toContain('now takes no arguments');
  });
});

describe('arguments that do not fit are told field by field', () => {
  test.each<[string, JsonObject, string]>([
    ['a missing field', { order_id: '88213' }, 'amount is missing'],
    ['a wrong type', { order_id: '88213', amount: 'a lot' }, 'amount must be a number, not "a lot"'],
    ['a value out of range', { order_id: '88213', amount: 0 }, 'amount must be > 0'],
    ['a value that is not in the list', { order_id: '88213', amount: 5, method: 'cash' }, 'method must be one of "card", "voucher", not "cash"'],
    ['a field too many, with the nearest name', { order_id: '88213', amount: 5, metod: 'card' }, 'there is no field "metod"; did you mean "method"?'],
    ['a field too many, with no name near it', { order_id: '88213', amount: 5, colour: 'red' }, 'there is no field "colour"; there are: order_id, amount'],
    ['a field of an item of a list', { order_id: '88213', amount: 5, lines: [{ sku: 'a', count: 1 }, { sku: 'b', count: 1.5 }] }, 'lines.1.count must be a whole number, not 1.5'],
    ['a nested field that is missing', { order_id: '88213', amount: 5, lines: [{ sku: 'a' }] }, 'lines.0.count is missing'],
    ['a nested field too many, with the nearest name beside it', { order_id: '88213', amount: 5, lines: [{ sku: 'a', count: 1, cuont: 2 }] }, 'there is no field "lines.0.cuont"; did you mean "count"?'],
    ['a list that is none', { order_id: '88213', amount: 5, lines: 'a' }, 'lines must be a list, not "a"'],
  ])('%s', (_, args, text) => {
    const action = checkOne(said('issue_refund', args));
    expect(action).toMatchObject({ kind: 'invalid', problem: 'bad_arguments' });
    expect(toldOf(action)).toContain(text);
  });

  test('all of them at once, so that one turn can mend them, with an example', () => {
    const text = toldOf(checkOne(said('issue_refund', { amount: -1, x: 1 })));
    expect(text).toContain('order_id is missing');
    expect(text).toContain('amount must be');
    expect(text).toContain('there is no field "x"');
    expect(text).toContain('for example {"order_id":"<order_id>","amount":');
  });

  test('a whole number too long for a number is not rounded; the model is told what that means', () => {
    const text = toldOf(checkOne(said('set_level', { level: '8812345678901234567' })));
    expect(text).toContain('8812345678901234567, which has more digits than a number can carry without being rounded');
    expect(text).toContain('hand over');
  });

  test('more than 128 KiB are refused before anything looks at them', () => {
    const action = checkOne(said('find', { query: 'x'.repeat(128 * 1024) }));
    expect(toldOf(action)).toMatch(/find have 129 KiB; at most 128 KiB/);
    expect(checkOne(said('find', { query: 'x'.repeat(127 * 1024) }))).toMatchObject({ kind: 'call' });
    expect(checkOne(said('recall', { id: 'x'.repeat(128 * 1024) }))).toMatchObject({ kind: 'invalid' });
  });

  test('what a schema library checks and JSON Schema cannot say is told as well', () => {
    const even = defineTool({ name: 'even', description: 'Even.', effect: 'read', input: z.object({ n: z.number().refine((n) => n % 2 === 0, 'must be even') }), run: () => 1 });
    expect(toldOf(checkOne(said('even', { n: 3 }), { definition: desk({ tools: [even] }) }))).toContain('n: must be even');
  });
});

describe('a schema that cannot be used never throws', () => {
  test.each<[string, JsonObject]>([
    ['a pattern that does not compile', { type: 'object', properties: { id: { type: 'string', pattern: '([' } } }],
    ['a type that does not exist', { type: 'object', properties: { id: { type: 'txt' } } }],
    ['a reference to nothing', { type: 'object', properties: { id: { $ref: '#/$defs/none' } } }],
    ['required that is no list', { type: 'object', required: 'id' }],
  ])('%s lets no call pass', (_, schema) => {
    const definition = desk({ tools: [find] });
    const agent = { ...pinned(definition), tools: [{ ...find.facts, schema }] };
    const action = checkOne(said('find', { id: 'x' }), { definition, agent });
    expect(action).toMatchObject({ kind: 'invalid', problem: 'bad_arguments' });
    expect(toldOf(action)).toContain('schema of the arguments cannot be used');
  });

  test('two versions of a schema under one id are both used', () => {
    const definition = desk({ tools: [find] });
    const withSchema = (schema: JsonObject) => ({ definition, agent: { ...pinned(definition), tools: [{ ...find.facts, schema }] } });
    const one = withSchema({ $id: 'urn:find', type: 'object', required: ['query'] });
    const two = withSchema({ $id: 'urn:find', type: 'object', required: ['limit'] });
    expect(toldOf(checkOne(said('find', {}), one))).toContain('query is missing');
    expect(toldOf(checkOne(said('find', {}), two))).toContain('limit is missing');
  });

  test('a schema that calls itself asynchronous does not let everything pass', () => {
    const definition = desk({ tools: [find] });
    const agent = { ...pinned(definition), tools: [{ ...find.facts, schema: { $async: true, type: 'object', required: ['query'] } }] };
    expect(checkOne(said('find', {}), { definition, agent })).toMatchObject({ kind: 'invalid' });
  });
});

describe('ids that the run has never heard of', () => {
  test.each<[string, string, JsonObject]>([
    ['a text', 'get_order', { order_id: '99999' }],
    ['one of a list', 'compare', { orders: ['88213', '99999'] }],
    ['a number inside an object', 'compare', { of: { first: 99_999 } }],
  ])('are refused: %s', (_, tool, args) => {
    const action = checkOne(said(tool, args));
    expect(action).toMatchObject({ kind: 'invalid', problem: 'unseen_id' });
    expect(toldOf(action)).toContain('order id "99999"');
  });

  test.each<[string, string, JsonObject]>([
    ['in another case and with signs around it', 'list_orders', { customer: '#c-17' }],
    ['as a number', 'compare', { of: { first: 88_213 } }],
    ['in a list', 'compare', { orders: ['88213'] }],
    ['that are not given at all', 'compare', {}],
  ])('those that it has pass: %s', (_, tool, args) => {
    expect(checkOne(said(tool, args))).toMatchObject({ kind: 'call' });
  });

  test('the model is told which seen ids are near, and which tool can give such an id', () => {
    const text = toldOf(checkOne(said('get_order', { order_id: '88231' })));
    expect(text).toContain('Seen were: 88213.');
    expect(text).toContain('look it up with list_orders, or ask for it with ask_person');
  });

  test('where no tool can, a person is the way', () => {
    expect(toldOf(checkOne(said('list_orders', { customer: 'C-99' }), { definition: desk({ tools: [...desk().tools].slice(1, 2) }) }))).toMatch(/Take ids from there, or ask for it with ask_person/);
  });
});

function hashOf(action: Action): string {
  return 'hash' in action ? action.hash : '';
}

describe('one call is one call, however it is written', () => {
  const refund = (args: JsonObject) => hashOf(checkOne(said('issue_refund', args)));
  const seen: readonly Item[] = [{ ...TASK, goal: 'Order Ab-12 or 88213, customer C-17' } as Item];

  test('the order of keys, white space and the case of ids do not change its hash', () => {
    const look = (order_id: string) => hashOf(checkOne(said('get_order', { order_id }), { items: seen }));
    expect(look('Ab-12')).toBe(look(' aB-12 '));
    expect(refund({ order_id: '88213', amount: 25 })).toBe(refund({ amount: 25, order_id: '88213' }));
  });

  test('the arguments that run stay as they were given', () => {
    expect(checkOne(said('get_order', { order_id: ' aB-12 ' }), { items: seen })).toMatchObject({ args: { order_id: ' aB-12 ' } });
  });

  test('another amount, another tool or the case of a plain text is another call', () => {
    expect(refund({ order_id: '88213', amount: 25 })).not.toBe(refund({ order_id: '88213', amount: 26 }));
    expect(hashOf(checkOne(said('find', { query: 'Late' })))).not.toBe(hashOf(checkOne(said('find', { query: 'late' }))));
  });

  test('a refused call keeps its identity too: keys in another order are the same mistake', () => {
    expect(refund({ x: 1, order_id: '88213' })).toBe(refund({ order_id: '88213', x: 1 }));
    expect(refund({ x: 1, order_id: '88213' })).not.toBe(refund({ x: 2, order_id: '88213' }));
    expect(hashOf(checkOne(said('nothing', { a: 1, b: 2 })))).toBe(hashOf(checkOne(said('nothing', { b: 2, a: 1 }))));
  });

  test('equal malformed replies have one hash, others another', () => {
    const format = (raw: string) => hashOf(checkOne({ kind: 'format', problem: 'format', text: `Not read: ${raw.length}`, raw }));
    expect(format('Action get_order 5')).toBe(format('Action  get_order 5\n'));
    expect(format('Action get_order 5')).not.toBe(format('Action get_order 6'));
  });
});

describe('rules that a call has to pass', () => {
  test('a rule on a tool hands over instead of the call, and says why', () => {
    const definition = desk({ handOverWhen: [{ tool: 'issue_refund', when: ({ amount }) => Number(amount) > 500, reason: 'above the limit' }] });
    expect(checkOne(said('issue_refund', { order_id: '88213', amount: 501 }), { definition })).toMatchObject({ kind: 'call', handOver: 'above the limit' });
    expect(checkOne(said('issue_refund', { order_id: '88213', amount: 500 }), { definition })).not.toHaveProperty('handOver');
    expect(checkOne(said('get_order', { order_id: '88213' }), { definition })).not.toHaveProperty('handOver');
  });

  test('a rule on any tool sees the tool and its arguments', () => {
    const definition = desk({ handOverWhen: [{ when: (args, tool) => tool === 'find' && args.query === 'lawyer', reason: 'legal' }] });
    expect(checkOne(said('find', { query: 'lawyer' }), { definition })).toMatchObject({ handOver: 'legal' });
    expect(checkOne(said('find', { query: 'fee' }), { definition })).not.toHaveProperty('handOver');
  });

  test('a rule that throws cannot say no: the run is handed over', () => {
    const definition = desk({ handOverWhen: [{ tool: 'find', when: () => { throw new Error('rule'); }, reason: 'unsure' }] });
    expect(checkOne(said('find', { query: 'x' }), { definition })).toMatchObject({ handOver: 'unsure' });
  });

  test('an approval rule that throws holds the call', () => {
    const odd = defineTool({ name: 'odd', description: 'Odd.', effect: 'once', input: z.object({}), needsApproval: () => { throw new Error('rule'); }, run: () => 1 });
    expect(checkOne(said('odd', {}), { definition: desk({ tools: [odd] }) })).toMatchObject({ kind: 'call', needsApproval: true });
  });

  test('a business key that cannot be told refuses the call', () => {
    const odd = defineTool({ name: 'odd', description: 'Odd.', effect: 'once', input: z.object({}), key: () => { throw new Error('no case'); }, run: () => 1 });
    expect(toldOf(checkOne(said('odd', {}), { definition: desk({ tools: [odd] }) }))).toContain('cannot tell which business case');
  });

  test('the key and the approval rule are asked with the arguments of the call', () => {
    expect(checkOne(said('issue_refund', { order_id: '88213', amount: 25 }))).toMatchObject({ key: 'order-88213', needsApproval: false });
    expect(checkOne(said('issue_refund', { order_id: '88213', amount: 101 }))).toMatchObject({ needsApproval: true });
  });
});

test('the agent holds what its tools would let pass, and says why; a rule that throws holds', () => {
  const hold = [
    { tool: 'set_level', when: (args: object) => 'level' in args && args.level === 11, reason: 'eleven is loud' },
    { tool: 'find', when: () => { throw new Error('rule'); }, reason: 'unsure' },
  ];
  const definition = desk({ approvals: { hold } });
  const facts = (why: string) => ({ kind: 'call', needsApproval: true, approval: { why, argsHash: expect.stringMatching(/^[0-9a-f]{64}$/) } });
  expect(checkOne(said('set_level', { level: 11 }), { definition })).toMatchObject(facts('eleven is loud'));
  expect(checkOne(said('set_level', { level: 3 }), { definition })).toMatchObject({ needsApproval: false });
  expect(checkOne(said('find', { query: 'x' }), { definition })).toMatchObject(facts('unsure'));
});

describe('the strictest approval wins', () => {
  const call = said('issue_refund', { order_id: '88213', amount: 25 });
  const pinnedWith = (approval: 'never' | 'always' | 'by_rule') => {
    const agent = pinned(desk());
    return { ...agent, tools: agent.tools.map((facts) => (facts.name === 'issue_refund' ? { ...facts, approval } : facts)) };
  };

  test('pinned as held, free in the code of today: held', () => {
    expect(checkOne(call, { agent: pinnedWith('always') })).toMatchObject({ needsApproval: true });
  });

  test('pinned as free, held by the code of today: held', () => {
    expect(checkOne(said('issue_refund', { order_id: '88213', amount: 101 }), { agent: pinnedWith('never') })).toMatchObject({ needsApproval: true });
  });

  test.each([['always', true], ['by_rule', true], ['never', false]] as const)('pinned as %s and no code to ask: held is %s', (approval, needsApproval) => {
    expect(checkOne(call, { agent: pinnedWith(approval), isDeployed: false })).toMatchObject({ kind: 'call', needsApproval });
  });

  test('a tool that the deployed agent has no more still meets the rules that are left', () => {
    const definition = desk({ tools: [getOrder], handOverWhen: [{ when: (_, tool) => tool === 'issue_refund', reason: 'refunds are closed' }] });
    expect(checkOne(call, { definition, agent: pinned(desk()) })).toMatchObject({ kind: 'call', needsApproval: true, handOver: 'refunds are closed' });
  });
});

test('recall passes: it reads only what the run itself was shown', () => {
  expect(checkOne(said('recall', { id: '1.1' }))).toMatchObject({ kind: 'call', tool: 'recall', needsApproval: false });
});

describe('answers', () => {
  const answer = (text: string, checked = {}) => checkOne({ kind: 'final_answer', text }, checked);
  const definition = desk({ answer: z.object({ order_id: z.string(), refund: z.number(), reason: z.enum(['late', 'none']) }) });

  test('carry what the evidence does not hold', () => {
    expect(answer('Order 88213 cost ₹480.')).toEqual({ id: '3.1', kind: 'final_answer', answer: 'Order 88213 cost ₹480.', problems: [] });
    expect(answer('Refund ₹77.')).toMatchObject({ problems: [{ kind: 'amount' }] });
  });

  test('a structured answer is read as JSON, in a fence or not', () => {
    const value = { order_id: '88213', refund: 480, reason: 'late' };
    for (const text of [JSON.stringify(value), `\`\`\`json\n${JSON.stringify(value, undefined, 2)}\n\`\`\``]) {
      expect(answer(text, { definition })).toMatchObject({ kind: 'final_answer', answer: value, problems: [] });
    }
  });

  test('text, cut JSON and lists are asked for again, with an example', () => {
    for (const text of ['The refund is ₹480.', '{"order_id":"88213",', '[1]', '']) {
      expect(toldOf(answer(text, { definition }))).toMatch(/one JSON object and nothing else.*for example: \{"order_id":"<order_id>","refund":1,"reason":"late"\}/);
    }
  });

  test('one that does not fit its schema is told field by field', () => {
    expect(toldOf(answer('{"order_id":"88213","refund":"25"}', { definition }))).toMatch(/refund must be a number, not "25".*reason is missing|reason is missing.*refund must be a number, not "25"/);
  });

  test('a structured answer is checked against the evidence like any other', () => {
    expect(answer('{"order_id":"99999","refund":480,"reason":"late"}', { definition })).toMatchObject({ kind: 'final_answer', problems: [{ kind: 'id', value: '99999' }] });
  });
});

test('of more than 200 actions the first 200 are looked at', () => {
  const actions = checkAll(Array.from({ length: 300 }, () => said('now', {})));
  expect(actions).toHaveLength(200);
  expect(actions.at(-1)).toMatchObject({ id: '3.200', kind: 'call' });
});

test('no action carries half a surrogate pair, wherever the model wrote one', () => {
  const actions = checkAll([
    { kind: 'final_answer', text: `a${LONE}` }, { kind: 'ask_person', question: `b${LONE}` }, { kind: 'hand_over', reason: `c${LONE}`, queue: LONE },
    { kind: 'update_todo', items: [{ text: LONE, done: false }] }, said('find', { query: LONE }), bare(LONE, LONE), bare('find', LONE),
    { kind: 'format', problem: 'format', text: LONE, raw: LONE },
  ]);
  expect(JSON.stringify(actions)).not.toMatch(/\\ud[89a-f]/);
  expect(actions[4]).toMatchObject({ kind: 'call', args: { query: '\ufffd' } });
});

test('other actions pass as they are, numbered, with what the provider needs back', () => {
  expect(checkAll([
    { kind: 'ask_person', question: 'Which order?', provider: { sig: 'x' } }, { kind: 'hand_over', reason: 'legal', queue: 'finance' },
    { kind: 'update_todo', items: [{ text: 'look', done: true }] },
  ])).toEqual([
    { id: '3.1', provider: { sig: 'x' }, kind: 'ask_person', question: 'Which order?' },
    { id: '3.2', kind: 'hand_over', reason: 'legal', queue: 'finance' },
    { id: '3.3', kind: 'update_todo', items: [{ text: 'look', done: true }] },
  ]);
});

test('whatever a reply holds, every action comes back numbered, bounded and well-formed, and nothing is thrown', () => {
  const text = fc.string({ unit: 'binary', maxLength: 60 });
  const tool = fc.oneof(fc.constantFrom('get_order', 'issue_refund', 'compare', 'set_level', 'recall', '__proto__'), text);
  const args = fc.oneof(
    fc.dictionary(fc.oneof(fc.constantFrom('order_id', 'amount', 'orders', 'of', 'level', '__proto__'), text), fc.jsonValue(), { maxKeys: 5 }),
    fc.record({ order_id: fc.constantFrom('88213', '99999', ' 88213'), amount: fc.double() }, { requiredKeys: [] }),
  ).map((value): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject);
  const action: fc.Arbitrary<ReadAction> = fc.oneof(
    fc.record({ kind: fc.constant('call' as const), tool, args, raw: text }),
    fc.record({ kind: fc.constant('bare_call' as const), tool, input: text, raw: text }),
    fc.record({ kind: fc.constant('final_answer' as const), text }),
    fc.record({ kind: fc.constant('format' as const), problem: fc.constant('format' as const), text, raw: text }),
  );
  const definition = desk();
  const agent = pinned(definition);
  fc.assert(fc.property(fc.array(action, { maxLength: 5 }), (said) => {
    const checked = checkAll(said, { definition, agent });
    expect(checked.map(({ id }) => id)).toEqual(said.map((_, i) => `3.${i + 1}`));
    expect(JSON.stringify(checked)).not.toMatch(/[^\\]\\ud[89a-f]/);
  }), { numRuns: 1_000, seed: 4 });
});
