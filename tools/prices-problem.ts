import { nano } from '../core/money.ts';
import type { PriceTable } from '../core/money.ts';

/** What is wrong with a price table, as a phrase; a wrong one would let a budget never trip. */
export function pricesProblem(prices: PriceTable): string | undefined {
  const { currency, budgetCurrency, rate, inputPerMillion, cachedInputPerMillion, outputPerMillion } = prices;
  for (const [name, code] of Object.entries({ currency, budgetCurrency })) {
    if (typeof code !== 'string' || !/^[A-Z]{3}$/.test(code)) return `prices.${name} must be an ISO 4217 code in capitals, e.g. "USD"`;
  }
  const size = amount(rate);
  if (size === undefined || size <= 0n) return `prices.rate must be a decimal text above 0: units of ${budgetCurrency} for one ${currency}, e.g. "88.5"`;
  if (currency === budgetCurrency && size !== amount('1')) return `prices.rate must be "1" when both currencies are ${currency}`;
  const each = { inputPerMillion, outputPerMillion, ...(cachedInputPerMillion === undefined ? {} : { cachedInputPerMillion }) };
  for (const [name, price] of Object.entries(each)) {
    const value = amount(price);
    if (value === undefined || value < 0n) return `prices.${name} must be a decimal text of 0 or more, e.g. "0.25"`;
  }
  return undefined;
}

function amount(text: unknown): bigint | undefined {
  return typeof text === 'string' ? nano(text) : undefined;
}
