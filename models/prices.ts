import type { PriceTable } from '../core/money.ts';
import { OFFLINE_MODEL } from './offline/offline-model.ts';

const SOURCE = 'OpenAI list prices in USD per million tokens, 2026-12';
/**
 * Rupees for one dollar, 2026-12: a planning rate, set above the market's so that a budget in rupees is rather used up
 * too early than overrun. An agent's own `prices` replace it.
 */
const INR_PER_USD = '95';

type Row = readonly [model: string, input: string, cachedInput: string, output: string];

const ROWS: readonly Row[] = [
  ['gpt-4o', '2.5', '1.25', '10'],
  ['gpt-4o-mini', '0.15', '0.075', '0.6'],
  ['gpt-4.1', '2', '0.5', '8'],
  ['gpt-4.1-mini', '0.4', '0.1', '1.6'],
  ['gpt-4.1-nano', '0.1', '0.025', '0.4'],
  ['gpt-5', '1.25', '0.125', '10'],
  ['gpt-5-mini', '0.25', '0.025', '2'],
  ['gpt-5-nano', '0.05', '0.005', '0.4'],
];

/**
 * What a model's tokens cost, in a budget of this currency (ISO 4217); `undefined` when the price or the rate is not
 * known. Names match exactly: a dated or fine-tuned variant may cost more. The offline model is free.
 */
export function pricesFor(model: string, budgetCurrency: string): PriceTable | undefined {
  if (model === OFFLINE_MODEL) {
    return {
      currency: budgetCurrency, budgetCurrency, rate: '1', inputPerMillion: '0', cachedInputPerMillion: '0', outputPerMillion: '0',
      source: 'the offline model is free',
    };
  }
  const row = ROWS.find(([name]) => name === model);
  const rate = budgetCurrency === 'USD' ? '1' : budgetCurrency === 'INR' ? INR_PER_USD : undefined;
  if (!row || rate === undefined) return undefined;
  const [, inputPerMillion, cachedInputPerMillion, outputPerMillion] = row;
  const source = rate === '1' ? SOURCE : `${SOURCE}; ${rate} ${budgetCurrency} for 1 USD, planning rate of 2026-12`;
  return { currency: 'USD', budgetCurrency, rate, inputPerMillion, cachedInputPerMillion, outputPerMillion, source };
}
