/**
 * Money is a whole number of nano-units (1e-9 of the currency's unit) in a bigint, so that prices of a millionth of a
 * cent add up exactly; it crosses borders as a decimal string with its ISO 4217 currency.
 */
export interface Money {
  readonly amount: string;
  readonly currency: string;
}

const NANO_DIGITS = 9;
const NANO = 10n ** BigInt(NANO_DIGITS);
const DECIMAL = /^(-?)(\d{1,18})(?:\.(\d{1,18}))?$/;

/** Nano-units of a decimal string; more than nine decimals are rounded up (away from free), `undefined` for no number. */
export function nano(amount: string): bigint | undefined {
  const match = DECIMAL.exec(amount);
  if (!match) return undefined;
  const [, sign, whole = '0', fraction = ''] = match;
  const kept = fraction.slice(0, NANO_DIGITS).padEnd(NANO_DIGITS, '0');
  const roundUp = /[1-9]/.test(fraction.slice(NANO_DIGITS)) ? 1n : 0n;
  const size = BigInt(whole) * NANO + BigInt(kept) + roundUp;
  return sign === '-' ? -size : size;
}

/** The decimal string of nano-units, without trailing zeros: 25_000_000_000n → "25". */
export function decimal(amount: bigint): string {
  const sign = amount < 0n ? '-' : '';
  const size = amount < 0n ? -amount : amount;
  const fraction = (size % NANO).toString().padStart(NANO_DIGITS, '0').replace(/0+$/, '');
  return `${sign}${size / NANO}${fraction ? `.${fraction}` : ''}`;
}

/** Nano-units of money that our own code wrote; throws on anything else, since that is our bug. */
export function nanoOf(money: Money): bigint {
  const value = nano(money.amount);
  if (value === undefined) throw new Error(`not a decimal amount: ${money.amount}`);
  return value;
}

export function money(amount: bigint, currency: string): Money {
  return { amount: decimal(amount), currency };
}

export function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

/** What tokens cost. Decimal strings; one currency for the whole table; `rate` turns it into the budget's currency. */
export interface PriceTable {
  readonly currency: string;
  /** Currency of the budget and of every cost that is shown; ISO 4217. */
  readonly budgetCurrency: string;
  /** Budget currency units for one unit of `currency`. */
  readonly rate: string;
  readonly inputPerMillion: string;
  readonly cachedInputPerMillion?: string;
  readonly outputPerMillion: string;
  /** Where the figures come from and from when, for the trace's reader. */
  readonly source?: string;
}

export interface TokenCounts {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The part of `inputTokens` that the provider served from its cache. */
  readonly cachedTokens?: number;
}

/** Cost in nano-units of the budget's currency, rounded up. */
export function costOf(tokens: TokenCounts, prices: PriceTable): bigint {
  const cached = BigInt(Math.min(tokens.cachedTokens ?? 0, tokens.inputTokens));
  const fresh = BigInt(tokens.inputTokens) - cached;
  const perMillion =
    fresh * priceNano(prices.inputPerMillion) +
    cached * priceNano(prices.cachedInputPerMillion ?? prices.inputPerMillion) +
    BigInt(tokens.outputTokens) * priceNano(prices.outputPerMillion);
  return divideUp(perMillion * priceNano(prices.rate), 1_000_000n * NANO);
}

function priceNano(text: string): bigint {
  const value = nano(text);
  if (value === undefined || value < 0n) throw new Error(`not a price: ${text}`);
  return value;
}
