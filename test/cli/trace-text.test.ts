import { describe, expect, test } from 'vitest';
import type { TraceStyle } from '../../cli/trace-style.ts';
import { traceLines } from '../../cli/trace-text.ts';
import type { TraceEntry } from '../../client/types.ts';
import type { HandOver } from '../../core/run.ts';
import type { Action, Item } from '../../core/transcript.ts';
import { observation, reply, RESULT, TASK, USAGE } from '../client/history-builder.ts';

const PLAIN: TraceStyle = {
  width: 80,
  full: false,
  dim: (text) => text,
  bold: (text) => text,
  warn: (text) => text,
  command: (text) => text.replace('caseworker ', 'npm run -s caseworker -- '),
};

const item = (entry: Item): TraceEntry => ({ kind: 'item', item: entry });
const told = (...entries: TraceEntry[]): string => traceLines(entries, PLAIN).join('\n');

/** The same without line breaks: where a sentence wraps is no matter. */
const flat = (...entries: TraceEntry[]): string => told(...entries).replace(/\s+/g, ' ');

const HAND_OVER: HandOver = {
  goal: 'refund',
  constraints: [],
  reason: 'over',
  done: [{ call: '1.1', tool: 'get_order', args: { id: '88213' }, outcome: 'found' }],
  inDoubt: [{ call: '2.1', tool: 'issue_refund', args: {}, outcome: 'no answer' }],
  remains: ['ask the bank'],
  facts: [],
  spent: USAGE,
  next: 'caseworker resume run-1 --max-turns 24',
};

describe('a trace on a terminal', () => {
  test('a turn is one head line, then thought, action and observation', () => {
    expect(told(item(TASK), item(reply(1, 'I look it up.')), item(observation('1.1', 'The fee is ₹25.')))).toBe(
      [
        'order-desk 1 · text · model offline',
        'Task    What is the fee of order 88213?',
        '',
        'Turn 1 · 20 ms · 100→10 tokens',
        '  Thought      I look it up.',
        '  Action       get_order {"order_id":"88213"}',
        '  Observation  The fee is ₹25.',
      ].join('\n'),
    );
  });

  test('a held call says why a person is asked, and which other run has had the effect', () => {
    const checks = { fields: 1, ids: [], rules: true, elsewhere: { run: 'order-1', call: '3.1', stands: 'done' } } as const;
    const held = { type: 'held', call: '1.1', tool: 'pay', facts: { argsHash: 'h', why: 'pay has an effect', checks }, deadlineMs: 0 } as const;
    expect(flat(item(TASK), item(reply(1)), item(held))).toContain('Held pay: pay has an effect. Run order-1 has done this already (3.1). Waits for a person until 1970');
  });

  test('a turn says how many of its tokens the provider had in its cache', () => {
    const cached = { ...reply(1), usage: { ...reply(1).usage, cachedTokens: 64 } };
    expect(told(item(TASK), item(cached))).toContain('Turn 1 · 20 ms · 100→10 tokens (64 of them cached)');
  });

  test('no line is wider than the terminal, whatever the run says', () => {
    const long = 'word '.repeat(100) + 'x'.repeat(300);
    const lines = traceLines(
      [
        item({ ...TASK, goal: long }),
        item(reply(1, long)),
        item({ ...observation('1.1', long), status: 'error' }),
        item({ type: 'stop', turn: 1, reason: 'budget', text: long, handOver: HAND_OVER, usage: USAGE }),
        { kind: 'end', atMs: 1, result: { ...RESULT, answer: long } },
      ],
      PLAIN,
    );
    expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(80);
  });

  test('a turn without a thought says so', () => {
    const { thought: _, ...silent } = reply(1);
    expect(told(item(silent))).toContain('Thought      no thought given');
  });

  test("the cost of a turn is shown in the budget's currency, never less than it is", () => {
    const task = { ...TASK, budget: { kind: 'money', money: { amount: '20', currency: 'INR' } } } as const;
    const priced = { ...reply(1), usage: { ...reply(1).usage, cost: '0.00421' } };
    expect(told(item(task), item(priced))).toContain('· ₹0.0043');
  });

  test('several actions of one turn carry their numbers, and so do their observations', () => {
    const actions: readonly Action[] = ['1.1', '1.2'].map((id) => ({
      id,
      kind: 'call',
      tool: 't',
      args: {},
      hash: id,
      needsApproval: false,
    }));
    const text = told(item({ ...reply(1), actions }), item(observation('1.1', 'a')), item(observation('1.2', 'b')));
    expect(text).toContain('  Action 1.2   t {}');
    expect(text).toContain('  Result 1.2   b');
  });

  test('a cut observation says how much there is and how the model gets it', () => {
    const cut = { ...observation('1.1', 'start'), more: { blob: 'k', chars: 24_310 } };
    expect(flat(item(cut))).toContain('24,310 characters, the rest by recall("1.1")');
  });

  test('an observation of many lines is shortened, unless all of it is asked for', () => {
    const entry = item(observation('1.1', Array.from({ length: 30 }, (_, i) => `line ${i}`).join('\n')));
    expect(told(entry)).toContain('22 more lines: trace --full');
    expect(traceLines([entry], { ...PLAIN, full: true }).join('\n')).toContain('line 29');
  });

  test('what is not ok is named: empty, error, denied, skipped, unknown', () => {
    for (const status of ['empty', 'error', 'denied', 'skipped', 'unknown'] as const) {
      expect(told(item({ ...observation('1.1', 'why'), status }))).toContain(`${status}: why`);
    }
  });

  test('a stop gives its reason in words and by name, and the package with the next command', () => {
    const text = told(
      item({
        type: 'stop',
        turn: 2,
        reason: 'step_limit',
        text: 'Two turns are over.',
        handOver: HAND_OVER,
        usage: USAGE,
      }),
    );
    expect(text).toContain('its turns are used up (step_limit). Two turns are over.');
    expect(text).toContain('In doubt     2.1 issue_refund');
    expect(text).toContain('npm run -s caseworker -- resume run-1 --max-turns 24');
  });

  test('a nudge and a person stand where they happened; a refused decision says why', () => {
    const text = flat(
      item({ type: 'nudge', turn: 1, guard: 'repeating', text: 'You did this twice.' }),
      item({
        type: 'person',
        verb: 'resolve',
        by: { name: 'Ravi', verified: false },
        id: 'd1',
        text: '₹25',
        refused: 'the run has not stopped',
      }),
    );
    expect(text).toContain('Nudge You did this twice. (repeating)');
    expect(text).toContain('Ravi (name not verified): resolve: ₹25. Refused, because the run has not stopped');
  });

  test('a failed model call says what failed, and when it is made again', () => {
    const failed: TraceEntry = {
      kind: 'attempt_failed',
      of: { kind: 'model', turn: 2 },
      attempt: 1,
      message: '429 slow down',
      type: 'Model.RateLimit',
      atMs: 1_000,
      retryAtMs: 3_000,
      last: false,
    };
    expect(flat(failed)).toContain(
      'Model call of turn 2, attempt 1 failed [Model.RateLimit]: 429 slow down; tried again in 2.0 s',
    );
  });

  test('the end gives the answer, the reason and the totals against the limits', () => {
    const limits = { turns: 12, timeMs: 120_000, budget: { kind: 'tokens', tokens: 200_000 } } as const;
    const text = flat(item(TASK), { kind: 'end', atMs: 1, result: { ...RESULT, limits } });
    expect(text).toContain('Answer ₹25');
    expect(text).toContain('Ended answered (final_answer)');
    expect(text).toContain(
      '1 of 12 turns · 1 model call · 1 tool call · 100→10 tokens (110 of 200,000) · no price known · 23 ms of 2 min 0 s active',
    );
  });

  test('what is missing is said with the reason, and a call that has not come back too', () => {
    const text = told(
      { kind: 'missing', from: 0, to: 12, why: 'retention' },
      { kind: 'call_started', call: '3.1', tool: 'get_order', args: {}, atMs: 1, attempt: 1 },
    );
    expect(text).toContain('Items 0 to 12 are missing: retention.');
    expect(text).toContain('get_order (3.1) has not come back yet.');
  });

  test("a tool's result cannot write escape sequences to the terminal", () => {
    expect(told(item(observation('1.1', '\u001b[2Jgone')))).not.toContain('\u001b');
  });
});
