import { plainNumber } from './seen-words.ts';

/** An amount of money as a text names it. */
export interface Amount {
  /** As it is written, currency included: `₹1,234.50`. */
  readonly written: string;
  /** Plain decimals that it can mean: `$1.2 million` is 1.2 or 1200000, `€1.234` is 1.234 or 1234. */
  readonly values: readonly string[];
  /** The text says that it is not exact: `about ₹1,200`, `$1.2 million`. */
  readonly isRough: boolean;
}

/** Signs of currencies; `¤` is the sign for any. */
const SYMBOL = '[₹$€£¥₽₩₺₫₪₦₱₴₡¤]';
/** Codes of ISO 4217 that are no English words (TRY, ALL and TOP are). */
const CODES =
  'INR|USD|EUR|GBP|JPY|CHF|CAD|AUD|SGD|AED|CNY|NZD|SEK|NOK|DKK|PLN|CZK|HUF|ZAR|BRL|MXN|KRW|THB|IDR|MYR|SAR|QAR|KWD|EGP|NGN|KES|BDT|PKR|LKR|NPR|HKD|ILS|RUB|UAH|VND|PHP';
const WORDS = 'Rs|rupees?|dollars?|euros?|pounds?(?! of)|francs?|yen|yuan|kronor|kroner|kr|zł|paise|paisa|cents?|pence';
/** Whose currency it is: `999 US dollars`. */
const NATION = '(?:Indian|US|U\\.S\\.|American|Canadian|Australian|British|Swiss|Japanese)\\s';
/** Bounded in length, so that no text makes the search slow. */
const NUMBER = "\\d(?:[\\d.,'’]{0,28}\\d)?(?:[ \\u00a0\\u202f\\u2009]\\d{3}(?!\\d)(?:,\\d{1,2}(?!\\d))?){0,4}";
const SCALE = '(?:[kmbl]\\b|\\s?(?:mn|bn|cr|lacs?|lakhs?|crores?|thousand|million|billion)\\b)';
const SIZE = `(${NUMBER})(${SCALE})?`;
/** What may stand between a number and its currency: blanks and marks of bold text. */
const GAP = '(?:[\\s*_`:=|()]|\\u200b|</?[a-z]{1,6}>){0,4}';
const BEFORE = new RegExp(`(?:${SYMBOL}|(?<![A-Za-z])(?:Rs\\.?|(?:${CODES})))${GAP}[-−]?${SIZE}(?:[-–]${SYMBOL}?${SIZE})?`, 'gi');
const AFTER = new RegExp(
  `(?<![\\w.,])(?<!\\d[-–])(?:${SIZE}[-–])?${SIZE}${GAP}-?(?:€|${SYMBOL}(?!\\s?\\d)|(?:${NATION})?(?:${WORDS}|${CODES})(?![A-Za-z])|/-)`, 'gi',
);
const ROUGH_BEFORE = /(?:about|approximately|approx\.?|roughly|around|nearly|almost|circa|ca\.?|over|under|~|≈)[\s*_`]{0,4}$/i;
const ROUGH_CHARS = 20;
const HUNDREDTHS = /(?:cents?|paise|paisa|pence)$/i;

/** Amounts of money in a text: numbers with a currency beside them. Times, counts, percentages and dates are none. */
export function amountsIn(text: string): readonly Amount[] {
  const plain = plainDigits(text);
  return [...plain.matchAll(BEFORE), ...plain.matchAll(AFTER)].flatMap((match) => amountsOf(match, plain));
}

/** Blocks of ten digits begin at 0x…0, but for Devanagari's at 0x966. */
function asciiDigit(digit: string): string {
  const code = digit.charCodeAt(0);
  return String(code >= 0x966 && code <= 0x96f ? code - 0x966 : code & 15);
}

/** Digits of other scripts as ASCII has them, signs that are not seen left out: `₹९९९` is an amount too. */
function plainDigits(text: string): string {
  return text
    .replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\uff10-\uff19]/g, asciiDigit)
    .replace(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, '');
}

/** Both ends of a range; a unit behind the second (`$1–2 million`) is that of the first as well. */
function amountsOf(match: RegExpExecArray, text: string): readonly Amount[] {
  const [written, first, firstScale, second, secondScale] = match;
  const before = text.slice(Math.max(0, match.index - ROUGH_CHARS), match.index);
  const ends = [{ number: first, scale: firstScale ?? secondScale }, { number: second, scale: secondScale }];
  return ends.flatMap(({ number, scale }) => {
    if (number === undefined) return [];
    const values = [...valuesOf(number, scale), ...(HUNDREDTHS.test(written) ? [shifted(number, -2)] : [])];
    return [{ written: written.trim(), values, isRough: scale !== undefined || ROUGH_BEFORE.test(before) }];
  });
}

/** Nothing to pay is no claim about a sum that has to come from somewhere. */
export function isZero({ values }: Amount): boolean {
  return values.every((value) => !/[1-9]/.test(value));
}

function valuesOf(number: string, scale: string | undefined): readonly string[] {
  const parts = number.replace(/['’]/g, '').split(/[ \u00a0\u202f\u2009]/);
  // `1 234,50` is one number, `₹25 480 orders` is not: each reading is looked for.
  const spellings = [...new Set([parts.join(''), parts[0] ?? '', parts.at(-1) ?? ''])];
  const plain = spellings.flatMap((spelling) => [
    plainNumber(spelling) ?? spelling.replaceAll(',', ''),
    ...(/^\d{1,3}(?:\.\d{3})+$/.test(spelling) ? [spelling.replaceAll('.', '')] : []),
  ]);
  const power = scale === undefined ? 0 : (POWERS[scale.trim().toLowerCase().replace(/(?<=lakh|lac|crore)s$/, '')] ?? 0);
  return power === 0 ? plain : plain.flatMap((value) => [value, shifted(value, power)]);
}

const POWERS: Readonly<Record<string, number>> = {
  k: 3, thousand: 3, l: 5, lac: 5, lakh: 5, m: 6, mn: 6, million: 6, cr: 7, crore: 7, b: 9, bn: 9, billion: 9,
};

/** The decimal with its point moved: (`1.2`, 6) → `1200000`. Digits, not floating point: an amount is looked up by its text. */
function shifted(value: string, power: number): string {
  const [whole = '', fraction = ''] = value.split('.');
  if (power < 0) {
    const digits = whole.padStart(1 - power, '0');
    return plainNumber(`${digits.slice(0, power)}.${digits.slice(power)}${fraction}`) ?? value;
  }
  const digits = whole + fraction.padEnd(power, '0');
  const point = whole.length + power;
  const size = digits.slice(0, point).replace(/^0+(?=\d)/, '');
  return point < digits.length ? (plainNumber(`${size}.${digits.slice(point)}`) ?? value) : size;
}
