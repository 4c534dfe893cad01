import { describe, expect, test } from 'vitest';
import { evidenceOf, hasAmount, hasId } from '../../core/evidence.ts';
import type { JsonObject } from '../../core/json.ts';
import { soughtInVain } from '../../core/look-ups.ts';
import { seenWords } from '../../core/seen-words.ts';
import type { Action, Item, ObservationStatus, PersonItem, ReplyItem } from '../../core/transcript.ts';
import { toolFacts } from '../support/pinned-agent.ts';
import { USED } from '../support/simulated-run.ts';

const TOOLS = [
  toolFacts({ name: 'get_order', ids: { order_id: 'order' } }), toolFacts({ name: 'search' }), toolFacts({ name: 'calculate' }),
  toolFacts({ name: 'find', confirmsArguments: true }), toolFacts({ name: 'refund', effect: 'once' }),
];

const TASK: Item = {
  type: 'task', goal: 'Order 88213 of Kim Lee', constraints: ['Pay at most ₹500.'], budget: { kind: 'tokens', tokens: 1 },
  agent: { name: 'desk', version: '1', hash: 'f', form: 'text', model: 'm' },
};

function reply(turn: number, ...actions: readonly Action[]): ReplyItem {
  return { type: 'reply', turn, thought: `I think of X-${turn}999.`, actions, notes: [], usage: USED };
}

function call(id: string, tool: string, args: JsonObject): Action {
  return { kind: 'call', id, tool, args, hash: id, needsApproval: false };
}

function observation(id: string, status: ObservationStatus, text: string, { tool = 'get_order', seen = [] }: { tool?: string; seen?: readonly string[] } = {}): Item {
  return { type: 'observation', call: id, tool, status, text, seen, hash: text, ms: 1 };
}

/** A call and what came of it, its seen words as the activity writes them. */
function step(id: string, args: JsonObject, status: ObservationStatus, text: string, tool = 'get_order'): readonly Item[] {
  const asked = new Set(seenWords(JSON.stringify(args)));
  const seen = seenWords(text).filter((word) => status === 'ok' || !asked.has(word));
  return [reply(Number(id.split('.')[0]), call(id, tool, args)), observation(id, status, text, { tool, seen })];
}

const tool = (name: string, args: JsonObject, text: string, id = '1.1') => step(id, args, 'ok', text, name);

function person(text: string, more: Partial<PersonItem> = {}): Item {
  return { type: 'person', verb: 'message', by: { name: 'Ann' }, id: 'd1', text, ...more } as Item;
}

const sees = (items: readonly Item[], id: string) => hasId(evidenceOf(items, TOOLS), id);

describe('evidence is', () => {
  test('the task and its constraints', () => {
    expect(sees([TASK], '88213')).toBe(true);
    expect(hasAmount(evidenceOf([TASK], TOOLS), '500.00')).toBe(true);
  });

  test('what a tool found, also the part that was cut before the model saw it', () => {
    const items = [reply(1, call('1.1', 'list', {})), observation('1.1', 'ok', 'INV-2041 and [cut]', { tool: 'list', seen: ['inv-2041', 'inv-2042'] })];
    expect(sees(items, 'INV-2041')).toBe(true);
    expect(sees(items, 'INV-2042')).toBe(true);
  });

  test('what a person says: a message, an answer, a new goal and its constraints', () => {
    expect(sees([person('It is 88214.')], '88214')).toBe(true);
    expect(sees([person('', { verb: 'redirect', goal: 'Look at 88215', constraints: ['not 88216'] })], '88215')).toBe(true);
    expect(sees([person('', { verb: 'redirect', goal: 'Look at 88215', constraints: ['not 88216'] })], '88216')).toBe(true);
    expect(sees([observation('1.1', 'ok', 'The number is 88217', { tool: 'ask_person' })], '88217')).toBe(true);
  });

  test('what a summary kept', () => {
    const summary: Item = { type: 'summary', before: 3, text: '', goal: 'Order 88213', constraints: [], todo: [], seen: ['inv-2041'] };
    expect(sees([summary], 'INV-2041')).toBe(true);
    expect(sees([summary], '88213')).toBe(true);
  });

  test('what the world adds to a call that found nothing or failed', () => {
    expect(sees(step('1.1', { order_id: '88231' }, 'empty', 'No order 88231. Did you mean 88213?'), '88213')).toBe(true);
    expect(sees(step('1.1', { order_id: '88231' }, 'error', 'Locked by case K-7.'), 'K-7')).toBe(true);
  });
});

describe('no evidence is', () => {
  test("what the model wrote: thoughts, arguments, questions, to-do items, an answer that was refused", () => {
    const items = [
      TASK,
      reply(1,
        call('1.1', 'get_order', { order_id: '77777' }),
        { kind: 'ask_person', id: '1.2', question: 'Is it 77778?' },
        { kind: 'update_todo', id: '1.3', items: [{ text: 'look at 77779', done: false }] },
        { kind: 'final_answer', id: '1.4', answer: 'Order 77780', problems: [] },
        { kind: 'invalid', id: '1.5', problem: 'unseen_id', raw: '77781', text: 'the id 77781', hash: 'x' }),
    ];
    for (const id of ['X-1999', '77777', '77778', '77779', '77780', '77781']) expect(sees(items, id)).toBe(false);
  });

  test.each<[ObservationStatus, string]>([
    ['error', 'There is no tool "77777".'], ['skipped', 'Not run: order 77777 was handed over.'], ['denied', 'Not allowed for 77777.'],
    ['empty', 'No order 77777 exists.'], ['unknown', 'The result for 77777 was lost.'],
  ])('what our own code answers (%s)', (status, text) => {
    expect(sees([reply(1, call('1.1', 'get_order', { order_id: '77777' })), observation('1.1', status, text)], '77777')).toBe(false);
  });

  test("the call's own words in the text of a failure, in whatever spelling", () => {
    const items = [TASK, ...step('1.1', { order_id: 'ord-77777' }, 'error', 'No ORD-77777: 77777 is unknown')];
    for (const id of ['77777', 'ord-77777', '#77777']) expect(sees(items, id)).toBe(false);
  });

  test('the same text brought back by recall', () => {
    const items = [
      ...step('1.1', { order_id: '77777' }, 'empty', 'No order 77777 exists.'),
      reply(2, call('2.1', 'recall', { id: '1.1' })), observation('2.1', 'ok', 'No order 77777 exists.', { tool: 'recall', seen: ['77777'] }),
    ];
    expect(sees(items, '77777')).toBe(false);
  });

  test('what a person sent and was refused', () => {
    expect(sees([person('Take 77777.', { refused: 'the run has ended' })], '77777')).toBe(false);
  });

  test('nudges, stops and marks', () => {
    const items: readonly Item[] = [{ type: 'nudge', turn: 1, guard: 'repeating', text: 'get 77777 gave the same' }, { type: 'elided', before: 1 }];
    expect(sees(items, '77777')).toBe(false);
  });
});

describe('a result that gives back what its call brought up is no evidence of it', () => {
  test.each<[string, JsonObject, string, string]>([
    ['search', { query: 'INV-9999' }, 'found: INV-9999', 'INV-9999'],
    ['search', { query: 'inv-9999 overdue' }, '{"query":"INV-9999 overdue","hits":[],"took_ms":12}', 'INV-9999'],
    ['search', { query: '9999' }, 'Nothing on INV-9999 in 14 files.', 'INV-9999'],
    ['search', { filter: { ids: ['C-1', 'C-7788'] } }, '{"C-7788":null}', 'C-7788'],
    ['search', { query: 'Zorblax' }, 'You searched for Zorblax.', 'Zorblax'],
    ['search', { query: 'kim.lee@example.com' }, 'searched: kim.lee@example.com', 'kim.lee@example.com'],
    ['get_order', { number: 'X-7788' }, '{"number":"X-7788","price":12}', 'X-7788'],
  ])('%s %j → %s', (name, args, text, id) => expect(sees([TASK, ...tool(name, args, text)], id)).toBe(false));

  test.each([
    [{ expression: '999' }, '999'], [{ expression: '999 * 1' }, '999 * 1 = 999'], [{ expression: '999-0' }, '999'], [{ a: 999, b: 0 }, '{"a":999,"b":0,"sum":999}'],
    [{ expression: '999.00 + 0' }, '999'], [{ amount: '₹999' }, '{"amount":"₹999","allowed":true}'],
  ] as const)('an amount neither: %j → %s', (args, text) => {
    expect(hasAmount(evidenceOf([TASK, ...tool('calculate', args, text)], TOOLS), '999')).toBe(false);
  });

  test('nor when it is asked again, asked elsewhere, or brought back by recall', () => {
    const echo = tool('search', { query: 'INV-9999' }, 'found: INV-9999');
    const recall = [reply(3, call('3.1', 'recall', { id: '1.1' })), observation('3.1', 'ok', 'found: INV-9999', { tool: 'recall', seen: ['inv-9999', '9999'] })];
    expect(sees([...echo, ...tool('search', { query: 'INV-9999' }, 'found: INV-9999', '2.1'), ...recall], 'INV-9999')).toBe(false);
  });
});

describe('what is more than an echo is evidence', () => {
  test('what a tool computed, not what it computed from', () => {
    const evidence = evidenceOf(tool('calculate', { expression: '333 * 3' }, '333 * 3 = 999'), TOOLS);
    expect(hasAmount(evidence, '999')).toBe(true);
    expect(hasAmount(evidence, '333')).toBe(false);
  });

  test('what a search found beside what it was asked for', () => {
    expect(sees(tool('search', { query: 'Acme' }, 'Acme Tools GmbH, V-17, invoice INV-2041'), 'INV-2041')).toBe(true);
    expect(sees(tool('search', { query: 'office chairs' }, 'Office Chairs Ltd'), 'Office Chairs Ltd')).toBe(true);
  });

  test('what was known before, in whatever spelling, and what another result says too', () => {
    expect(sees([TASK, ...tool('search', { query: 'ORD-88213' }, 'found: ORD-88213')], 'ORD-88213')).toBe(true);
    expect(sees([TASK, ...tool('search', { query: 'Kim' }, 'found: Kim')], 'Kim')).toBe(true);
    const echo = tool('search', { query: 'INV-9999' }, 'found: INV-9999');
    expect(sees([...echo, ...tool('search', { query: 'all' }, 'INV-9999', '2.1')], 'INV-9999')).toBe(true);
    expect(sees([...echo, person('Take INV-9999.')], 'INV-9999')).toBe(true);
  });

  test('what a write did: the answer must be able to say so', () => {
    const items = tool('refund', { amount: 45 }, '{"refund_id":"RF-1","amount":45}');
    expect(hasAmount(evidenceOf(items, TOOLS), '45')).toBe(true);
  });

  test('what a tool repeats that confirms its arguments by declaration', () => {
    expect(sees(tool('find', { query: 'INV-9999' }, '[{"invoice":"INV-9999"}]'), 'INV-9999')).toBe(true);
  });

  test('what a person answered in the place of the tool', () => {
    const [asked] = tool('search', { query: 'INV-9999' }, '');
    const answered: Item = { type: 'observation', call: '1.1', tool: 'search', status: 'ok', text: 'INV-9999 it is', seen: [], hash: 'h', ms: 1, by: { name: 'Ann', verified: false } };
    expect(sees(asked ? [asked, answered] : [], 'INV-9999')).toBe(true);
  });

  test('a number that is in the arguments only as how much is wanted', () => {
    const items = tool('search', { query: 'fees', limit: 25, page: '30' }, '{"fee":25,"late_fee":30}');
    for (const amount of ['25', '30']) expect(hasAmount(evidenceOf(items, TOOLS), amount)).toBe(true);
    expect(sees(tool('search', { from: 50 }, 'item-50'), 'item-50')).toBe(true);
    expect(sees(tool('search', { year: 2024 }, 'PO/2024/17'), 'PO/2024/17')).toBe(true);
  });
});

test('a recall of what a tool found is evidence as it was before', () => {
  const items = [
    ...step('1.1', {}, 'ok', 'Order 88213'),
    reply(2, call('2.1', 'recall', { id: '1.1', from: 1_500 })), observation('2.1', 'ok', 'and INV-2041', { tool: 'recall', seen: ['inv-2041'] }),
  ];
  expect(sees(items, 'INV-2041')).toBe(true);
});

describe('an id is the same id', () => {
  const items = step('1.1', {}, 'ok', 'order-88213 of customer C-17, code HATHAT, box ３１４１５, kim.lee@example.com, INV‑2041');
  test.each(['88213', 'ORDER-88213', ' order-88213 ', '#88213', 'c-17', 'hathat', '31415', 'Kim.Lee@Example.com', 'inv-2041', 'INV-2041'])('as %s', (id) => {
    expect(sees(items, id)).toBe(true);
  });
  test.each(['88214', '8821', '882133', 'C-1', 'C-177', 'order-8821', 'INV-204', 'lee@example.com.evil'])('but not as %s', (id) => {
    expect(sees(items, id)).toBe(false);
  });
});

describe('a name without digits', () => {
  const items = [TASK, ...step('1.1', {}, 'ok', 'It cannot be shipped to Jörg Müller.')];
  test.each(['kim', 'Kim Lee', 'KIM LEE', 'jörg müller', 'Müller'])('%s stands in a text as whole words', (name) => {
    expect(sees(items, name)).toBe(true);
  });
  test.each(['ann', 'Kim Li', 'ki', 'lee kim', 'Jörg M'])('%s does not', (name) => {
    expect(sees(items, name)).toBe(false);
  });
  test('an empty text names nothing that could be missing', () => {
    expect(sees([TASK], '')).toBe(true);
    expect(sees([TASK], '  ')).toBe(true);
  });
});

describe('amounts are seen by value', () => {
  const items = step('1.1', {}, 'ok', '{"fee":25,"price":"1.234,50 €","total":"₹1,00,000"}');
  test.each(['25', '25.00', '1234.5', '1,234.50', '100000', '1,00,000'])('%s', (amount) => {
    expect(hasAmount(evidenceOf(items, TOOLS), amount)).toBe(true);
  });
  test.each(['24', '2.5', '1234', '250', ''])('but not %s', (amount) => {
    expect(hasAmount(evidenceOf(items, TOOLS), amount)).toBe(false);
  });
});

describe('an id that was looked for in vain', () => {
  const tools = [toolFacts({ name: 'get_order', ids: { order_id: 'order' } })];
  const vain = (items: readonly Item[]) => [...soughtInVain(items, tools, evidenceOf(items, TOOLS))];
  const missed = step('1.1', { order_id: '88219' }, 'empty', 'No order 88219.');

  test('is remembered', () => {
    expect(vain([TASK, ...missed])).toEqual(['88219']);
    expect(vain([TASK, ...step('1.1', { order_id: '88219' }, 'error', 'down')])).toEqual(['88219']);
  });

  test('is forgotten once it was found, by the same call or in another result', () => {
    expect(vain([TASK, ...missed, ...step('2.1', { order_id: '88219' }, 'ok', 'open')])).toEqual([]);
    expect(vain([TASK, ...missed, ...step('2.1', { order_id: '1' }, 'ok', 'orders: 88219')])).toEqual([]);
  });

  test('stays one though the task and a person name it: they only asked for it', () => {
    expect(vain([TASK, person('What about 88219?'), ...missed])).toEqual(['88219']);
  });
});

test('the evidence of one more turn is made from the new items: those before are read once', () => {
  let reads = 0;
  const counted: Item = { ...TASK, get goal() { reads += 1; return 'Order 88213'; } };
  const items = [counted, ...step('1.1', {}, 'ok', 'INV-2041')];
  expect(hasId(evidenceOf(items, TOOLS), '88213')).toBe(true);
  const once = reads;
  expect(hasId(evidenceOf([...items, ...step('2.1', {}, 'ok', 'INV-2042')], TOOLS), 'INV-2042')).toBe(true);
  expect(reads).toBe(once);
});

test('odd items and texts are never a throw', () => {
  const long = 'a'.repeat(200_000);
  expect(() => {
    const evidence = evidenceOf([TASK, observation('9.9', 'empty', '\ud83c', { seen: ['\ud83c'] }), person(long)], TOOLS);
    for (const id of [long, '\ud83c', '\u0000', '__proto__', '.*', '['.repeat(1_000)]) hasId(evidence, id);
  }).not.toThrow();
});
