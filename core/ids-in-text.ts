import { isCode, isLongNumber, isShortNumber } from './id-shapes.ts';

/** An id that a text names, with where it stands. */
export interface NamedId {
  readonly id: string;
  readonly index: number;
}

/** Letters and digits, joined by one sign as ids are; `:` and `,` join digits only. */
const WORD = /[A-Za-z0-9\u00c0-\u024f]+(?:(?:[-_/.]|(?<=\d)[:,](?=\d))[A-Za-z0-9\u00c0-\u024f]+)*/g;
const EMAIL = /(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}/g;
const IBAN = /\b[A-Z]{2}\d{2}(?: [A-Z0-9]{4}){3,7}(?: [A-Z0-9]{1,3})?(?![A-Za-z0-9])/g;
const URL_SIGNS = /:\/\/|(?<=[A-Za-z0-9])[?&=#](?=[A-Za-z0-9])/g;

/** Ids that a text names. Amounts, dates, times, durations, counts, ordinals and phone numbers are none. */
export function idsIn(answer: string): readonly NamedId[] {
  const text = plainSigns(answer);
  const whole = [...text.matchAll(EMAIL), ...text.matchAll(IBAN)].map((match) => ({ id: match[0], index: match.index }));
  const rest = text.replace(EMAIL, blanks).replace(IBAN, blanks);
  const named: NamedId[] = [...whole];
  // One by one: of a megabyte of plain words none is kept.
  for (const { 0: word, index } of rest.replace(URL_SIGNS, blanks).matchAll(WORD)) {
    if (/\d/.test(word)) for (const id of idsOfWord(word, index, rest)) named.push(id);
  }
  return named;
}

/** The hyphens that models like as the one that ids have; as long as before. */
function plainSigns(text: string): string {
  return text.replace(/[\u2010\u2011\u2212]/g, '-');
}

function blanks(signs: string): string {
  return ' '.repeat(signs.length);
}

/** Numbers too long to be the thousands of one. */
const LISTED = /^\d{5,20}(?:,\d{5,20})+$/;
const FILE_END = /\.(?:pdf|csv|xlsx?|docx?|png|jpe?g|txt|json|xml|zip|eml|html?)$/i;

function idsOfWord(word: string, index: number, text: string): readonly NamedId[] {
  if (/^\d+$/.test(word)) return isIdNumber(word, index, text) ? [{ id: word, index }] : [];
  if (LISTED.test(word)) return word.split(',').map((id) => ({ id, index }));
  const name = word.replace(FILE_END, '');
  if (!name.includes('.') && isCode(name)) return isMoney(word, index, text) ? [] : [{ id: name, index }];
  // A version, a decimal, a domain with a path: its parts are judged one by one.
  const parts = name.split(/[./]/);
  if (parts.length === 1 || /^[\d.,]+$/.test(name)) return [];
  return parts.flatMap((part) => (isCode(part) || (/^\d+$/.test(part) && isLongNumber(part)) ? [{ id: part, index }] : []));
}

const NOUN =
  'orders?|invoices?|tickets?|cases?|claims?|bookings?|reservations?|shipments?|parcels?|packages?|tracking|transactions?|customers?|accounts?|contracts?|employees?|users?|vendors?|suppliers?|references?|ref|receipts?|documents?|assets?|devices?|flights?|po|credit notes?';
const MARK = '(?:id|ids|no\\.?|nr\\.?|number|numbers|code)';
const SIGNS = '[\\s:#*_`"\'(]{0,6}';
const MARKED = new RegExp(`(?:\\b(?:${NOUN})(?:['’]s)?[\\s_]${MARK}|\\b(?:${NOUN})\\s{0,2}#|\\b(?:id|ref|reference|pnr|utr)\\b)(?:\\s(?:is|was))?${SIGNS}$`, 'i');
const AFTER_NOUN = new RegExp(`\\b(?:${NOUN})${SIGNS}$`, 'i');
const UNIT =
  /^[\s-]{0,2}(?:%|percent|people|inhabitants|persons|residents|users|customers|orders|invoices|tickets|subscribers|records|rows|lines|entries|items|units|pieces|pcs|copies|steps|words|characters|bytes|tokens|points|miles|times|seats|seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|ms|km|kg|g|m|cm|mm|kwh|mb|gb|kb)\b/i;

/** A number alone is an id when it is long, or when the words before it say so. */
function isIdNumber(digits: string, index: number, text: string): boolean {
  const before = text.slice(Math.max(0, index - 40), index);
  const after = text.slice(index + digits.length, index + digits.length + 20);
  if (isMoney(digits, index, text) || UNIT.test(after) || isPartOfPhone(before, after)) return false;
  if (MARKED.test(before)) return true;
  if (isLongNumber(digits)) return true;
  return isShortNumber(digits) && (AFTER_NOUN.test(before) || /(?:^|[\s(])#$/.test(before));
}

/** `+91 98765 43210`: groups of digits behind each other. */
function isPartOfPhone(before: string, after: string): boolean {
  return /\+$|(?:\+\d{1,4}|\d{3,5}|\))[\s\u00a0-]$/.test(before) || /^[\s\u00a0]\d{3,5}(?!\d)/.test(after);
}

const MONEY_BEFORE = /(?:[₹$€£¥₽₩₺₫₪₦₱₴₡¤]|(?<![A-Za-z])(?:Rs\.?|[A-Z]{3}))[\s*_`-]{0,4}$/;
const MONEY_AFTER = /^[\s*_`]{0,4}(?:[₹€£¥₽₩₺₫₪₦₱₴₡]|(?:Rs|rupees?|dollars?|euros?|pounds?|francs?|yen|yuan|cents?|paise|pence|INR|USD|EUR|GBP|JPY|CHF|CAD|AUD|SGD|AED)\b)/i;
const MONEY_WORD = /^(?:Rs|INR|USD|EUR|GBP|JPY|CHF|CAD|AUD|SGD|AED)\d+$|^\d+(?:INR|USD|EUR|GBP|JPY|CHF|CAD|AUD|SGD|AED|Rs)$/i;

function isMoney(word: string, index: number, text: string): boolean {
  return (
    MONEY_WORD.test(word) ||
    MONEY_BEFORE.test(text.slice(Math.max(0, index - 8), index)) ||
    MONEY_AFTER.test(text.slice(index + word.length, index + word.length + 14))
  );
}
