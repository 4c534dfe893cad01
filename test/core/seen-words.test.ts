import { describe, expect, test } from 'vitest';
import { idWords, plainNumber, SEEN_WORDS_MAX, seenWords } from '../../core/seen-words.ts';

describe('ids are seen in every way that people write them', () => {
  test.each([
    ['Refund INV-2041, please.', 'inv-2041'],
    ['INV\u20112041 with the hyphen that models write', 'inv-2041'],
    ['see #88213!', '88213'],
    ['order-88213 is late', 'order-88213'],
    ['order-88213 is late', '88213'],
    ['(ORD/12)', 'ord/12'],
    ['id 550E8400-E29B-41D4-A716-446655440000.', '550e8400-e29b-41d4-a716-446655440000'],
    ['write to Kim.Lee+x@Example.COM', 'kim.lee+x@example.com'],
    ['{"order_id":"88213","fee":25}', '88213'],
    ['{"note":"first\\n88213"}', '88213'],
    ['{"n":"\\u20b988213"}', '88213'],
    ['https://erp.test/orders/88213?x=1', '88213'],
    ['customer mia_li_3668', 'mia_li_3668'],
    ['booking HATHAT', 'hathat'],
    ['account 8812345678901234567', '8812345678901234567'],
    ['number 007', '007'],
    ['８８２１３', '88213'],
    ['८८२१३', '88213'],
    ['882\u200b13', '88213'],
    ['[88213,88214]', '88214'],
    ['**88213**', '88213'],
  ])('%s → %s', (text, word) => {
    expect(seenWords(text)).toContain(word);
  });
});

describe('amounts are plain numbers', () => {
  test.each([
    ['₹1,234.50', '1234.5'],
    ['Rs.25', '25'],
    ['INR480', '480'],
    ['480INR', '480'],
    ['₹25/-', '25'],
    ['$0.50', '0.5'],
    ['€1.234,50', '1234.5'],
    ['₹1,00,000', '100000'],
    ['12,50 €', '12.5'],
    ['-25.00', '25'],
    ['30%', '30'],
    ['[100,200,300]', '200'],
  ])('%s → %s', (text, number) => {
    expect(seenWords(text)).toContain(number);
  });
});

test('plain words are not kept, so that they cannot crowd out ids', () => {
  expect(seenWords('The customer wants the delivery fee back, and-nothing else.')).toEqual([]);
});

test('the same thing written twice is kept once', () => {
  expect(seenWords('INV-2041 inv-2041 "INV-2041".')).toEqual(['inv-2041', '2041']);
});

test('a date and a time are whole words: their parts are no ids', () => {
  expect(seenWords('2024-02-29 at 18:00, 19:02.')).toEqual(['2024-02-29', '18:00', '19:02']);
});

test('a word to look up has one spelling, and that spelling is in the evidence of the same word', () => {
  expect(idWords('₹1,234.50 for order-88213')).toEqual(['1234.5', 'order-88213']);
  const texts = ['order-88213', '₹1,234', '100,200', 'Kim@x.y', '1.234', '#12', '88213,88214', 'a_b', 'Ünal-12'];
  for (const text of texts) expect(seenWords(text)).toEqual(expect.arrayContaining(idWords(text)));
});

test('numbers beyond 2^53 keep their digits', () => {
  expect(plainNumber('9007199254740993')).toBe('9007199254740993');
  expect(plainNumber('9,007,199,254,740,993')).toBe('9007199254740993');
});

test('a text of any size gives at most 400 words, each bounded', () => {
  const words = seenWords(Array.from({ length: 5_000 }, (_, n) => `A-${n}-${'9'.repeat(300)}`).join(' '));
  expect(words).toHaveLength(SEEN_WORDS_MAX);
  expect(Math.max(...words.map((word) => word.length))).toBeLessThanOrEqual(96);
});

test('hostile text of a megabyte is read and nothing is thrown', () => {
  for (const unit of ['1,', '1.', 'a-', '-', '\\', '\ud83c', '1,000', '@', '\u0000', 'a1_']) {
    const words = seenWords(unit.repeat(Math.ceil(1_000_000 / unit.length)));
    expect(words.length).toBeLessThanOrEqual(SEEN_WORDS_MAX);
  }
});
