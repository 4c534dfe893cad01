import { beforeEach, describe, expect, test } from 'vitest';
import { orderDesk } from '../../examples/order-desk/agent.ts';
import { ORDERS } from '../../examples/order-desk/orders.ts';
import ownAgents from '../../examples/own-agent/agents.ts';
import { population } from '../../examples/population/agent.ts';
import { OFFLINE_MODEL, openAiChat, startOfflineModel } from '../../models/index.ts';
import type { Model } from '../../models/index.ts';
import { ask, failureOfCall, PROMPT } from './ask.ts';
import { deskRun } from './desk-run.ts';
import type { DeskRun, DeskTask } from './desk-run.ts';
import { closing } from './servers.ts';

let model: Model;
let baseURL: string;
beforeEach(async () => {
  ({ baseURL } = closing(await startOfflineModel()));
  model = openAiChat({ baseURL, apiKey: '' });
});

type Change = Partial<Omit<DeskTask, 'model' | 'task' | 'form'>>;
const FORMS = ['function-calling', 'text'] as const;

async function atTheDesk(task: string, change: Change = {}): Promise<readonly DeskRun[]> {
  return Promise.all(FORMS.map((form) => deskRun({ model, tools: orderDesk.tools, form, task, ...change })));
}

async function answers(task: string, change: Change = {}): Promise<readonly string[]> {
  const runs = await atTheDesk(task, change);
  for (const { problems } of runs) expect(problems).toEqual([]);
  return runs.map(({ answer, handOver }) => answer ?? `handed over: ${handOver}`);
}

describe('the offline model at the order desk, in both forms, every answer carried by its evidence', () => {
  test('the order, the policy and the minutes are looked up before it answers: ₹25 and nothing else', async () => {
    const task = 'Order 88213 cost ₹480 plus a ₹25 fee and arrived 62 minutes late. What should the customer be refunded in total?';
    const [functions, text] = await atTheDesk(task);
    for (const run of [functions, text]) {
      expect(run?.answer).toContain('₹25 in total');
      expect(run?.answer).toContain('62 minutes');
      expect(run?.turns.flat().map(({ tool }) => tool)).toEqual(['get_order', 'get_policy', 'calculate']);
    }
    expect(functions?.turns.map((turn) => turn.length)).toEqual([2, 1, 0]);
    expect(text?.turns.map((turn) => turn.length)).toEqual([1, 1, 1, 0]);
  });

  test.each(ORDERS.map((order) => [order.order_id, order] as const))('order %s is answered by its record and the policy', async (id, order) => {
    const late = order.delivered_at === undefined ? 0 : (Date.parse(`${order.delivered_at}Z`) - Date.parse(`${order.promised_at}Z`)) / 60_000;
    const due = order.status === 'delivered' && late > 30 ? order.delivery_fee : 0;
    for (const answer of await answers(`What is refunded for order ${id}?`)) {
      expect(answer).toContain(due > 0 ? `₹${due} in total` : due === 0 && late > 30 ? 'none was charged' : `₹0 is due for order ${id}`);
    }
  });

  test('an order that does not exist is said not to, and nothing is made up', async () => {
    for (const answer of await answers('What about order 88219?')) {
      expect(answer).toContain('No order 88219 was found');
      expect(answer).toContain('receipt');
      expect(answer).not.toContain('₹');
    }
  });

  test('without a number it asks a person, and goes on with what they say', async () => {
    for (const answer of await answers('What does the customer get back for the late order?', { persons: ['It is number 88221.'] })) {
      expect(answer).toContain('₹60 in total');
    }
  });

  test('a person who does not know the number is told that it is needed', async () => {
    for (const answer of await answers('Refund for the late order?')) expect(answer).toContain('number on the receipt');
  });

  test('several orders are answered each, and their sum is computed by the tool', async () => {
    for (const answer of await answers('What are orders 88213 and 88221 owed?')) {
      for (const part of ['₹25 in total', '₹60 in total', 'Together that is ₹85']) expect(answer).toContain(part);
    }
  });

  test('a question about an order that is none about money is answered from the record', async () => {
    for (const answer of await answers('How late was order 88215?')) expect(answer).toContain('18 minutes late');
    for (const answer of await answers('What did order 88214 cost?')) expect(answer).toContain('₹310');
  });

  test('a question about the policy is answered with the policy', async () => {
    for (const answer of await answers('What is the policy on cancelled orders?')) expect(answer).toContain('price and delivery fee went back');
  });

  test('asked to pay, it pays what the policy says, once, after the facts', async () => {
    const paid = { status: 'ok', text: 'Refunded ₹25 for order 88213.' } as const;
    const runs = await atTheDesk('Please refund order 88213.', { instead: ({ tool }) => (tool === 'issue_refund' ? paid : undefined) });
    for (const { turns, answer } of runs) {
      const payments = turns.flat().filter(({ tool }) => tool === 'issue_refund');
      expect(payments).toMatchObject([{ args: { order_id: '88213', amount: 25 } }]);
      expect(turns.flat().map(({ tool }) => tool).indexOf('issue_refund')).toBe(3);
      expect(answer).toContain('Refunded ₹25');
    }
  });

  test('asked to pay where nothing is due, it pays nothing', async () => {
    for (const { turns, answer } of await atTheDesk('Issue the refund for order 88216.')) {
      expect(turns.flat().map(({ tool }) => tool)).not.toContain('issue_refund');
      expect(answer).toContain('₹0');
    }
  });

  test('asked only what is owed, it pays nothing', async () => {
    for (const task of ['What should be refunded for order 88213?', 'Is a refund due for order 88213?', 'How much refund does order 88213 get?']) {
      for (const { turns } of await atTheDesk(task)) expect(turns.flat().map(({ tool }) => tool)).not.toContain('issue_refund');
    }
  });

  test('a payment that did not go through goes to a person, with what is due', async () => {
    const held = { status: 'skipped', text: 'Not run: it needs approval.' } as const;
    for (const { handOver } of await atTheDesk('Refund order 88213.', { instead: ({ tool }) => (tool === 'issue_refund' ? held : undefined) })) {
      expect(handOver).toContain('₹25');
      expect(handOver).toContain('not paid');
    }
  });

  test('a look-up that failed for now is tried once more, and then given to a person', async () => {
    const down = { status: 'error', text: 'get_order failed: connection refused. Try again later, use another tool, or hand over.' } as const;
    for (const { handOver, turns } of await atTheDesk('Refund for order 88213?', { instead: ({ tool }) => (tool === 'get_order' ? down : undefined) })) {
      expect(turns.flat().filter(({ tool }) => tool === 'get_order')).toHaveLength(2);
      expect(handOver).toContain('connection refused');
    }
  });

  test('a policy topic that is not there is looked up under one that the tool names', async () => {
    const other = { status: 'empty', text: 'There is no policy on that. The topics are: delays, late deliveries.' } as const;
    const text = { status: 'ok', text: 'The delivery fee of orders more than 45 minutes late is refunded, and nothing else.' } as const;
    const instead: Change['instead'] = ({ tool, nth }) => (tool === 'get_policy' ? (nth === 1 ? other : text) : undefined);
    for (const answer of await answers('Refund for order 88213?', { instead })) expect(answer).toContain('more than 45 minutes');
  });

  test('another policy gives another answer: it is read, not known', async () => {
    const cases = [
      ['The price of orders more than 60 minutes late is refunded.', '₹480 in total'],
      ['Price and delivery fee of an order that came more than 1 hour late are refunded.', '₹505 in total'],
      ['The delivery fee of orders more than 90 minutes late is refunded.', '₹0'],
      ['We like our customers.', 'no policy that I can read'],
    ] as const;
    for (const [policy, expected] of cases) {
      const instead: Change['instead'] = ({ tool }) => (tool === 'get_policy' ? { status: 'ok', text: policy } : undefined);
      for (const answer of await answers('Refund for order 88213?', { instead })) expect(answer).toContain(expected);
    }
  });

  test('a record that was cut is recalled until what is needed is there', async () => {
    const record = '{"order_id":"88213","note":"xxxxx","status":"delivered","promised_at":"18:00","delivered_at":"19:02","price":480,"delivery_fee":25}';
    const instead: Change['instead'] = ({ tool, args }) => {
      if (tool === 'get_order') return { status: 'ok', text: `${record.slice(0, 40)}\n[cut: 40 of ${record.length} characters; recall {"id":"1.1","from":40} brings the next part]` };
      return tool === 'recall' ? { status: args.id === '1.1' ? 'ok' : 'error', text: `${record.slice(Number(args.from))}\n[end of 1.1]` } : undefined;
    };
    for (const answer of await answers('Refund for order 88213?', { instead })) expect(answer).toContain('₹25 in total');
  });
});

describe('the offline model elsewhere', () => {
  test('a population is looked up and multiplied', async () => {
    for (const form of FORMS) {
      const { answer, turns } = await deskRun({ model, tools: population.tools, form, task: 'Double the population of France.' });
      expect(answer).toContain('136 million');
      expect(turns.flat()).toEqual([{ tool: 'lookup', args: { topic: 'France' } }, { tool: 'multiply', args: { a: 68_000_000, b: 2 } }]);
    }
  });

  test('a country that is not known is said not to be', async () => {
    for (const form of FORMS) {
      expect((await deskRun({ model, tools: population.tools, form, task: "Half of Atlantis's population?" })).answer).toContain('Nothing is known about "Atlantis"');
    }
  });

  test('a tool that reads one thing is called with what the task names, and no more is said than it returned', async () => {
    for (const form of FORMS) {
      const run = await deskRun({ model, tools: ownAgents[0]?.tools ?? [], form, task: 'When is the shop in Pune open?' });
      expect(run.turns.flat()).toEqual([{ tool: 'get_hours', args: { city: 'Pune' } }]);
      expect(run.answer).toContain('09:00 to 21:00');
      expect(run.answer).toContain('offline model');
    }
  });

  test('arithmetic goes to the calculator', async () => {
    for (const answer of await answers('What is 12 * (3 + 4)?')) expect(answer).toContain('84');
  });

  test('for anything else it says what it is, and how to set a real model', async () => {
    for (const answer of await answers('Write me a poem.')) {
      for (const part of ['offline model', 'rules, not an LLM', 'OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL']) expect(answer).toContain(part);
    }
  });

  test('whatever stands in a request, there is an answer', async () => {
    for (const messages of [undefined, [], [null], 'x', [{ role: 'user' }], [{ role: 'tool', content: 5 }], [{ role: 'assistant', tool_calls: [{}] }]]) {
      const response = await fetch(`${baseURL}/chat/completions`, { method: 'POST', body: JSON.stringify({ model: OFFLINE_MODEL, messages }) });
      expect(response.status).toBe(200);
      expect(JSON.stringify(await response.json())).toContain('offline model');
    }
  });
});

describe('the offline model as a server', () => {
  const inText = {
    messages: [
      { role: 'system', text: "Reply with\n\nThought: …\nAction: …\n\nTools\n\n- get_order: One order.\n  Arguments (JSON Schema): {\"properties\":{\"order_id\":{}},\"required\":[\"order_id\"]}" },
      { role: 'user', text: 'Task:\n| How late was order 88213?' },
    ],
    functions: [],
  } as const;

  test('in the text form it writes on, and is stopped where it is told to stop', async () => {
    const stopped = await model.complete(ask({ model: OFFLINE_MODEL, prompt: { ...inText, stop: ['\nObservation:'] } }));
    expect(stopped.text).toMatch(/Action: get_order\nAction Input: \{"order_id":"88213"\}$/);
    const free = await model.complete(ask({ model: OFFLINE_MODEL, prompt: { ...inText, stop: [] } }));
    expect(free.text.startsWith(`${stopped.text}\nObservation:`)).toBe(true);
  });

  test('it counts tokens, and those of the prefix that it has seen before', async () => {
    const first = await model.complete(ask({ model: OFFLINE_MODEL, prompt: { ...inText, stop: [] } }));
    expect(first.usage?.inputTokens).toBeGreaterThan(20);
    expect(first.usage?.outputTokens).toBe(Math.ceil(Buffer.byteLength(first.text) / 4));
    expect(first.usage?.cachedTokens).toBe(0);
    const more = { ...inText, messages: [...inText.messages, { role: 'user', text: 'Note: go on' }], stop: [] } as const;
    const second = await model.complete(ask({ model: OFFLINE_MODEL, prompt: more }));
    expect(second.usage?.cachedTokens).toBeGreaterThan(20);
    expect(second.usage?.cachedTokens).toBeLessThan(second.usage?.inputTokens ?? 0);
  });

  test('it keeps to the cap on output tokens and says that it was cut', async () => {
    const reply = await model.complete(ask({ model: OFFLINE_MODEL, maxOutputTokens: 3 }));
    expect(reply.finish).toBe('length');
    expect(Buffer.byteLength(reply.text)).toBeLessThanOrEqual(12);
  });

  test('it lists its one model and knows no other', async () => {
    expect(await (await fetch(`${baseURL}/models`)).json()).toMatchObject({ data: [{ id: OFFLINE_MODEL }] });
    expect((await failureOfCall(model, ask({ model: 'gpt-4o' }))).type).toBe('Model.NotFound');
  });

  test('a final answer with a schema is given in its shape', async () => {
    const schema = { type: 'object', properties: { text: { type: 'string' }, amount: { type: 'number' } }, required: ['text', 'amount'] } as const;
    const functions = [{ name: 'final_answer', description: 'Answer.', schema }];
    const { calls } = await model.complete(ask({ model: OFFLINE_MODEL, prompt: { ...PROMPT, functions } }));
    expect(calls.map(({ name }) => name)).toEqual(['final_answer']);
    expect(JSON.parse(calls[0]?.argumentsText ?? '')).toMatchObject({ amount: 0 });
  });
});
