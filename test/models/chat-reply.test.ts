import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { utf8Bytes } from '../../core/json.ts';
import { readChatReply } from '../../models/chat-reply.ts';
import { functionNames } from '../../models/function-names.ts';
import { MAX_PROVIDER_BYTES } from '../../models/provider-fields.ts';
import { MAX_REPLY_BYTES, MAX_REPLY_CALLS } from '../../models/reply-cap.ts';
import { WireFault } from '../../models/wire-fault.ts';

const context = { names: functionNames(['get_order']), model: 'asked', dropped: [] };

function read(body: unknown) {
  return readChatReply(JSON.stringify(body), context);
}

function readMessage(message: unknown, rest: object = { finish_reason: 'stop' }) {
  return read({ choices: [{ message, ...rest }] });
}

describe('odd replies', () => {
  test('calls that are a text were meant as calls: the reply is no answer', () => {
    expect(readMessage({ content: [{ type: 'text', text: 'hi' }], tool_calls: 'not-an-array' }))
      .toMatchObject({ text: 'hi', calls: [{ name: '', argumentsText: 'not-an-array' }] });
  });

  test('calls that are null, a number or an empty list are none', () => {
    for (const calls of [null, 7, true, '', []]) expect(readMessage({ content: 'hi', tool_calls: calls }).calls).toEqual([]);
  });

  test('content in parts is one text', () => {
    expect(readMessage({ content: [{ type: 'text', text: 'a' }, 7, null, { type: 'image_url' }, 'b', { text: 'c' }] }).text).toBe('abc');
  });

  test('content that is missing, null, a number or a list is no text', () => {
    for (const content of [undefined, null, 7, [], {}, true]) expect(readMessage({ content }).text).toBe('');
  });

  test('a null message that has ended is an empty reply', () => {
    expect(readMessage(null, { finish_reason: 'content_filter' })).toMatchObject({ text: '', calls: [], finish: 'filter' });
  });

  test('a call with nothing in it keeps its place, with what text it has', () => {
    const calls = [null, 'get_order', 5, {}, { function: null }, { function: { name: 7, arguments: null } }, { function: { name: 'get_order' } }];
    expect(readMessage({ tool_calls: calls }).calls).toEqual([
      { name: '', argumentsText: '' }, { name: '', argumentsText: 'get_order' }, { name: '', argumentsText: '5' }, { name: '', argumentsText: '' },
      { name: '', argumentsText: '' }, { name: '', argumentsText: '' }, { name: 'get_order', argumentsText: '' },
    ]);
  });

  test('arguments that came as a value become their text', () => {
    expect(readMessage({ tool_calls: [{ function: { name: 'get_order', arguments: { id: 5 } } }] }).calls).toEqual([{ name: 'get_order', argumentsText: '{"id":5}' }]);
  });

  test('one call without its list, the older function_call and a custom tool are calls', () => {
    const called = { name: 'get_order', arguments: '{}' };
    const wanted = [{ name: 'get_order', argumentsText: '{}' }];
    expect(readMessage({ tool_calls: { function: called } }).calls).toEqual(wanted);
    expect(readMessage({ function_call: called }).calls).toEqual(wanted);
    expect(readMessage({ tool_calls: [], function_call: called }).calls).toEqual(wanted);
    expect(readMessage({ tool_calls: [{ type: 'custom', custom: { name: 'get_order', input: '{}' } }] }).calls).toEqual(wanted);
  });

  test('a refusal is kept, wherever it stands', () => {
    expect(readMessage({ content: '', refusal: "I can't help with that." }).refusal).toBe("I can't help with that.");
    expect(readMessage({ content: [{ type: 'refusal', refusal: 'No.' }] })).toMatchObject({ text: '', refusal: 'No.' });
  });

  test('the reasons to end are four', () => {
    const finishes = ['stop', 'tool_calls', 'length', 'content_filter', 'toString', 'weird', null];
    expect(finishes.map((finish_reason) => readMessage({ content: 'x' }, { finish_reason }).finish))
      .toEqual(['stop', 'stop', 'length', 'filter', 'other', 'other', 'other']);
  });

  test('usage holds counts only', () => {
    const usages = [null, 'x', {}, { prompt_tokens: null, completion_tokens: 12 }, { prompt_tokens: -1, completion_tokens: 1.5 }, { prompt_tokens: '7' }, { prompt_tokens: 1e999 }];
    expect(usages.map((usage) => read({ choices: [{ message: { content: 'x' } }], usage }).usage))
      .toEqual([undefined, undefined, {}, { outputTokens: 12 }, {}, {}, {}]);
  });

  test('more tokens from the cache than there were are cut to those there were', () => {
    const usage = { prompt_tokens: 10, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 99 } };
    expect(read({ choices: [{ message: { content: 'x' } }], usage }).usage?.cachedTokens).toBe(10);
  });

  test('half a surrogate pair becomes a replacement character', () => {
    const { text, calls, provider } = readMessage({ content: 'a\ud83c', tool_calls: [{ function: { name: '\udc00', arguments: '"\ud800"' } }], note: { '\ud800': ['\ud800'] } });
    expect(JSON.stringify([text, calls, provider])).not.toMatch(/\\ud[89a-f]/i);
  });

  test('an answer in the message goes before an error beside it', () => {
    expect(read({ error: { message: 'warning' }, choices: [{ message: { content: 'hi' } }] }).text).toBe('hi');
  });
});

describe("the provider's own fields", () => {
  test('the standard ones and empty ones are not among them', () => {
    const message = { role: 'assistant', content: 'x', refusal: null, annotations: [], audio: null, reasoning: null, note: '', reasoning_content: 'r' };
    expect(readMessage(message).provider).toEqual({ reasoning_content: 'r' });
    expect(readMessage({ content: 'x' })).not.toHaveProperty('provider');
  });

  test('a field that is too large or too deep is left out whole', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 100; i += 1) deep = [deep];
    const { provider } = readMessage({ content: 'x', big: 'y'.repeat(MAX_PROVIDER_BYTES), deep, small: 'z' });
    expect(provider).toEqual({ small: 'z' });
  });
});

describe('a reply over its bounds', () => {
  test('is cut, by whole characters, and ends as cut off', () => {
    const reply = readMessage({ content: '🎉'.repeat(100_000), reasoning_content: 'r' });
    expect(reply.finish).toBe('length');
    expect(utf8Bytes(reply.text)).toBeLessThanOrEqual(MAX_REPLY_BYTES);
    expect(reply.text).toMatch(/^🎉+$/u);
    expect(reply).not.toHaveProperty('provider');
  });

  test('in its arguments is cut too, so that half a call is never whole', () => {
    const huge = JSON.stringify({ text: 'x'.repeat(MAX_REPLY_BYTES) });
    const { calls, finish } = readMessage({ tool_calls: [{ function: { name: 'get_order', arguments: huge } }, { function: { name: 'get_order', arguments: '{}' } }] });
    expect(finish).toBe('length');
    expect(calls).toHaveLength(1);
    expect(utf8Bytes(calls[0]?.argumentsText ?? '')).toBeLessThanOrEqual(MAX_REPLY_BYTES);
  });

  test('in its number of calls is cut', () => {
    const { calls, finish } = readMessage({ tool_calls: Array.from({ length: 1_000 }, () => ({ function: { name: 'get_order', arguments: '{}' } })) });
    expect([calls.length, finish]).toEqual([MAX_REPLY_CALLS, 'length']);
  });

  test('at the bound is whole', () => {
    expect(readMessage({ content: 'x'.repeat(MAX_REPLY_BYTES) })).toMatchObject({ finish: 'stop', text: 'x'.repeat(MAX_REPLY_BYTES) });
  });
});

test('whatever JSON comes, it is a reply within bounds or a fault', () => {
  const odd = fc.jsonValue({ depthSize: 'medium' });
  const call = fc.record({ id: odd, function: fc.oneof(odd, fc.record({ name: odd, arguments: odd })), x: odd }, { requiredKeys: [] });
  const message = fc.oneof(odd, fc.record({ content: odd, tool_calls: fc.oneof(odd, fc.array(fc.oneof(call, odd))), refusal: odd, function_call: odd, y: odd }, { requiredKeys: [] }));
  const choice = fc.oneof(odd, fc.record({ message, finish_reason: odd, error: odd }, { requiredKeys: [] }));
  const body = fc.oneof(odd, fc.record({ choices: fc.oneof(odd, fc.array(choice)), usage: odd, model: odd, error: odd }, { requiredKeys: [] }));
  fc.assert(fc.property(body, (value) => {
    try {
      const reply = read(value);
      expect(typeof reply.text).toBe('string');
      for (const { name, argumentsText } of reply.calls) expect([typeof name, typeof argumentsText]).toEqual(['string', 'string']);
    } catch (error) {
      expect(error).toBeInstanceOf(WireFault);
    }
  }), { numRuns: 600, seed: 7 });
});

test('whatever text comes, it is a fault or a reply', () => {
  for (const text of ['', ' ', '<html>', 'null', '"x"', '{', '{"choices":', '[[[[', '\ufeff{}', `${'['.repeat(200_000)}`, `{"choices":[{"message":{"content":"x","deep":${'['.repeat(20_000)}${']'.repeat(20_000)}}}]}`]) {
    try {
      expect(readChatReply(text, context).text).toBe('x');
    } catch (error) {
      expect(error).toBeInstanceOf(WireFault);
    }
  }
});
