import { describe, expect, test } from 'vitest';
import { costOf, money } from '../../core/money.ts';
import { OFFLINE_MODEL, pricesFor } from '../../models/index.ts';
import { pricesProblem } from '../../tools/prices-problem.ts';

const MILLION = { inputTokens: 1_000_000, outputTokens: 1_000_000 };

describe('built-in prices', () => {
  test('are usable tables, in dollars and in rupees', () => {
    for (const model of ['gpt-4o', 'gpt-4o-mini', 'gpt-4.1', 'gpt-4.1-mini', 'gpt-4.1-nano', 'gpt-5', 'gpt-5-mini', 'gpt-5-nano', OFFLINE_MODEL]) {
      for (const currency of ['USD', 'INR']) {
        const prices = pricesFor(model, currency);
        expect(prices && pricesProblem(prices)).toBeUndefined();
        expect(prices?.budgetCurrency).toBe(currency);
        expect(prices?.source).toBeTruthy();
      }
    }
  });

  test('a million tokens in and out of gpt-4o cost 12.50 dollars', () => {
    const prices = pricesFor('gpt-4o', 'USD');
    expect(prices && money(costOf(MILLION, prices), 'USD').amount).toBe('12.5');
  });

  test('the offline model is free, in every currency', () => {
    const prices = pricesFor(OFFLINE_MODEL, 'EUR');
    expect(prices && costOf(MILLION, prices)).toBe(0n);
  });

  test('a model, a variant or a currency that nobody knows has no price', () => {
    expect(pricesFor('llama-9', 'USD')).toBeUndefined();
    expect(pricesFor('ft:gpt-4o:acme', 'USD')).toBeUndefined();
    expect(pricesFor('gpt-4o', 'EUR')).toBeUndefined();
    expect(pricesFor('toString', 'USD')).toBeUndefined();
  });
});
