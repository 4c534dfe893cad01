import { describe, expect, test } from 'vitest';
import { CALL_WRAPPERS } from '../../core/call-wrappers.ts';
import { readFunctionReply } from '../../core/function-form.ts';
import type { ModelReply, RawCall, ReadReply } from '../../core/reply.ts';
import { modelReply, TOOLS } from './reply-samples.ts';

function read(reply: Partial<ModelReply>): ReadReply {
  return readFunctionReply(modelReply(reply), TOOLS);
}

function raw(name: string, argumentsText = '{}', provider?: RawCall['provider']): RawCall {
  return { name, argumentsText, ...(provider ? { provider } : {}) };
}

const content = (text: string, finish: ModelReply['finish'] = 'stop') => read({ text, finish });
const called = (tool: string, args: object) => ({ kind: 'call', tool, args });
const format = (tool?: string) => ({ kind: 'format', problem: 'format', ...(tool === undefined ? {} : { tool }) });

describe('arguments are one whole object', () => {
  test.each(['', '  ', 'null', '{}', '""', '"{}"', 'Null'.toLowerCase()])('for a function without parameters %j is no argument', (text) => {
    expect(read({ calls: [raw('list_queues', text)] }).actions).toMatchObject([called('list_queues', {})]);
  });

  test.each([
    ['{"order_id":"O-5"}', { order_id: 'O-5' }],
    [' {"order_id":"O-5"}\n', { order_id: 'O-5' }],
    ['"{\\"order_id\\":\\"O-5\\"}"', { order_id: 'O-5' }],
    ['{"account_id": 8812345678901234567, "amount": 0.1}', { account_id: '8812345678901234567', amount: 0.1 }],
    ['{"__proto__":{"x":1}}', JSON.parse('{"__proto__":{"x":1}}')],
  ])('%j', (text, args) => {
    expect(read({ calls: [raw('get_order', text)] }).actions).toMatchObject([{ ...called('get_order', args), raw: text }]);
  });

  test.each(['{"order_id":"O-5"', '{"order_id":"O-5"}{"order_id":"O-5"}', '[1]', '5', 'true', '"O-5"', '{"a":1} and', '"\\"{}\\""', '{"a":1,"a":2}'])(
    '%j is a format problem of the call',
    (text) => expect(read({ calls: [raw('get_order', text)] }).actions).toMatchObject([format('get_order')]),
  );

  test('odd JSON is mended for a read and said, never for a call with an effect', () => {
    const calls = ['get_order', 'refund', 'add_note'].map((name) => raw(name, "{'order_id': 'O-5',}"));
    expect(read({ calls }).actions).toMatchObject([
      { ...called('get_order', { order_id: 'O-5' }), repaired: 'single quotes, trailing comma' }, format('refund'), format('add_note'),
    ]);
  });

  test('arguments that the output limit cut are never run, not even when nothing of them came', () => {
    for (const text of ['{"order_id":"O', '', '{"order_id":"O-5"', "{'order_id': 'O-5',"]) {
      expect(read({ calls: [raw('get_order', '{"order_id":"1"}'), raw('list_queues', text)], finish: 'length' }).actions).toMatchObject([
        called('get_order', { order_id: '1' }), { ...format('list_queues'), text: expect.stringContaining('cut off') },
      ]);
    }
  });
});

describe('names', () => {
  test('a prefix falls only when the rest is an exact name', () => {
    const calls = ['functions.get_policy', 'functions.nope', 'functions.files.read', 'files.read', ' get_order ', 'Get_Order'].map((name) => raw(name));
    expect(read({ calls }).actions.map((action) => 'tool' in action && action.tool)).toEqual(['get_policy', 'functions.nope', 'files.read', 'files.read', 'get_order', 'Get_Order']);
  });

  test('unknown names stay calls for the checker, names of every object too', () => {
    const calls = [raw('cancel_subscription', '{"id":412}'), raw('__proto__'), raw('toString'), raw('constructor', 'no json'), raw('')];
    expect(read({ calls }).actions).toMatchObject([
      called('cancel_subscription', { id: 412 }), called('__proto__', {}), called('toString', {}), called('constructor', {}), called('', {}),
    ]);
  });

  test('the wrapper for parallel calls becomes the calls inside it, in order, each under the usual rules', () => {
    const uses = '{"tool_uses":[{"recipient_name":"functions.get_order","parameters":{"id":1}},{"recipient_name":"functions.nope","parameters":{"id":2}},{"recipient_name":"hand_over","parameters":{"reason":"x"}},{"recipient_name":"refund"}]}';
    const provider = { extra_content: { signature: 'sig==' } };
    expect(read({ calls: [raw('multi_tool_use.parallel', uses, provider), raw('functions.get_policy', '{"topic":"late"}')] }).actions).toMatchObject([
      { ...called('get_order', { id: 1 }), provider }, called('functions.nope', { id: 2 }), { kind: 'hand_over', reason: 'x' }, called('refund', {}), called('get_policy', { topic: 'late' }),
    ]);
  });

  test('a wrapper that is not whole is a call of a tool that does not exist', () => {
    for (const text of ['{"tool_uses":[{"parameters":{}}]}', '{"tool_uses":[]}', '{"tool_uses":[{"recipient_name":"get_order"', '{}']) {
      expect(read({ calls: [raw('multi_tool_use.parallel', text)] }).actions).toMatchObject([{ kind: 'call', tool: 'multi_tool_use.parallel' }]);
    }
  });
});

describe('several calls in one reply', () => {
  test('keep the order of the model, built-in actions among them', () => {
    const calls = [
      raw('add_note', '{"text":"seen"}'), raw('hand_over', '{"reason":"legal","queue":"law"}'), raw('refund', '{"order_id":"1"}'),
      raw('ask_person', '{"question":"Which?"}'), raw('update_todo', '{"items":[{"text":"a","done":true},"b"]}'), raw('recall', '{"id":3.10,"from":5}'),
      raw('final_answer', '{"total":25}'),
    ];
    expect(read({ calls, text: 'All at once.' })).toMatchObject({
      thought: 'All at once.',
      actions: [
        called('add_note', { text: 'seen' }), { kind: 'hand_over', reason: 'legal', queue: 'law' }, called('refund', { order_id: '1' }), { kind: 'ask_person', question: 'Which?' },
        { kind: 'update_todo', items: [{ text: 'a', done: true }, { text: 'b', done: false }] }, called('recall', { id: '3.10', from: 5 }), { kind: 'final_answer', text: '{"total":25}' },
      ],
      notes: [],
    });
  });

  test('two equal calls stay two: providers may give both one id, and none plays a part', () => {
    expect(read({ calls: [raw('get_order', '{"id":1}'), raw('get_order', '{"id":1}')] }).actions).toHaveLength(2);
  });

  test('a call that cannot be read does not take the others with it', () => {
    expect(read({ calls: [raw('get_order', '{"id":1}'), raw('get_policy', '{"topic":'), raw('get_order', '{"id":2}')] }).actions).toMatchObject([
      called('get_order', { id: 1 }), format('get_policy'), called('get_order', { id: 2 }),
    ]);
  });

  test('a flood of calls is one format problem', () => {
    expect(read({ calls: Array.from({ length: 2_000 }, () => raw('list_queues')) }).actions).toMatchObject([{ ...format(), text: expect.stringContaining('2000 calls') }]);
  });

  test('provider fields of a call stay with it', () => {
    const provider = { extra_content: { google: { thought_signature: 'sig==' } } };
    expect(read({ calls: [raw('get_order', '{"id":5}', provider), raw('ask_person', '{"question":"?"}', provider), raw('get_order', '{', provider)] }).actions).toMatchObject([{ provider }, { provider }, { provider }]);
  });
});

describe('text beside calls is the thought', () => {
  test.each([
    ['Look it up.', 'Look it up.'],
    ['Thought: Look it up.\nAction: get_order\nAction Input: {"id":5}', 'Look it up.'],
    ['<think>Final Answer: x</think>\nLook it up.', 'Look it up.'],
  ])('%j', (text, thought) => {
    expect(read({ text, calls: [raw('get_order', '{"id":5}')] })).toMatchObject({ thought, actions: [called('get_order', { id: 5 })], notes: [] });
  });

  test('an answer beside a call is no answer, and it is noted', () => {
    expect(read({ text: 'Final Answer: ₹25', calls: [raw('get_order', '{"id":5}')] })).toMatchObject({
      thought: '₹25', actions: [{ kind: 'call' }], notes: [{ kind: 'answer_with_calls' }],
    });
  });

  test('an observation that the model wrote beside a call is not read, and it is noted', () => {
    expect(read({ text: 'Look it up.\nObservation: order 5 is paid\nFinal Answer: paid', calls: [raw('get_order', '{"id":5}')] })).toEqual({
      thought: 'Look it up.', actions: [expect.objectContaining(called('get_order', { id: 5 }))],
      notes: [{ kind: 'invented_observation', text: expect.stringContaining('47 characters') }],
    });
    const left = 'Look it up.\nObservation: paid\n<tool_call>{"name":"get_order","arguments":{"id":5}}</tool_call>';
    expect(read({ text: left })).toMatchObject({ thought: 'Look it up.', actions: [called('get_order', { id: 5 })], notes: [{ kind: 'invented_observation' }] });
  });

  test('none, or nothing but reasoning, is noted', () => {
    for (const text of ['', '  ', '<think>so</think>', '<think>cut']) {
      expect(read({ text, calls: [raw('list_queues')] }).notes).toMatchObject([{ kind: 'no_thought' }]);
    }
  });
});

const LEFT_CALLS: readonly (readonly [string, string])[] = [
  ['<tool_call>', '<tool_call>\n{"name": "get_order", "arguments": {"id": 5}}\n</tool_call>'],
  ['<tool_call> without its end', '<tool_call>{"name":"get_order","arguments":{"id":5}}'],
  ['[TOOL_CALLS] list', '[TOOL_CALLS] [{"name":"get_order","arguments":{"id":5}}]'],
  ['[TOOL_CALLS] name', '[TOOL_CALLS]get_order[CALL_ID]abc123[ARGS]{"id":5}'],
  ['<function=…>', '<function=get_order>{"id":5}</function>'],
  ['<|python_tag|>', '<|python_tag|>{"name":"get_order","parameters":{"id":5}}<|eom_id|>'],
  ['<|tool_call|>', '<|tool_call|>[{"name":"get_order","arguments":{"id":5}}]<|/tool_call|>'],
  ['DeepSeek', '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_order\n```json\n{"id":5}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>'],
  ['DeepSeek 3.1', '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_order<｜tool▁sep｜>{"id":5}<｜tool▁call▁end｜><｜tool▁calls▁end｜>'],
  ['Kimi', '<|tool_calls_section_begin|><|tool_call_begin|>functions.get_order:0<|tool_call_argument_begin|>{"id":5}<|tool_call_end|><|tool_calls_section_end|>'],
  ['<functioncall>', '<functioncall> {"name":"get_order","arguments":"{\\"id\\":5}"} <|endoftext|>'],
  ['functools', 'functools[{"name":"get_order","arguments":{"id":5}}]'],
  ['harmony', '<|channel|>commentary to=functions.get_order <|constrain|>json<|message|>{"id":5}<|call|>'],
  ['<|START_ACTION|>', '<|START_ACTION|>[{"tool_call_id":"0","tool_name":"get_order","parameters":{"id":5}}]<|END_ACTION|>'],
  ['fence', '```json\n{"name":"get_order","arguments":{"id":5}}\n```'],
  ['bare', '{"type":"function","function":{"name":"get_order","arguments":"{\\"id\\":5}"}}'],
];

describe('calls that a server left in the content', () => {
  test.each(LEFT_CALLS)('%s', (_, text) => {
    expect(content(text).actions).toMatchObject([called('get_order', { id: 5 })]);
    expect(content(`Look it up.\n${text}`)).toMatchObject({ thought: 'Look it up.', actions: [called('get_order', { id: 5 })] });
    expect(content(`<think>\n<tool_call>{"name":"refund","arguments":{}}</tool_call>\n</think>\n${text}`).actions).toMatchObject([called('get_order', { id: 5 })]);
  });

  test('every row of the table has a sample here', () => {
    const opened = CALL_WRAPPERS.filter(({ open }) => LEFT_CALLS.some(([, text]) => { open.lastIndex = 0; return open.test(text); }));
    expect(opened.map(({ source }) => source)).toEqual(CALL_WRAPPERS.map(({ source }) => source));
  });

  test.each(LEFT_CALLS)('%s, cut anywhere, is never an answer and never other arguments', (_, text) => {
    for (let end = 1; end < text.length; end += 1) {
      for (const finish of ['stop', 'length'] as const) {
        for (const action of content(text.slice(0, end), finish).actions) {
          if (action.kind === 'call') expect(action).toMatchObject(called('get_order', { id: 5 }));
          // Before its first brace has come, a tag of a few letters is a text like any other.
          else if (action.kind === 'final_answer') expect(text.slice(0, end)).not.toContain('{');
        }
      }
    }
  });

  test('several, one after the other, in order', () => {
    const text = [1, 2, 3].map((id) => `<tool_call>\n{"name":"get_order","arguments":{"id":${id}}}\n</tool_call>`).join('\n');
    expect(content(text).actions).toMatchObject([1, 2, 3].map((id) => called('get_order', { id })));
  });

  test('an unknown name in a tag is a call for the checker', () => {
    expect(content('<tool_call>{"name":"nope","arguments":{}}</tool_call>').actions).toMatchObject([called('nope', {})]);
  });

  test('JSON mended around a call is good for a read only', () => {
    expect(content("<tool_call>{'name':'get_order','arguments':{'id':5}}</tool_call>").actions).toMatchObject([{ ...called('get_order', { id: 5 }), repaired: 'single quotes' }]);
    expect(content("<tool_call>{'name':'refund','arguments':{'order_id':'5'}}</tool_call>").actions).toMatchObject([format('refund')]);
  });

  test.each([
    '{"tool_call":{"action":"get_order","action_input":{"id":5}}}', '```json\n{"action":"get_order","action_input":{"id":5}}\n```', '{"name":"nope","arguments":{}}',
    '<tool_call>\n<function=get_order>\n<parameter=id>\n5\n</parameter>\n</function>\n</tool_call>', '<invoke name="get_order"><parameter name="id">5</parameter></invoke>',
    '<|tool_unknown|>get_order', '<tool_call>{"name":"get_order","arguments":{"id":5}</tool_call>', '<tool_call>{"name":"get_order"}</tool_call>',
    '<tool_call>{"name":"get_order","arguments":{"id":5}}</tool_call>\n<tool_call>{"name":"get_order","arguments":{"id":', 'Use\n```\n<tool_call>{"name":"refund","arguments":{}}</tool_call>\n```\nfor it.',
    'The body is\n```json\n{"name":"refund","arguments":{"order_id":"5"}}\n```\nas you see.',
  ])('what only looks like a call is a format problem, never an answer: %j', (text) => {
    expect(content(text).actions).toMatchObject([format()]);
  });
});

describe('the other form in the content', () => {
  test('a call under its label is read by the same grammar', () => {
    expect(content('Thought: look\nAction: get_order[5]\nObservation: paid\nFinal Answer: paid')).toMatchObject({
      thought: 'look', actions: [{ kind: 'bare_call', tool: 'get_order', input: '5' }], notes: [{ kind: 'invented_observation' }],
    });
    expect(content('Action: hand_over\nAction Input: {"reason":"x"}').actions).toMatchObject([{ kind: 'hand_over', reason: 'x' }]);
    expect(content('Thought: done\nFinal Answer: ₹25')).toMatchObject({ thought: 'done', actions: [{ kind: 'final_answer', text: '₹25' }] });
  });

  test.each(['Action: refund the customer ₹25', 'Next steps\nAction: get_order was asked twice.', 'The record says "Action: refund[5]".', 'Observation: all paid'])(
    'an answer that speaks of a label stays an answer: %j',
    (text) => expect(content(text).actions).toEqual([{ kind: 'final_answer', text }]),
  );
});

describe('replies without a call', () => {
  test('plain text is the answer, in JSON or Markdown too', () => {
    for (const text of ['The refund is ₹25.', '{"total":25,"currency":"INR"}', '[1,2]', '```json\n{"total":25}\n```', '[Order](https://x.test) is paid', '<b>₹25</b>']) {
      expect(content(text)).toEqual({ actions: [{ kind: 'final_answer', text }], notes: [] });
    }
  });

  test('tokens that end a turn are no part of it', () => {
    expect(content('The refund is ₹25.<|im_end|>\n</s>').actions).toEqual([{ kind: 'final_answer', text: 'The refund is ₹25.' }]);
  });

  test('nothing, or nothing but reasoning, is an empty reply', () => {
    for (const text of ['', '  \n', '<think>all of the text is here</think>', '<|im_end|>']) expect(content(text).actions).toMatchObject([{ kind: 'format', problem: 'empty' }]);
  });

  test('an answer or a thought that was cut is no answer', () => {
    expect(content('The refund is', 'length').actions).toMatchObject([{ ...format(), text: expect.stringContaining('cut off') }]);
    expect(content('', 'length').actions).toMatchObject([format()]);
    expect(content('<think>The refund').actions).toMatchObject([format()]);
  });

  test('a refusal and a filter say so, whatever else is there', () => {
    expect(read({ refusal: "I can't help with that." }).actions).toMatchObject([{ problem: 'refused', text: expect.stringContaining("I can't help with that.") }]);
    expect(read({ finish: 'filter', calls: [raw('refund')] }).actions).toMatchObject([{ problem: 'withheld' }]);
  });
});

test('a megabyte of one sign is read and nothing is thrown', () => {
  for (const unit of ['[', '{', '"', '\\', '```json\n', '\n', ' ', '[1,\n', '<tool_call>\n', '<|', '[TOOL_CALLS]', '<function=a>', '{"name":', '</s>', "['a\n", '\ud83d', '<think>']) {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
    expect(content(text).actions).toHaveLength(1);
    expect(read({ calls: [raw('get_order', text)] }).actions).toHaveLength(1);
  }
});
