import { describe, expect, test } from 'vitest';
import { builtInAction } from '../../core/built-in-actions.ts';
import { spokenCall } from '../../core/prompt-functions.ts';
import { readTextReply } from '../../core/text-form.ts';
import type { JsonValue } from '../../core/json.ts';
import { modelReply } from './reply-samples.ts';

const ask = (fields: JsonValue) => builtInAction('ask_person', { args: { question: 'How much?', fields }, raw: 'raw' });

describe('a question may have a form', () => {
  test('of flat fields by name', () => {
    const fields = {
      order_id: { type: 'text', label: ' Order number ' }, amount: { type: 'number' }, paid: { type: 'boolean', required: false },
      channel: { type: 'choice', options: ['card', 'cash'] }, due: { type: 'date' },
    };
    const action = ask(fields);
    expect(action).toEqual({ kind: 'ask_person', question: 'How much?', form: { ...fields, order_id: { type: 'text', label: 'Order number' } } });
    if (action.kind !== 'ask_person') throw new Error('no question');
    expect(JSON.parse(spokenCall({ ...action, id: '1.1' }).argumentsText)).toEqual({ question: 'How much?', fields: action.form });
  });

  test('in the text form as JSON input', () => {
    const text = 'Thought: I ask.\nAction: ask_person\nAction Input: {"question":"How much?","fields":{"amount":{"type":"number"}}}';
    expect(readTextReply(modelReply({ text }), []).actions).toMatchObject([{ kind: 'ask_person', form: { amount: { type: 'number' } } }]);
  });

  test.each([null, {}])('%o is no form', (fields) => {
    expect(ask(fields)).toEqual({ kind: 'ask_person', question: 'How much?' });
  });

  test('null stands for what is left out', () => {
    expect(ask({ amount: { type: 'number', label: null, options: null, required: null } })).toMatchObject({ form: { amount: { type: 'number' } } });
  });

  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, { type: 'text' }]));
  test.each<[string, JsonValue, string]>([
    ['a list', [{ name: 'amount' }], '"fields" must be an object, for example'],
    ['a field that is none', { amount: 'number' }, 'the field "amount" must be an object'],
    ['a type that is not there', { amount: { type: 'money' } }, 'needs a "type": one of text, number, boolean, choice, date'],
    ['something else in it', { amount: { type: 'number', minimum: 1 } }, 'has "minimum"; it takes type, label, options, required'],
    ['a choice of nothing', { channel: { type: 'choice' } }, 'needs "options": a list of 1 to 50'],
    ['a choice of too much', { channel: { type: 'choice', options: Array.from({ length: 51 }, (_, i) => String(i)) } }, 'a list of 1 to 50'],
    ['one thing twice', { channel: { type: 'choice', options: ['a', 'a'] } }, 'name one thing twice'],
    ['options of a number', { amount: { type: 'number', options: ['1'] } }, 'only a field of type "choice" takes "options"'],
    ['too many fields', many(21), '"fields" has 21 fields; ask for at most 20'],
    ['an odd name', { 'amount (₹)': { type: 'number' } }, 'the field name "amount (₹)" must be a letter'],
    ['a name of a prototype', { __proto__x: { type: 'number' } }, 'the field name "__proto__x"'],
    ['a label that is none', { amount: { type: 'number', label: 5 } }, 'the "label" of "amount" must be text'],
    ['required that is none', { amount: { type: 'number', required: 'yes' } }, '"required" of "amount" must be true or false'],
  ])('%s is sent back with what to write instead', (_, fields, problem) => {
    expect(ask(fields)).toMatchObject({ kind: 'format', tool: 'ask_person', text: expect.stringContaining(problem) });
  });

  test('of 20 fields is one', () => {
    expect(ask(many(20))).toMatchObject({ kind: 'ask_person' });
  });
});
