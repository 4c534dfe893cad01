import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { checkReply } from '../../activities/check-reply.ts';
import { evidenceOf } from '../../core/evidence.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { checkOne, desk, find, getOrder, pinned, said, TASK, toldOf } from './check-parts.ts';

describe('a field that a tool does not have', () => {
  test('is told, though the schema library would drop it: the call would run with a part of what was meant', () => {
    const text = toldOf(checkOne(said('find', { query: 'late', limits: 5 })));
    expect(text).toContain('there is no field "limits"; did you mean "limit"?');
  });

  test('is named with the right one where that is missing', () => {
    const text = toldOf(checkOne(said('get_order', { orderid: '88213' })));
    expect(text).toContain('did you mean "order_id"?');
    expect(text).toContain('order_id is missing');
  });

  test('passes where the schema allows more fields than it names', () => {
    const open = defineTool({ name: 'note', description: 'Keeps a note.', effect: 'read', input: z.looseObject({ text: z.string() }), run: () => 'ok' });
    expect(checkOne(said('note', { text: 'a', colour: 'red' }), { definition: desk({ tools: [open] }) }).kind).toBe('call');
  });
});

test('an order is one order with a # in front and without', () => {
  const hashOf = (order_id: string) => {
    const action = checkOne(said('get_order', { order_id }));
    return action.kind === 'call' ? action.hash : action.kind;
  };
  expect(hashOf('#88213')).toBe(hashOf('88213'));
  expect(hashOf(' # 88213 ')).toBe(hashOf('88213'));
});

test('what was mended in the arguments of a call is noted under its id', () => {
  const definition = desk({ tools: [getOrder, find] });
  const read = {
    actions: [said('find', { query: 'a' }), { kind: 'call' as const, tool: 'find', args: { query: 'b' }, raw: "{'query': 'b'}", repaired: 'single quotes' }],
    notes: [],
  };
  const { notes } = checkReply(read, { turn: 2, agent: pinned(definition), definition, evidence: evidenceOf([TASK], []), items: [TASK], firstRunId: 'first' });
  expect(notes).toEqual([{ kind: 'repaired', call: '2.2', text: 'single quotes' }]);
});

describe('an answer where text was asked for', () => {
  const answerOf = (text: string) => {
    const action = checkOne({ kind: 'final_answer', text });
    return action.kind === 'final_answer' ? action.answer : action.kind;
  };

  test('comes without the JSON that a model put around it', () => {
    expect(answerOf('{"answer":"It costs ₹480."}')).toBe('It costs ₹480.');
  });

  test('that is JSON for a reason stays as it is', () => {
    expect(answerOf('{"price":480,"fee":0}')).toBe('{"price":480,"fee":0}');
    expect(answerOf('{"answer":"a","why":"b"}')).toBe('{"answer":"a","why":"b"}');
  });
});
