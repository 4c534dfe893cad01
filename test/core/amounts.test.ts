import { expect, test } from 'vitest';
import { amountsIn } from '../../core/amounts.ts';

test.each([
  '999 Indian rupees', '999 US dollars', 'INR: 999', 'INR = 999', 'Fee (INR): 999', '| Fee | INR | 999 |', 'Amount (₹) 999', '999/-',
  '₹९९९', '₹٩٩٩', '₹９９９', '₹\u200b999', '₹<b>999</b>', '**₹** 999',
])('%s is an amount of 999, however it is written', (text) => {
  expect(amountsIn(text).map(({ values }) => values[0])).toEqual(['999']);
});

test.each(['62 minutes', '18:00', 'order 88213', '3 of 12 turns', '2026-03-04', '50 %'])('%s is no amount', (text) => {
  expect(amountsIn(text)).toEqual([]);
});
