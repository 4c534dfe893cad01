import { createHash } from 'node:crypto';
import type { ToolFacts } from '../core/agent.ts';
import { canonicalJson, isJsonObject } from '../core/json.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';

type Identity = Pick<ToolFacts, 'ids' | 'schema'>;

/**
 * sha256 of a call's identity. The order of keys, white space around and between words, full-width or invisible signs, and
 * of ids the case and a `#` in front do not make it another call, nor does leaving out what the schema has a default for;
 * the arguments that run stay as they were given. Values that only mean the same (25 and 25.00 in a text) are two calls:
 * what may happen once has a `key`.
 */
export function callHash(tool: string, args: JsonObject, facts?: Identity): string {
  const whole = facts ? withDefaults(facts.schema, args) : args;
  const plain = Object.fromEntries(
    Object.entries(whole).map(([field, value]) => [field, normal(value, facts !== undefined && Object.hasOwn(facts.ids, field))]),
  );
  return sha256(`${tool}\n${canonicalJson(plain)}`);
}

/** An object with the defaults of its schema, and of the schemas within it; what a `$ref` or a choice hides stays as it is. */
function withDefaults(schema: JsonObject, value: JsonObject): JsonObject {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const given = Object.entries(value).map(([field, one]) => [field, Object.hasOwn(properties, field) ? filled(properties[field] ?? null, one) : one] as const);
  const left = Object.entries(properties).flatMap(([field, one]) =>
    !Object.hasOwn(value, field) && isJsonObject(one) && one.default !== undefined ? [[field, one.default] as const] : [],
  );
  return Object.fromEntries<JsonValue>([...given, ...left]);
}

function filled(schema: JsonValue, value: JsonValue): JsonValue {
  if (!isJsonObject(schema)) return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((one) => filled(schema.items ?? null, one));
  return isJsonObject(value) ? withDefaults(schema, value) : value;
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Signs that are not seen: the same id with one in it is the same id. */
const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;

function normal(value: JsonValue, isId: boolean): JsonValue {
  if (typeof value === 'string') {
    const text = value.normalize('NFKC').replace(INVISIBLE, '').trim().replace(/\s+/g, ' ');
    return isId ? text.replace(/^#\s?/, '').toLowerCase() : text;
  }
  if (Array.isArray(value)) return value.map((one: JsonValue) => normal(one, isId));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([field, one]) => [field, normal(one, isId)]));
}
