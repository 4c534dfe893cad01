import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { answerProblems } from '../../core/answer-check.ts';
import { evidenceOf } from '../../core/evidence.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Item } from '../../core/transcript.ts';
import { toolFacts } from '../support/pinned-agent.ts';
import { USED } from '../support/simulated-run.ts';
import { CASES, STORIES, TOOLS, UNSEEN_CASES } from './answer-cases.ts';
import type { AnswerCase } from './answer-cases.ts';
import { OFFICE_ITEMS, OFFICE_TOOLS, UNSEEN } from './unseen-answers.ts';

type Labelled = Pick<AnswerCase, 'answer' | 'wrong' | 'isMissed'> & { readonly kinds: readonly string[] };

const kindsOf = (answer: string | JsonObject, items: readonly Item[], tools = TOOLS) =>
  answerProblems(answer, { evidence: evidenceOf(items, tools), tools, items }).map(({ kind }) => kind);

const ALL: readonly Labelled[] = [
  ...[...CASES, ...UNSEEN_CASES].map((one) => ({ ...one, kinds: kindsOf(one.answer, STORIES[one.story]) })),
  ...UNSEEN.map(({ answer, wrong, isMissed }) => ({ answer, ...(wrong ? { wrong: [wrong] } : {}), ...(isMissed ? { isMissed } : {}), kinds: kindsOf(answer, OFFICE_ITEMS, OFFICE_TOOLS) })),
];
const SOUND = ALL.filter(({ wrong }) => !wrong);
const WRONG = ALL.filter(({ wrong }) => wrong);

const titled = (cases: readonly Labelled[]) => cases.map((one) => [typeof one.answer === 'string' ? one.answer : JSON.stringify(one.answer), one] as const);

describe('a sound answer passes', () => {
  test.each(titled(SOUND))('%s', (_, { kinds }) => {
    expect(kinds).toEqual([]);
  });
});

describe('what is made up in an answer is named', () => {
  test.each(titled(WRONG.filter(({ isMissed }) => !isMissed)))('%s', (_, { kinds, wrong }) => {
    expect(kinds).toEqual(expect.arrayContaining([...(wrong ?? [])]));
  });
});

test('the rates in docs/guards.md are those of these answers', async () => {
  const falseAlarms = SOUND.filter(({ kinds }) => kinds.length > 0).length;
  const misses = WRONG.filter(({ kinds, wrong }) => !wrong?.every((kind) => kinds.includes(kind))).length;
  const docs = await readFile(new URL('../../docs/guards.md', import.meta.url), 'utf8');
  const stated = /\d+ of \d+ sound answers were stopped, \d+ of \d+ wrong ones passed/.exec(docs.replace(/\s+/g, ' '))?.[0];
  expect(stated).toBe(`${falseAlarms} of ${SOUND.length} sound answers were stopped, ${misses} of ${WRONG.length} wrong ones passed`);
});

describe('what is missed says nothing else, so that the rate stays honest', () => {
  test.each(titled(WRONG.filter(({ isMissed }) => isMissed)))('%s', (_, { kinds }) => {
    expect(kinds).toEqual([]);
  });
});

describe('evidence of an answer', () => {
  const items = STORIES.read;
  const check = (answer: string | JsonObject, instructions?: string) =>
    answerProblems(answer, { evidence: evidenceOf(items, TOOLS), tools: TOOLS, items, ...(instructions === undefined ? {} : { instructions }) });

  test('an answer may repeat what its author wrote into the instructions', () => {
    expect(check('Write to help@desk.example.')).toHaveLength(1);
    expect(check('Write to help@desk.example.', 'Customers write to help@desk.example.')).toEqual([]);
  });

  test.each(['You get twenty-five thousand rupees.', 'Die Erstattung wurde veranlasst.', 'Reembolso emitido.'])(
    'amounts in words, and effects claimed in another language than English, are not read: %s', (answer) => expect(check(answer)).toEqual([]),
  );

  test('ids and amounts are read in any language', () => {
    expect(check('Bestellung Nr. 77777 kostet 99,50 €.').map(({ kind }) => kind)).toEqual(['id', 'amount']);
    expect(check('आदेश 88213 का शुल्क ₹२५ है।')).toEqual([]);
    expect(check('आदेश 88213 का शुल्क ₹९९९ है।').map(({ kind }) => kind)).toEqual(['amount']);
  });

  test('an effect may be claimed after a summary took the place of its call', () => {
    const summary: Item = { type: 'summary', before: 3, text: '', goal: 'Pay it.', constraints: [], todo: [], seen: [], done: ['issue_refund'] };
    expect(answerProblems('The refund has been issued.', { evidence: evidenceOf([summary], TOOLS), tools: TOOLS, items: [summary] })).toEqual([]);
    const other: Item = { ...summary, done: ['send_email'] };
    expect(answerProblems('The refund has been issued.', { evidence: evidenceOf([other], TOOLS), tools: TOOLS, items: [other] })).toHaveLength(1);
  });

  test('a person may report what was done by hand, the task only asks for it', () => {
    const told: Item = { type: 'person', verb: 'message', by: { name: 'Ann', verified: true }, id: 'd1', text: 'The refund was issued by hand.' };
    const asked: Item = { type: 'task', goal: 'Confirm that the refund was issued.', constraints: [], budget: { kind: 'tokens', tokens: 1 }, agent: { name: 'd', version: '1', hash: 'f', form: 'text', model: 'm' } };
    const toldBy = (one: Item) => answerProblems('The refund was issued.', { evidence: evidenceOf([one], TOOLS), tools: TOOLS, items: [one] });
    expect(toldBy(told)).toEqual([]);
    expect(toldBy(asked)).toHaveLength(1);
    expect(answerProblems('I have issued the refund.', { evidence: evidenceOf([told], TOOLS), tools: TOOLS, items: [told] })).toHaveLength(1);
  });

  test('a problem is named once, however often the answer repeats it, and a long list is cut', () => {
    expect(check('₹505, again ₹505, and ₹505.')).toEqual([{ kind: 'amount', value: '₹505' }]);
    expect(check(Array.from({ length: 50 }, (_, n) => `INV-90${n}`).join(' ')).length).toBeLessThanOrEqual(12);
  });
});

test('a quarter of a megabyte of hostile answer is checked, and nothing is thrown', () => {
  const items = STORIES.failed;
  for (const unit of ['₹1 ', '1 234 ', 'A1-', 'order 88213 ', 'I have ', 'refund ', 'no order ', '{"', '\ud83c', 'a@b.', '₹1-', 'refund was ', 'a\n']) {
    const answer = unit.repeat(Math.ceil(250_000 / unit.length));
    expect(answerProblems(answer, { evidence: evidenceOf(items, TOOLS), tools: TOOLS, items }).length).toBeLessThanOrEqual(12);
  }
});

describe('tools that the same words speak of', () => {
  const tools = [toolFacts({ name: 'pay_card', effect: 'once' }), toolFacts({ name: 'pay_cash', effect: 'once' })];
  const task: Item = {
    type: 'task', goal: 'Pay A-17 and B-42.', constraints: [], budget: { kind: 'tokens', tokens: 1 },
    agent: { name: 'desk', version: '1', hash: 'f00d', form: 'text', model: 'm' },
  };
  const called = (tool: string, id: string, status: 'ok' | 'error'): readonly Item[] => [
    {
      type: 'reply', turn: 1, notes: [], usage: USED,
      actions: [{ kind: 'call', id: `${tool}-${id}`, tool, args: { id }, hash: id, needsApproval: false }],
    },
    { type: 'observation', call: `${tool}-${id}`, tool, status, text: 'ready', seen: [], hash: id, ms: 0 },
  ];
  const kinds = (answer: string, ...items: readonly Item[]) => kindsOf(answer, [task, ...items], tools);

  test('either may have done it', () => {
    expect(kinds('Paid.', ...called('pay_cash', 'A-17', 'ok'))).toEqual([]);
    expect(kinds('I have paid A-17.', ...called('pay_card', 'A-17', 'ok'))).toEqual([]);
  });

  test('neither has: it is said of nothing, once', () => {
    expect(kinds('I have paid A-17.')).toEqual(['effect']);
  });

  test('what one of them failed at is not done by the success of the other with something else', () => {
    expect(kinds('I have paid A-17.', ...called('pay_card', 'A-17', 'error'), ...called('pay_cash', 'B-42', 'ok'))).toEqual(['effect']);
    expect(kinds('I have paid A-17.', ...called('pay_card', 'A-17', 'error'), ...called('pay_cash', 'A-17', 'ok'))).toEqual([]);
  });
});
