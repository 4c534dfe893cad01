/**
 * What a word with digits is by its shape. An answer is full of words that look like ids and are none, so each rule here
 * is as narrow as the words that it is meant for.
 */

const MONTHS = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]{0,6}';

/** Shapes that are never ids. */
const NO_ID: readonly RegExp[] = [
  // Quantities, ordinals and hours: 62-minute, 2nd, 24h, 10am, 3x, 30-day, 1080p.
  /^\d{1,4}-?[a-z°µ%]+(?:-[a-z]+)*$/i,
  // Numbers and times: 1,234, 18:00 and 6:30pm.
  /^\d+(?:[,:]\d+)+(?:am|pm|h|z)?$/i,
  // Ranges, fractions and scores: 20-25, 24/7, 2025-26.
  /^\d{1,4}[-/]\d{1,4}$/,
  // Dates: 2026-03-04T18:00, 4/3/2026, 2026-W10, 04-Mar-2026.
  /^\d{1,4}[-/]\d{1,2}[-/]\d{1,4}(?:t[\d:]+z?)?$/i,
  /^\d{4}[-/][qhw]\d{1,2}$/i,
  new RegExp(`^(?:\\d{1,4}[-/]?)?${MONTHS}(?:[-/]?\\d{1,4}){1,2}$`, 'i'),
  new RegExp(`^\\d{1,4}[-/]?${MONTHS}$`, 'i'),
  // Quarters, weeks, halves, priorities, versions: Q3, W12, H1, P2, v1; Q3/2026.
  /^[qhwpv]\d{1,3}(?:[-/]\d{2,4})?$/i,
  // Words with a year: mid-2024, FY24, FY2024-25. In capitals (INV-2024) it is a code.
  /^[A-Za-z]?[a-z]{2,12}[-/_]?(?:19\d|20[0-3])\d(?:[-/]\d{2,4})?$/,
  /^(?:fy|cy|ay)[-/]?\d{2,4}(?:[-/]\d{2,4})?$/i,
  // Names of norms, illnesses and ranks that are written as codes are.
  /^(?:covid|utf|iso|sha|aes|rsa|md|gpt|http|ipv|mp|rfc|ieee|din|en|ifrs|ias|gstr|usb|tier|level|phase|step|day|week|section|form|top|sev|co|pm|cat|type|class|grade|zone|gate|plan|catch)[-/]?\d{1,5}[a-z]?(?:-[a-z]+)*$/i,
];

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** `INV-2041`, `O-5`, `PO/2024/17`, `RMA-7B`. */
const CODE = /^[A-Z]{1,10}[A-Z0-9]{0,12}(?:[-_/][A-Z0-9]{1,20})+$/;
const HEX = /^[0-9a-f]{8,64}$/i;
const COMPACT_DATE = /^(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;
const YEAR = /^(?:19\d|20[0-3])\d$/;
/** Words longer than any id: a text without blanks. */
const WORD_MAX = 96;

/** Whether a word with letters and digits is an id wherever it stands. */
export function isCode(word: string): boolean {
  const digits = digitsIn(word);
  if (digits === 0 || word.length > WORD_MAX || /^\d+$/.test(word) || NO_ID.some((shape) => shape.test(word))) return false;
  if (UUID.test(word) || (CODE.test(word) && /[A-Z]/.test(word))) return true;
  if (/^[\d-]+$/.test(word)) return digits >= 9;
  if (HEX.test(word) && digits >= 3) return true;
  if (/^[A-Z0-9]+$/.test(word)) return digits >= 3 || (digits >= 2 && word.length >= 5);
  return digits >= 4 || (word.includes('_') && digits >= 2);
}

/** Whether a run of digits is long enough to be an id by itself, and no date. */
export function isLongNumber(digits: string): boolean {
  return digits.length >= 5 && digits.length <= WORD_MAX && !COMPACT_DATE.test(digits);
}

/** Whether a shorter run of digits can be an id behind a word such as `order`. */
export function isShortNumber(digits: string): boolean {
  return digits.length >= 3 && !YEAR.test(digits);
}

function digitsIn(word: string): number {
  return word.replace(/\D+/g, '').length;
}
