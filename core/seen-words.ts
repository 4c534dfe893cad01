/**
 * What a text lets a run speak of: its ids and numbers, in one normal spelling. Evidence is the union of these over the
 * task, the observations and the persons' words; an id or amount that the model uses is looked up in it.
 */

/** Words kept of one text, so that a huge result cannot fill the run's state. The first ones: those the model sees. */
export const SEEN_WORDS_MAX = 400;
/** Longer words are cut to this before they are kept or looked up, so that both sides agree. */
const WORD_MAX = 96;

const CURRENCY_WORDS = new Set(['rs', 'inr', 'usd', 'eur', 'gbp', 'jpy', 'cad', 'aud', 'chf', 'sgd', 'aed']);

/**
 * Id-like words and numbers of a text for evidence, deduplicated, at most 400 (or `max`), in order of appearance. A word is
 * id-like when it holds a digit, an `@` or `_` inside, or is a code in capitals (`HATHAT`). Beside the whole word come
 * the other ways to name the same thing: `order-88213` also gives `88213`, `INR480` also `480`, `100,200` also its parts.
 * A name without any of these (`kim`) is not in here: look for it in the texts themselves.
 */
export function seenWords(text: string, max = SEEN_WORDS_MAX): string[] {
  const seen = new Set<string>();
  for (const raw of rawWords(text)) {
    if (seen.size >= max) break;
    for (const word of readings(raw)) {
      if (seen.size < max) seen.add(word);
    }
  }
  return [...seen];
}

/**
 * The same words in one spelling each, for looking up: an id or amount of a call or an answer is known when each of
 * its words is among the evidence's `seenWords`.
 */
export function idWords(text: string): string[] {
  const words = new Set<string>();
  for (const raw of rawWords(text)) {
    for (const word of spellings(raw)) words.add(word);
    if (words.size >= SEEN_WORDS_MAX) break;
  }
  return [...words];
}

/** The plain number of a written one: `1,234.50`, `1.234,50` and `1,00,000` → `1234.5`, `1234.5`, `100000`. */
export function plainNumber(text: string): string | undefined {
  if (/^\d+$/.test(text)) return text;
  if (/^\d*\.\d+$/.test(text)) return withoutZeros(text);
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text) || /^\d{1,2}(?:,\d{2})*,\d{3}(?:\.\d+)?$/.test(text)) {
    return withoutZeros(text.replaceAll(',', ''));
  }
  if (/^\d{1,3}(?:\.\d{3})+,\d{1,2}$/.test(text)) return withoutZeros(text.replaceAll('.', '').replace(',', '.'));
  return /^\d+,\d{1,2}$/.test(text) ? withoutZeros(text.replace(',', '.')) : undefined;
}

/** Leading zeros of a whole number stay: `007` is an id. Those of a decimal say nothing. */
function withoutZeros(number: string): string {
  const [whole = '', fraction] = number.split('.');
  if (fraction === undefined) return whole;
  const kept = trimEnd(fraction, '0');
  const size = trimStart(whole, '0') || '0';
  return kept ? `${size}.${kept}` : size;
}

/** Everything that a word of a text can stand for. */
function readings(raw: string): string[] {
  const found = spellings(raw);
  for (const word of [...found]) found.push(...otherNames(word));
  if (raw.includes(',')) found.push(...raw.split(',').filter(hasDigit).flatMap(spellings));
  if (/^\d{1,3}(?:\.\d{3})+$/.test(raw)) found.push(raw.replaceAll('.', ''));
  return found;
}

/** The one spelling of a word; digits that a comma joins without being one number are several words. */
function spellings(raw: string): string[] {
  const number = plainNumber(raw);
  if (number !== undefined) return [number.slice(0, WORD_MAX)];
  if (raw.includes(',')) return raw.split(',').filter((part) => part !== '').flatMap(spellings);
  return isIdLike(raw) ? [lowerAscii(raw).slice(0, WORD_MAX)] : [];
}

/** `order-88213` is also called `88213`, `erp.test/orders/88213` too; a date (`2024-02-29`) has no shorter name. */
export function otherNames(word: string): string[] {
  if (!/[a-z]/.test(word) || word.includes('@')) return [];
  const parts = word.split(/[-_/.]/);
  const names = parts.filter((part) => /^\d{4,}$/.test(part));
  const [prefix = ''] = parts;
  const rest = word.slice(prefix.length + 1);
  if (parts.length > 1 && /^[a-z]+$/.test(prefix) && hasDigit(rest)) names.push(plainNumber(rest) ?? rest);
  const money = /^([a-z]{2,3})(\d[\d.]*)$/.exec(word) ?? /^(\d[\d.]*)([a-z]{2,3})$/.exec(word);
  if (money) {
    const [first = '', second = ''] = money.slice(1);
    const [code, amount] = hasDigit(first) ? [second, first] : [first, second];
    if (CURRENCY_WORDS.has(code)) names.push(plainNumber(amount) ?? amount);
  }
  return names;
}

function isIdLike(word: string): boolean {
  return hasDigit(word) || word.includes('@') || word.includes('_') || /^[A-Z]{4,}$/.test(word);
}

function hasDigit(word: string): boolean {
  return /\d/.test(word);
}

/** Every character of every result passes here: the common ones are looked up. */
const ASCII = Array.from({ length: 0x80 }, (_, code) => (code > 0x20 && code !== 0x7f ? String.fromCharCode(code) : ' '));
const ASCII_WORD_SIGN = ASCII.map((sign) => /^[A-Za-z0-9]$/.test(sign));

/** The words of a text, joined by the signs that ids are joined with, in ASCII where ASCII has the same sign. */
function* rawWords(text: string): Generator<string> {
  let word = '';
  for (let at = 0; at < text.length; at += 1) {
    const sign = plainSign(text.charCodeAt(at));
    if (sign === '\\') at += escapeLength(text, at);
    const joins = sign !== ' ' && (isWordSign(sign) || isJoint(sign, word, text, at));
    if (joins) {
      if (word.length < 4 * WORD_MAX) word += sign;
      continue;
    }
    if (sign === '') continue;
    const trimmed = trimJoints(word);
    if (trimmed) yield trimmed;
    word = '';
  }
  const trimmed = trimJoints(word);
  if (trimmed) yield trimmed;
}

/** Signs after a backslash that belong to it: JSON inside JSON would otherwise read `\n88213` as `n88213`. */
function escapeLength(text: string, at: number): number {
  const next = text.charAt(at + 1);
  if (next === 'u') return /^[0-9a-fA-F]{4}/.test(text.slice(at + 2, at + 6)) ? 5 : 0;
  return next !== '' && 'nrtbf"\\/'.includes(next) ? 1 : 0;
}

/** The empty sign is none. */
function isWordSign(sign: string): boolean {
  const code = sign.charCodeAt(0);
  return code > 0x7f || ASCII_WORD_SIGN[code] === true;
}

/** `18:00` and `1,234` are one word, `fee:25` and `a,b` are two. */
function isJoint(sign: string, word: string, text: string, at: number): boolean {
  if (sign === '-' || sign === '_' || sign === '/' || sign === '.' || sign === '@') return word !== '';
  const before = word.charAt(word.length - 1);
  if (sign === '+') return /[A-Za-z]/.test(before);
  if (sign !== ':' && sign !== ',') return false;
  return /\d/.test(before) && /\d/.test(plainSign(text.charCodeAt(at + 1)));
}

/**
 * A sign as ASCII writes it: full-width and Indian or Arabic digits, the hyphens that models like. '' is a sign that
 * is not seen (zero width), a blank parts words.
 */
function plainSign(code: number): string {
  const ascii = ASCII[code];
  if (ascii !== undefined) return ascii;
  if (code === 0x2010 || code === 0x2011 || code === 0x2212) return '-';
  if (code === 0xad || (code >= 0x200b && code <= 0x200d) || code === 0x2060 || code === 0xfeff) return '';
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0);
  for (const zero of [0x660, 0x6f0, 0x966]) {
    if (code >= zero && code <= zero + 9) return String.fromCharCode(0x30 + code - zero);
  }
  return isForeignGap(code) ? ' ' : String.fromCharCode(code);
}

/** Punctuation, blanks and currency signs beyond ASCII. */
function isForeignGap(code: number): boolean {
  return (
    (code >= 0x80 && code <= 0xbf) || (code >= 0x2000 && code <= 0x206f) || (code >= 0x20a0 && code <= 0x20cf) ||
    (code >= 0x2190 && code <= 0x2bff) || (code >= 0x3000 && code <= 0x303f) || Number.isNaN(code)
  );
}

function trimJoints(word: string): string {
  return trimEnd(trimStart(word, '-_./@:,+'), '-_./@:,+');
}

function trimStart(text: string, signs: string): string {
  let from = 0;
  while (from < text.length && signs.includes(text.charAt(from))) from += 1;
  return text.slice(from);
}

function trimEnd(text: string, signs: string): string {
  let to = text.length;
  while (to > 0 && signs.includes(text.charAt(to - 1))) to -= 1;
  return text.slice(0, to);
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
