import { describe, expect, test } from 'vitest';
import { limitsOf, parseBudgetOption, parseDuration, parsePositive, parseStatus } from '../../cli/parse-options.ts';

describe('a budget on the command line', () => {
  test.each([
    ['₹20', { kind: 'money', money: { amount: '20', currency: 'INR' } }],
    ['20 INR', { kind: 'money', money: { amount: '20', currency: 'INR' } }],
    ['€1,000', { kind: 'money', money: { amount: '1000', currency: 'EUR' } }],
    ['200000 tokens', { kind: 'tokens', tokens: 200_000 }],
    ['200,000 tokens', { kind: 'tokens', tokens: 200_000 }],
  ])('%s is read', (text, budget) => {
    expect(parseBudgetOption(text)).toEqual(budget);
  });

  test.each(['20', '₹', '-5 INR', '₹20 tokens', 'free', ''])(
    '"%s" names no money and no tokens: it is refused with an example',
    (text) => {
      expect(() => parseBudgetOption(text)).toThrow(/₹20/);
    },
  );
});

describe('numbers and durations on the command line', () => {
  test('a duration needs its unit', () => {
    expect(parseDuration('90s')).toBe(90_000);
    expect(() => parseDuration('90')).toThrow(/unit/);
  });

  test('a count is a whole number from 1 on', () => {
    expect(parsePositive('12')).toBe(12);
    for (const text of ['0', '-1', '1.5', 'twelve', '']) expect(() => parsePositive(text)).toThrow(/whole number/);
  });

  test('a status that no run can have is refused with those that there are', () => {
    expect(parseStatus('waiting_approval')).toBe('waiting_approval');
    expect(() => parseStatus('bogus')).toThrow(/use one of running, waiting_approval, .*, ended, terminated, failed/);
  });

  test("limits that nobody set are not sent, so that the agent's own hold", () => {
    expect(limitsOf({})).toEqual({});
    expect(limitsOf({ maxTurns: 6 })).toEqual({ limits: { turns: 6 } });
  });
});
