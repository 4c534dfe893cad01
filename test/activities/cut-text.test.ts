import { describe, expect, test } from 'vitest';
import { cutWithMark, wholeGraphemes } from '../../activities/cut-text.ts';
import { wellFormed } from '../../core/data-text.ts';

const mark = (kept: number) => `[cut ${kept}]`;

describe('a cut never parts a character', () => {
  test.each([
    ['an emoji at the limit', `${'x'.repeat(1_499)}🎉 done`],
    ['a family', '👩‍👩‍👧‍👦'.repeat(300)],
    ['combining accents', 'e\u0301\u0323'.repeat(900)],
    ['flags', '🇮🇳🇫🇷'.repeat(400)],
    ['Devanagari', 'क्षि'.repeat(500)],
    ['one letter with endless accents', `e${'\u0301'.repeat(5_000)}`],
    ['surrogate pairs only', '🎉'.repeat(2_000)],
  ])('%s', (_what, text) => {
    for (let max = 20; max <= 1_500; max += 37) {
      const cut = cutWithMark(text, max, mark);
      expect(cut.text.length).toBeLessThanOrEqual(max);
      expect(wellFormed(cut.text)).toBe(cut.text);
      expect(cut.text.endsWith(mark(cut.kept))).toBe(true);
      expect(text.startsWith(cut.text.slice(0, cut.kept))).toBe(true);
    }
  });

  test('whole graphemes are kept as they are counted by people', () => {
    expect(wholeGraphemes('ae\u0301b', 2)).toBe(1);
    expect(wholeGraphemes('ae\u0301b', 3)).toBe(3);
    expect(wholeGraphemes('a👩‍👧b', 3)).toBe(1);
  });

  test('a text that fits is not touched', () => {
    expect(cutWithMark('short', 5, mark)).toEqual({ text: 'short', kept: 5 });
  });
});
