import { describe, expect, test } from 'vitest';
import { parseBudget } from '../../core/budget-text.ts';
import { limitsProblem } from '../../core/limits.ts';

describe('a budget is money with its currency, or tokens', () => {
  test.each([
    ['₹20', '20', 'INR'], ['$0.50', '0.5', 'USD'], ['INR 20', '20', 'INR'], ['20 EUR', '20', 'EUR'], ['£1,234.50', '1234.5', 'GBP'],
    ['₹1,00,000', '100000', 'INR'], ['Rs. 20', '20', 'INR'], ['¥500', '500', 'JPY'], [' € 5 ', '5', 'EUR'],
  ])('%s', (text, amount, currency) => {
    expect(parseBudget(text)).toEqual({ kind: 'money', money: { amount, currency } });
  });

  test.each([['5000 tokens', 5000], ['1 token', 1], ['200,000 Tokens', 200_000]])('%s', (text, tokens) => {
    expect(parseBudget(text)).toEqual({ kind: 'tokens', tokens });
  });

  test.each(['', '20', '₹', '₹0', '$-1', '-₹5', '20 rupees', '₹20 tokens', '1.5 tokens', '1,2,3 EUR', '₹'.repeat(99), `₹${'9'.repeat(30)}`, 'NaN tokens'])(
    '"%s" is none', (text) => {
      expect(parseBudget(text)).toBeUndefined();
    },
  );
});

describe('limits of a run: 0, negative, NaN, null or text is refused, with the name of the limit', () => {
  test.each([0, -1, 1.5, Number.NaN, Infinity, null, '3', {}, []])('%j', (value) => {
    expect(limitsProblem({ turns: value })).toMatch(/^turns must be a whole number/);
    expect(limitsProblem({ timeMs: value })).toMatch(/^timeMs must be/);
    expect(limitsProblem({ budget: value })).toMatch(/^budget/);
    expect(limitsProblem({ budget: { kind: 'tokens', tokens: value } })).toMatch(/^budget/);
    const amount = value === '3' ? '-3' : value;
    expect(limitsProblem({ budget: { kind: 'money', money: { amount, currency: 'INR' } } })).toMatch(/^budget/);
  });

  test.each([undefined, null, 3, 'x', []])('%j are no limits', (value) => {
    expect(limitsProblem(value)).toMatch(/must be an object/);
  });

  test('an unknown limit is named', () => {
    expect(limitsProblem({ maxTurns: 3 })).toMatch(/no limit "maxTurns"/);
  });

  test('good ones have no problem', () => {
    expect(limitsProblem({})).toBeUndefined();
    expect(limitsProblem({ turns: 1, timeMs: 1, budget: { kind: 'money', money: { amount: '0.000000001', currency: 'INR' } } })).toBeUndefined();
  });
});
