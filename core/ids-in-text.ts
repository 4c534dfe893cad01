/** An id that a text names, with the sentence it stands in. */
export interface NamedId {
  readonly id: string;
  readonly sentence: string;
}

/** A code (`INV-2041`, `O-5`, `PO/2024/17`), a UUID, or a long run of digits, bounded in length. */
const CANDIDATE = /(?<![\w₹$€£¥.,:/-])(?:[A-Za-z]{1,10}[-_/#]?\d[\w/-]{0,40}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|#?\d{5,20})(?![\w%]|[.,:]\d)/gi;
/** What looks like an id and is none: quarters, versions, norms, sizes, hours, illnesses. */
const NO_ID = /^(?:q[1-4]|h[12]|v\d+|a[0-9]|covid-?\d+|utf-?\d+|iso-?\d+|mp\d|web\d|g\d{1,2}|b2b|top\d+|[a-z]+\d?)$/i;
const CURRENCY_BEFORE = /(?:₹|\$|€|£|¥|Rs\.?|INR|USD|EUR|GBP)\s*$/i;
const UNIT_AFTER = /^\s*(?:₹|€|£|rupees?|dollars?|euros?|pounds?|INR|USD|EUR|GBP|people|inhabitants|minutes?|hours?|days?|items?|units?|km|kg|m\b|%)/i;
const CURRENCY_CODE = /^(?:INR|USD|EUR|GBP|JPY|CHF|CAD|AUD|SGD|AED|Rs)\d/i;

/** Ids that a text names. Amounts, dates, times, durations, counts and ordinals are none. */
export function idsIn(text: string): readonly NamedId[] {
  return [...text.matchAll(CANDIDATE)].flatMap((match) => {
    const { index } = match;
    const [word] = match;
    const id = word.replace(/^#/, '').replace(/[-_/]+$/, '');
    const isAmount = CURRENCY_BEFORE.test(text.slice(Math.max(0, index - 6), index)) || UNIT_AFTER.test(text.slice(index + word.length, index + word.length + 14));
    if (isAmount || NO_ID.test(id) || CURRENCY_CODE.test(id) || !looksLikeId(id)) return [];
    return [{ id, sentence: sentenceAround(text, index) }];
  });
}

/** Letters with at least two digits or a joint, or a long run of digits: `O-5` and `R12`, not `x2`. */
function looksLikeId(id: string): boolean {
  if (/^\d+$/.test(id)) return true;
  const digits = id.replace(/\D/g, '').length;
  return digits >= 2 || (/^[A-Za-z]{1,10}[-_/#]\d/.test(id) && id === id.toUpperCase());
}

/** Bounded on both sides, so that a text without full stops is read in linear time. */
function sentenceAround(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - 200), at);
  const after = text.slice(at, at + 200);
  const start = Math.max(before.lastIndexOf('. '), before.lastIndexOf('\n'), before.lastIndexOf('; '));
  const end = after.search(/[.;!?](?:\s|$)|\n/);
  return `${before.slice(start + 1)}${end === -1 ? after : after.slice(0, end)}`;
}
