import { Ajv } from 'ajv';
import type { ErrorObject } from 'ajv';
import formats from 'ajv-formats';
import { isJsonObject } from '../../core/json.ts';
import type { JsonObject } from '../../core/json.ts';
import { ApiError } from './api-error.ts';

/** Turns what arrived into what a route takes. @throws ApiError that names the field and what is wrong with it. */
export type Check = (value: unknown) => JsonObject;

export function checkBody(schema: JsonObject): Check {
  const ajv = new Ajv({ strict: true, allowUnionTypes: true });
  formats.default(ajv);
  return checkWith(ajv.compile<JsonObject>(schema), 'The body');
}

/** A query is all texts: numbers in it are read as such. */
export function checkQuery(properties: Readonly<Record<string, JsonObject>>): Check {
  const ajv = new Ajv({ strict: true, allowUnionTypes: true, coerceTypes: true });
  formats.default(ajv);
  return checkWith(ajv.compile<JsonObject>({ type: 'object', properties, additionalProperties: false }), 'The query');
}

function checkWith(validate: ReturnType<Ajv['compile']>, what: string): Check {
  return (value) => {
    if (!isJsonObject(value)) throw new ApiError('usage', `${what} must be a JSON object.`);
    if (validate(value)) return value;
    throw new ApiError('usage', `${what} cannot be used: ${problemOf(validate.errors?.[0])}.`);
  };
}

function problemOf(error: ErrorObject | undefined): string {
  if (!error) return 'it does not fit its schema';
  const field = error.instancePath.slice(1).replaceAll('/', '.');
  const { additionalProperty, allowedValues } = error.params as Readonly<Record<string, unknown>>;
  if (typeof additionalProperty === 'string') return `there is no field "${additionalProperty.slice(0, 60)}"`;
  const among = Array.isArray(allowedValues) ? ` (${allowedValues.join(', ')})` : '';
  return `${field ? `"${field}" ` : ''}${error.message ?? 'is wrong'}${among}`;
}
