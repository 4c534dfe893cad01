/**
 * The number that a JSON number's text means, when a double holds exactly that: `10.50` → 10.5. Else the text itself:
 * an id such as 8812345678901234567 would be rounded, and the record looked up would be another one.
 */
export function exactNumber(text: string): number | string {
  const number = Number(text);
  if (/^-?\d+$/.test(text)) return Number.isSafeInteger(number) ? number : text;
  return sameDecimal(text, String(number)) ? number : text;
}

/** `String(number)` is the shortest decimal of the double; when it has all the digits of the text, none was lost. */
function sameDecimal(a: string, b: string): boolean {
  const left = decimalParts(a);
  const right = decimalParts(b);
  return left !== undefined && right !== undefined && left.digits === right.digits && left.exponent === right.exponent;
}

interface Decimal {
  /** Significant digits without zeros at either end; empty for zero. */
  readonly digits: string;
  /** Power of ten of the last of them; 0 for zero. */
  readonly exponent: number;
}

function decimalParts(text: string): Decimal | undefined {
  const match = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (!match) return undefined;
  const [, whole = '', fraction = '', power = '0'] = match;
  const all = whole + fraction;
  let from = 0;
  while (all.charAt(from) === '0') from += 1;
  let to = all.length;
  while (to > from && all.charAt(to - 1) === '0') to -= 1;
  if (from === to) return { digits: '', exponent: 0 };
  if (power.length > 8) return undefined;
  return { digits: all.slice(from, to), exponent: Number(power) - fraction.length + all.length - to };
}
