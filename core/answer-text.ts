import { isJsonObject } from './json.ts';
import type { JsonObject, JsonValue } from './json.ts';

const MONEY_FIELD = /(?:amount|price|fee|cost|total|sum|refund|balance|due|paid|payable|charge|credit|discount)/i;
const COUNT_FIELD = /(?:count|number|days|minutes|hours|items|percent|rate|qty|quantity|ratio|score)/i;
/** A currency is not known here; this is the sign for any. */
const ANY_CURRENCY = '¤';

/**
 * The statements of an answer as text. Of a structured answer a line a field, its name in words, so that the same rules
 * hold for `{"order_id": "88219"}` and `order id: 88219`; a bare number in a field of money gets the sign of money.
 */
export function answerText(answer: string | JsonObject): string {
  return typeof answer === 'string' ? answer : lines('', answer).join('\n');
}

function lines(field: string, value: JsonValue): readonly string[] {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap((one) => lines(field, one));
  if (isJsonObject(value)) return Object.entries(value).flatMap(([name, one]) => lines(name, one));
  const name = field.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_-]+/g, ' ');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const isMoney = MONEY_FIELD.test(name) && !COUNT_FIELD.test(name) && /^-?\d+(?:\.\d+)?$/.test(text);
  return [`${name}: ${isMoney ? ANY_CURRENCY : ''}${text}`];
}
