import { describe, expect, test } from 'vitest';
import { endReasonText, moneyText } from '../../cli/words.ts';
import { END_REASONS } from '../../core/run.ts';

describe('words for people', () => {
  test('money has two decimals, four where two would hide it, and is never shown as less than it is', () => {
    const inr = (amount: string): string => moneyText({ amount, currency: 'INR' });
    expect([inr('0'), inr('20'), inr('0.5'), inr('0.00421'), inr('1234567.891'), inr('0.000000001')]).toEqual([
      '₹0.00',
      '₹20.00',
      '₹0.50',
      '₹0.0043',
      '₹1,234,567.90',
      '₹0.0001',
    ]);
  });

  test('a currency without a sign of its own stands behind the number', () => {
    expect(moneyText({ amount: '3', currency: 'CHF' })).toBe('3.00 CHF');
  });

  test('every end reason has words, and its name stands beside them', () => {
    for (const reason of END_REASONS) expect(endReasonText(reason)).toMatch(new RegExp(`^.+ \\(${reason}\\)$`));
  });
});
