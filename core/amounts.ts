/** An amount of money as a text names it. */
export interface Amount {
  /** As it is written, currency included: `₹1,234.50`. */
  readonly written: string;
  /** Its number as it is written: `1,234.50`. */
  readonly number: string;
}

const CODES = 'INR|USD|EUR|GBP|JPY|CHF|CAD|AUD|SGD|AED';
const SIGN = `(?:₹|\\$|€|£|¥|Rs\\.?|${CODES})`;
const WORD = `(?:₹|€|£|¥|${CODES}|rupees?|dollars?|euros?|pounds?|francs?|paise|cents?)`;
/** Bounded in length, so that no text makes the search slow. */
const NUMBER = '(\\d[\\d.,]{0,29}\\d|\\d)';
const BEFORE = new RegExp(`(?<![A-Za-z])${SIGN}\\s{0,2}${NUMBER}`, 'gi');
const AFTER = new RegExp(`(?<![\\w.,])${NUMBER}\\s{0,2}${WORD}(?![A-Za-z])`, 'gi');

/** Amounts of money in a text: a number with a currency beside it. Times, counts, percentages and dates are none. */
export function amountsIn(text: string): readonly Amount[] {
  const found = [...text.matchAll(BEFORE), ...text.matchAll(AFTER)];
  return found.flatMap(([written, number]) => (number === undefined ? [] : [{ written: written.trim(), number }]));
}

/** Nothing to pay is no claim about a sum that has to come from somewhere. */
export function isZero(number: string): boolean {
  return !/[1-9]/.test(number);
}
