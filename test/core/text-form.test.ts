import { describe, expect, test } from 'vitest';
import type { ReadAction, ReadReply } from '../../core/reply.ts';
import { readTextReply } from '../../core/text-form.ts';
import { modelReply, TOOLS } from './reply-samples.ts';

function read(text: string, finish: 'stop' | 'length' | 'filter' = 'stop'): ReadReply {
  return readTextReply(modelReply({ text, finish }), TOOLS);
}

function action(text: string, finish: 'stop' | 'length' = 'stop'): ReadAction | undefined {
  const { actions } = read(text, finish);
  expect(actions).toHaveLength(1);
  return actions[0];
}

const bare = (tool: string, input: string) => ({ kind: 'bare_call', tool, input });
const called = (tool: string, args: object) => ({ kind: 'call', tool, args });

describe('labels at the start of a line, in every style', () => {
  test.each([
    'Action: get_order[O-5]', 'action: get_order[O-5]', 'ACTION: get_order[O-5]', 'Action 3: get_order[O-5]', 'Action #3: get_order[O-5]',
    '   Action: get_order[O-5]', '\t**Action:** get_order[O-5]', '**Action**: get_order[O-5]', '__Action 2:__ get_order[O-5]',
    '### Action\nget_order[O-5]', '### Action 4:\n\nget_order[O-5]', '**Action**\nget_order[O-5]', '**Action: get_order[O-5]**',
    'Action: `get_order[O-5]`', 'Action： get_order[O-5]', 'Action:\n```\nget_order[O-5]\n```', '```\nThought: x\nAction: get_order[O-5]\n```',
    'Thought: x\r\nAction: get_order[O-5]\r\n', '\ufeffAction: get_order[O-5]', 'Action: get_order [O-5]', 'Action: get_order(O-5)',
    "Action: get_order['O-5']", 'Action: get_order["O-5"]', 'Action: get_order\nAction Input: O-5', 'Action 1: get_order\nAction Input 1: O-5',
    'Action: get_order\nAction 1 Input: "O-5"', 'Action: functions.get_order[O-5]', 'Action: get_order.\nAction Input: O-5',
    'Action: get_order\nI need the status.\nAction Input: O-5', 'Action: get_order[O-5] and then I wait.', 'Action: get_order[]\nAction Input: O-5',
    'Action: get_order[O-5]\nAction Input: O-5',
  ])('%j', (text) => expect(action(text)).toMatchObject(bare('get_order', 'O-5')));
});

describe('arguments in JSON, whichever way they stand', () => {
  test.each([
    'Action: get_order\nAction Input: {"order_id":"O-5"}', 'Action: get_order({"order_id":"O-5"})', 'Action: get_order ({"order_id":"O-5"})',
    'Action: get_order[{"order_id":"O-5"}]', 'Action: get_order{"order_id":"O-5"}', 'Action: get_order {"order_id":"O-5"}',
    'Action: get_order\n{"order_id":"O-5"}', 'Action: get_order\nAction Input:\n```json\n{"order_id":"O-5"}\n```\nI will wait.',
    'Action: get_order\nAction Input: ```{"order_id":"O-5"}```', 'Action: get_order\nAction Input: "{\\"order_id\\":\\"O-5\\"}"',
    'Action: get_order\nAction Input: {\n  "order_id":\n    "O-5"\n}\n\nThen I answer.', 'Action: get_order\nAction Input: {"order_id":"O-5"} as asked',
    'Action: get_order[O-5]\nAction Input: {"order_id":"O-5"}', '### Action\nget_order\n### Action Input\n{"order_id":"O-5"}',
  ])('%j', (text) => expect(action(text)).toMatchObject(called('get_order', { order_id: 'O-5' })));
});

describe('only the first action counts', () => {
  test('an invented observation ends the reply: the answer behind it is no answer', () => {
    const reply = read('Thought: I should read the invoice first.\nAction: get_invoice[INV-2041]\nObservation: INV-2041 is paid in full.\nThought: It is paid.\nFinal Answer: Invoice INV-2041 is already paid.');
    expect(reply).toMatchObject({ thought: 'I should read the invoice first.', actions: [bare('get_invoice', 'INV-2041')], notes: [{ kind: 'invented_observation' }] });
  });

  test('a whole invented trajectory in numbered labels runs its first action only', () => {
    const reply = read('Thought 1: find it\nAction 1: list_orders[customer=C9]\nObservation 1: O-1, O-2\nThought 2: open O-1\nAction 2: get_order[O-1]\nObservation 2: delivered\nThought 3: done\nAction 3: finish[O-1 delivered]');
    expect(reply).toMatchObject({ thought: 'find it', actions: [bare('list_orders', 'customer=C9')] });
  });

  test.each(['Observation:', '**Observation:**', 'OBSERVATION 12:', '### Observation', '  observation :', 'Observations:'])(
    'the cut knows the label %s',
    (label) => expect(read(`Action: fetch_page\nAction Input: https://erp.test/orders/5\n${label}\n[waiting for input]`)).toMatchObject({
      actions: [bare('fetch_page', 'https://erp.test/orders/5')], notes: [{ kind: 'invented_observation' }, { kind: 'no_thought' }],
    }),
  );

  test('an answer behind an action that has not run is not read', () => {
    expect(action('Action: get_order[O-5]\nFinal Answer: delivered')).toMatchObject(bare('get_order', 'O-5'));
  });

  test('a second action is not read', () => {
    expect(action('Action: get_order[O-5], get_policy[late]\nAction: cancel_order[O-5]')).toMatchObject(bare('get_order', 'O-5'));
  });

  test('nothing is read behind an observation that comes first', () => {
    expect(read('Observation: paid\nFinal Answer: paid')).toMatchObject({ actions: [{ kind: 'format', problem: 'format' }], notes: [{ kind: 'invented_observation' }] });
  });
});

describe('the text before the action is the thought', () => {
  test('without its label too', () => {
    const reply = read('Let me hand this to a person.\n\nAction: hand_over\nAction Input: {"queue":"finance","reason":"amount above limit"}');
    expect(reply).toEqual({ thought: 'Let me hand this to a person.', actions: [{ kind: 'hand_over', reason: 'amount above limit', queue: 'finance' }], notes: [] });
  });

  test('labels in the middle of a line are a part of it', () => {
    const thought = 'I could write Action: delete_vendor[V-9] but policy forbids it, e.g. {"action":"delete_vendor","action_input":"V-9"} would be wrong.';
    expect(read(`Thought: ${thought}\nAction: get_policy[vendor deletion]`)).toMatchObject({ thought, actions: [bare('get_policy', 'vendor deletion')] });
    expect(action('Thought: I am not ready to give a Final Answer: the ledger total is still missing.\nAction: sum_ledger[2024-03]')).toMatchObject(bare('sum_ledger', '2024-03'));
  });

  test('none at all is noted', () => {
    expect(read('Action: list_queues').notes).toEqual([{ kind: 'no_thought', text: 'No thought given.' }]);
  });
});

describe('reasoning blocks are set aside before anything is read', () => {
  test.each([
    '<think>Maybe Action: cancel_order[O-5]\nno, first check.\nFinal Answer: cancelled</think>\nThought: check first.\nAction: get_order[O-5]',
    '<thinking>\nAction: cancel_order[O-5]\n</thinking>Thought: check first.\nAction: get_order[O-5]',
    '<Reasoning>\nObservation: x\n</Reasoning>\nThought: check first.\nAction: get_order[O-5]',
    'Maybe\nAction: cancel_order[O-5]\nno.\n</think>\n\nThought: check first.\nAction: get_order[O-5]',
    'Final Answer: cancelled</think>Thought: check first.\nAction: get_order[O-5]',
    '[THINK]Action: cancel_order[O-5][/THINK]\nThought: check first.\nAction: get_order[O-5]',
    'Well <think>so\nAction: cancel_order[O-5]\n</think>\nThought: check first.\nAction: get_order[O-5]\n<think>later</think>\nAction: cancel_order[O-5]',
  ])('%j', (text) => {
    const reply = read(text);
    expect(reply.actions).toMatchObject([bare('get_order', 'O-5')]);
    expect(reply.thought).toMatch(/check first\.$/);
  });

  test('a block that is never closed is a turn that was cut, whatever the server says', () => {
    for (const text of ['<think>The next Observation should tell me the status', '<think>\nAction: cancel_order[O-5]\nFinal Answer: x', 'Hm <think>\nAction: cancel_order[O-5]']) {
      expect(action(text)).toMatchObject({ kind: 'format', problem: 'format', text: expect.stringContaining('shorter') });
    }
  });

  test('nothing but reasoning is an empty reply', () => {
    expect(action('<think>all of the text is here</think>\n')).toMatchObject({ kind: 'format', problem: 'empty' });
  });

  test('an argument may speak of the tag', () => {
    expect(action('Action: add_note\nAction Input: {"text":"drop <think> and </think> tags"}')).toMatchObject(called('add_note', { text: 'drop <think> and </think> tags' }));
    expect(action('Thought: they use "<think>" there\nAction: get_order[O-5]')).toMatchObject(bare('get_order', 'O-5'));
  });
});

describe('a value is read whole or not at all', () => {
  test('nested objects keep their tail, strings their braces', () => {
    expect(action('Thought: book it.\nAction: post_journal\nAction Input: {"entry":{"debit":{"acct":"6000","amt":10.5},"credit":{"acct":"1000","amt":10.5}},"memo":"a } in text"}'))
      .toMatchObject(called('post_journal', { entry: { debit: { acct: '6000', amt: 10.5 }, credit: { acct: '1000', amt: 10.5 } }, memo: 'a } in text' }));
  });

  test('an object over many lines is read to its end, prose behind it is ignored', () => {
    expect(action('Thought: create it.\nAction: create_ticket\nAction Input: {\n  "title": "Duplicate payment",\n  "lines": [\n    {"inv": "A1"},\n    {"inv": "A2"}\n  ]\n}\nI will wait for the result.'))
      .toMatchObject(called('create_ticket', { title: 'Duplicate payment', lines: [{ inv: 'A1' }, { inv: 'A2' }] }));
  });

  test('only the fence around the whole input is taken off', () => {
    expect(action('Action: add_note\nAction Input:\n```json\n{"text": "Run:\\n```bash\\nls -l\\n```\\nthen reply"}\n```'))
      .toMatchObject(called('add_note', { text: 'Run:\n```bash\nls -l\n```\nthen reply' }));
  });

  test('a Python dict is read with all its keys for a read, and refused for a write', () => {
    const python = `{'names': ['Acme', "O'Neil Ltd"], 'active': True, 'tax_id': None}`;
    expect(action(`Action: search_vendor\nAction Input: ${python}`)).toMatchObject({
      ...called('search_vendor', { names: ['Acme', "O'Neil Ltd"], active: true, tax_id: null }), repaired: 'single quotes, Python literal',
    });
    expect(action(`Action: delete_vendor\nAction Input: ${python}`)).toMatchObject({ kind: 'format', tool: 'delete_vendor', text: expect.stringContaining('line 1, column 2') });
  });

  test.each([
    ['status = "open" and owner = "kim"', 'status = "open" and owner = "kim"'],
    ['"open" and "kim"', '"open" and "kim"'],
    ['"status"', 'status'],
    ["'status'", 'status'],
    ['`status`', 'status'],
    ["it's 'x'", "it's 'x'"],
    ['[urgent] fix', '[urgent] fix'],
    ['```sql\nselect 1\nfrom t\n```', 'select 1\nfrom t'],
  ])('free text reaches the tool byte for byte, but for one pair around all of it: %j', (input, expected) => {
    expect(action(`Action: run_query\nAction Input: ${input}`)).toMatchObject(bare('run_query', expected));
  });

  test.each([
    ['calculate[(2 + [3]) * 4]', '(2 + [3]) * 4'],
    ['calculate[find "a]b" here]', 'find "a]b" here'],
    ['calculate[5" pipe] thanks', '5" pipe'],
    ['calculate[[1, [2]]]', '[1, [2]]'],
    ['calculate[line one\nline two]', 'line one\nline two'],
    ['calculate(2 * (3 + 4))', '2 * (3 + 4)'],
  ])('brackets inside the input: %s', (call, input) => {
    expect(action(`Action: ${call}`)).toMatchObject(bare('calculate', input));
  });

  test.each([
    'post_journal\nAction Input: {"entry": {"a": 1}', 'post_journal[{"entry": 1]', 'post_journal({"entry": 1', 'get_order[O-5', 'get_order(O-5\nThought: x)',
    'get_order\nAction Input: {"order_id":"5"}, {"order_id":"6"}', 'get_order(order_id="O-5")', 'calculate(2, 3)', 'get_order[O-5]\nAction Input: O-6',
    'run_query\nAction Input: select 1\nfrom t', 'add_note\nAction Input: ```\ntext', 'list_queues\nAction_input: {"a":1}', 'list_queues\nqueue = 5',
    'get_order\nAction Input: {"order_id":"1","order_id":"2"}',
  ])('a format problem of the tool, and nothing runs: %j', (text) => {
    expect(action(`Action: ${text}`)).toMatchObject({ kind: 'format', problem: 'format', tool: expect.any(String) });
  });

  test('a number beyond 2^53 keeps its digits', () => {
    expect(action('Action: get_order\nAction Input: {"order_id": 8812345678901234567}')).toMatchObject(called('get_order', { order_id: '8812345678901234567' }));
  });
});

describe('a reply that the output limit cut is not run', () => {
  test.each([
    'Action: get_order\nAction Input: {"order_id":"O', 'Action: get_order[O', 'Action: get_order\nAction Input: O-5', 'Action: list_queues', 'Action: get_or',
    'Thought: so', 'Final Answer: The total is', 'Action: get_order\nAction Input:', 'Action: get_order\nAction Input: "O-5"', 'Action:',
  ])('%j', (text) => expect(action(text, 'length')).toMatchObject({ kind: 'format', text: expect.stringContaining('cut off') }));

  test.each(['Action: get_order[O-5]\nI will', 'Action: get_order\nAction Input: {"order_id":"O-5"}\nNow', 'Action: get_order\nAction Input: O-5\nObservation: de'])(
    'an action that is visibly complete is: %j',
    (text) => expect(action(text, 'length')?.kind).toMatch(/call/),
  );
});

describe('answers', () => {
  test.each([
    ['Thought: done\nFinal Answer: Order 5 is open.', 'Order 5 is open.'],
    ['**Final Answer:** ₹25\nfor the fee', '₹25\nfor the fee'],
    ['**Final Answer: ₹25**', '₹25'],
    ['### Final Answer\n₹25', '₹25'],
    ['Final Answer: Write "Action: get_order[5]" in the box.', 'Write "Action: get_order[5]" in the box.'],
    ['Final Answer: The form has\nAction: refund the fee\nas its title.', 'The form has\nAction: refund the fee\nas its title.'],
    ['Final Answer: The log\n```\nAction: x[1]\nObservation: none\n```\nis empty.', 'The log\n```\nAction: x[1]\nObservation: none\n```\nis empty.'],
    ['Final Answer: ₹25\n\nThought: next\nAction: refund[1]', '₹25'],
    ['Thought 3: done\nAction 3: Finish[O-1 delivered]', 'O-1 delivered'],
    ['Action: finish\nAction Input: O-1\ndelivered', 'O-1\ndelivered'],
    ['Action: final_answer["₹25"]', '₹25'],
  ])('%j', (text, answer) => expect(action(text)).toEqual({ kind: 'final_answer', text: answer }));

  test('a tool named finish is a tool', () => {
    const tools = TOOLS.map((tool) => (tool.name === 'calculate' ? { ...tool, name: 'finish' } : tool));
    expect(readTextReply(modelReply({ text: 'Action: finish[x]' }), tools).actions).toMatchObject([bare('finish', 'x')]);
  });

  test.each(['The refund is ₹25.', 'Thought: hmm\nAction get_order 5', 'Action: None', 'Action: none needed', 'Action: N/A', 'Action: look up the order', 'Action:', 'Action Input: {}',
    'Thought: search.\n{"tool_call": {"action": "search_docs", "action_input": {"q": "credit note"}}}', 'Action: {"action":"get_order","action_input":"5"}', '- Action: get_order[5]', 'Final Answer:'])(
    'what has no label, or no action behind it, is no answer: %j',
    (text) => expect(action(text)).toMatchObject({ kind: 'format', problem: 'format', raw: text.trim(), text: expect.stringContaining('Final Answer:') }),
  );

  test('a format problem is told, the next reply runs, the one after it answers', () => {
    const kinds = ['Thought: hmm\nAction get_order 5', 'Thought: ok\nAction: get_order[5]', 'Thought: done\nFinal Answer: Order 5 is open.'].map((text) => action(text)?.kind);
    expect(kinds).toEqual(['format', 'bare_call', 'final_answer']);
  });
});

describe('the loop\'s own actions', () => {
  test.each([
    ['ask_person[Which order?]', { kind: 'ask_person', question: 'Which order?' }],
    ['ask_person\nAction Input: {"question":"Which order?"}', { kind: 'ask_person', question: 'Which order?' }],
    ['Ask_Person\nAction Input: Which order?\nThere are two.', { kind: 'ask_person', question: 'Which order?\nThere are two.' }],
    ['hand_over[amount above limit]', { kind: 'hand_over', reason: 'amount above limit' }],
    ['hand_over[{"queue":"finance","reason":"limit"}]', { kind: 'hand_over', reason: 'limit', queue: 'finance' }],
    ['hand_over', { kind: 'hand_over', reason: 'No reason given.' }],
    ['update_todo\nAction Input: {"items":[{"text":"a","done":true},{"text":"b"}]}', { kind: 'update_todo', items: [{ text: 'a', done: true }, { text: 'b', done: false }] }],
    ['update_todo\nAction Input:\n- [x] a\n- [ ] b\n3. c', { kind: 'update_todo', items: [{ text: 'a', done: true }, { text: 'b', done: false }, { text: 'c', done: false }] }],
    ['recall[3.1]', { kind: 'call', tool: 'recall', args: { id: '3.1' }, raw: '3.1' }],
    ['recall[[3.10 ok], 1500]', { kind: 'call', tool: 'recall', args: { id: '3.10' }, raw: '[3.10 ok], 1500' }],
    ['recall[3.10, 1500]', { kind: 'call', tool: 'recall', args: { id: '3.10', from: 1500 }, raw: '3.10, 1500' }],
    ['recall{"id":3.10}', { kind: 'call', tool: 'recall', args: { id: '3.10' }, raw: '{"id":3.10}' }],
  ])('%j', (text, expected) => expect(action(`Action: ${text}`)).toEqual(expected));

  test.each(['ask_person[]', 'update_todo[]', 'update_todo{"items":[{"done":true}]}', 'update_todo{"items":"a"}', 'finish[]', "ask_person{'question':'x'}"])(
    '%s is told what is missing',
    (text) => expect(action(`Action: ${text}`)).toMatchObject({ kind: 'format', tool: expect.any(String) }),
  );
});

test('a tool that does not exist stays a call, for the checker to name the real ones', () => {
  for (const [text, tool] of [['cancel_subscription[412]', 'cancel_subscription'], ['__proto__', '__proto__'], ['toString{"a":1}', 'toString']]) {
    expect(action(`Action: ${text}`)).toMatchObject({ kind: expect.stringMatching(/call/), tool });
  }
});

test('a tool without parameters takes no input, nothing, and none', () => {
  for (const text of ['list_queues', 'list_queues[]', 'list_queues()', 'list_queues{}', 'list_queues\nAction Input: {}', 'list_queues\nAction Input: None', 'list_queues[ ]', 'list_queues\nAction Input:', 'list_queues\nI wait.']) {
    expect(action(`Action: ${text}`)).toMatchObject(called('list_queues', {}));
  }
});

test('refused, withheld and empty replies say so', () => {
  expect(readTextReply(modelReply({ refusal: "I can't help with that." }), TOOLS).actions).toMatchObject([{ kind: 'format', problem: 'refused', text: "The model refused: I can't help with that." }]);
  expect(read('Action: refund[1]', 'filter').actions).toMatchObject([{ kind: 'format', problem: 'withheld' }]);
  expect(read('  \n').actions).toMatchObject([{ kind: 'format', problem: 'empty', raw: '' }]);
});

test('a megabyte of one sign is read and nothing is thrown', () => {
  const tail = '\nAction: get_order[';
  for (const unit of ['[', '{', '"', '\\', '```', '\n', ' ', '*', 'Action:\n', 'Action: x[', '<think>', '</think>\n', '#', 'Observation', '\ud83d', "'", '{"a":', 'thought ']) {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
    for (const each of [text, tail + text, `Action: get_order\nAction Input: ${text}`]) expect(read(each).actions).toHaveLength(1);
  }
});
