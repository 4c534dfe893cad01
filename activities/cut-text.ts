/** Where one character ends and the next begins, as people see them: a flag or a family is one. */
const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

export interface CutText {
  /** At most `max` UTF-16 units. */
  readonly text: string;
  /** UTF-16 units of the original that are in it. */
  readonly kept: number;
}

/** The beginning of a text, whole graphemes only, and behind it the mark that says what is missing. */
export function cutWithMark(text: string, max: number, mark: (kept: number) => string): CutText {
  if (text.length <= max) return { text, kept: text.length };
  // The mark is longest for the longest count, so room for that one is room for all.
  const kept = wholeGraphemes(text, Math.max(0, max - mark(text.length).length));
  return { text: text.slice(0, kept) + mark(kept), kept };
}

/**
 * Length of the longest beginning of at most `max` units that ends between graphemes. Where the first grapheme alone is
 * longer (hundreds of accents on one letter), it ends between code points.
 */
export function wholeGraphemes(text: string, max: number): number {
  if (text.length <= max) return text.length;
  let end = 0;
  // Two units more than asked for: whether a grapheme ends at `max` depends on the code point behind it.
  for (const { index, segment } of GRAPHEMES.segment(text.slice(0, max + 2))) {
    if (index + segment.length > max) break;
    end = index + segment.length;
  }
  if (end > 0) return end;
  return /[\ud800-\udbff]/.test(text.charAt(max - 1)) ? max - 1 : max;
}
