import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { canonicalJson, isJsonObject } from '../core/json.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import { nearNames } from '../core/nearest-name.ts';
import { compileSchema } from '../tools/compile-schema.ts';

/** Compiled schemas kept: more than the tools of all agents that one worker serves. */
const KEPT_VALIDATORS = 500;
const PROBLEMS_SHOWN = 8;
const VALUES_SHOWN = 20;
const SHOWN_CHARS = 60;

type Validator = { readonly validate: ValidateFunction } | { readonly broken: string };

/** By the schema itself; a pinned agent is parsed anew for each run, so equal texts share one as well. */
const bySchema = new WeakMap<JsonObject, Validator>();
const byText = new Map<string, Validator>();

/**
 * What is wrong with a value, field by field, by the pinned schema; nothing when it fits. Never throws: a schema that
 * cannot be used lets nothing pass and says so.
 */
export function schemaProblems(schema: JsonObject, value: JsonValue): readonly string[] {
  const validator = validatorOf(schema);
  if ('broken' in validator) return [validator.broken];
  const { validate } = validator;
  try {
    if (validate(value)) return [];
  } catch (error) {
    return [`they cannot be checked (${messageOf(error)})`];
  }
  const texts = (validate.errors ?? []).map((error) => problemText(error, value));
  return [...new Set(texts)].slice(0, PROBLEMS_SHOWN);
}

/** Keywords that may allow a field which `properties` does not name. */
const OPENING = ['additionalProperties', 'unevaluatedProperties', 'patternProperties', 'propertyNames', 'allOf', 'anyOf', 'oneOf', 'if', '$ref', '$dynamicRef', 'dependentSchemas'];

/**
 * Fields that a schema neither names nor allows. JSON Schema takes them for allowed, but schema libraries drop them in
 * silence: a call with a misspelt optional field would run with a part of what was meant.
 */
export function unnamedFields(schema: JsonObject, args: JsonObject): readonly string[] {
  const { properties } = schema;
  if (!isJsonObject(properties) || OPENING.some((keyword) => Object.hasOwn(schema, keyword))) return [];
  const unnamed = Object.keys(args).filter((field) => !Object.hasOwn(properties, field));
  return unnamed.slice(0, PROBLEMS_SHOWN).map((field) => `there is no field "${inside('', field)}"${didYouMean(field, schema)}`);
}

function validatorOf(schema: JsonObject): Validator {
  const known = bySchema.get(schema);
  if (known) return known;
  const text = canonicalJson(schema);
  const validator = byText.get(text) ?? compiled(schema);
  if (byText.size >= KEPT_VALIDATORS) byText.clear();
  byText.set(text, validator);
  bySchema.set(schema, validator);
  return validator;
}

function compiled(schema: JsonObject): Validator {
  const check = compileSchema(schema);
  if (check.ok) return { validate: check.validate };
  return { broken: `the schema of the arguments cannot be used (${check.why}), and no other arguments mend that: use another tool, or hand over` };
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 200);
}

function problemText({ keyword, instancePath, params, message, parentSchema }: ErrorObject, value: JsonValue): string {
  const field = fieldName(instancePath);
  const at = field === '' ? 'the whole' : field;
  const { missingProperty, additionalProperty, unevaluatedProperty, allowedValues, allowedValue, type }: Readonly<Record<string, unknown>> = params;
  switch (keyword) {
    case 'required': return `${inside(field, missingProperty)} is missing`;
    case 'additionalProperties': return `there is no field "${inside(field, additionalProperty)}"${didYouMean(additionalProperty, parentSchema)}`;
    case 'unevaluatedProperties': return `there is no field "${inside(field, unevaluatedProperty)}"${didYouMean(unevaluatedProperty, parentSchema)}`;
    case 'enum': return `${at} must be one of ${listed(allowedValues)}, not ${shown(valueAt(value, instancePath))}`;
    case 'const': return `${at} must be ${JSON.stringify(allowedValue)}`;
    case 'type': return `${at} must be ${kindsOf(type)}, not ${shown(valueAt(value, instancePath), kindsOf(type).includes('number'))}`;
    default: return `${at} ${message ?? 'is not valid'}`;
  }
}

function fieldName(path: string): string {
  return path.slice(1).split('/').map(unescaped).join('.').slice(0, 200);
}

function inside(field: string, name: unknown): string {
  return `${field ? `${field}.` : ''}${String(name).slice(0, 80)}`;
}

function listed(values: unknown): string {
  if (!Array.isArray(values)) return 'the allowed values';
  const texts = values.slice(0, VALUES_SHOWN).map((one) => JSON.stringify(one));
  return `${texts.join(', ')}${values.length > VALUES_SHOWN ? ', …' : ''}`;
}

function didYouMean(given: unknown, schema: unknown): string {
  const fields = isJsonObject(schema) && isJsonObject(schema.properties) ? Object.keys(schema.properties) : [];
  const [nearest] = nearNames(String(given), fields);
  if (nearest !== undefined) return `; did you mean "${nearest}"?`;
  return fields.length > 0 ? `; there are: ${fields.slice(0, VALUES_SHOWN).join(', ')}` : '';
}

const KINDS: Readonly<Record<string, string>> = { string: 'text', integer: 'a whole number', object: 'an object', array: 'a list', boolean: 'true or false', number: 'a number', null: 'null' };

function kindsOf(type: unknown): string {
  const types = Array.isArray(type) ? type.map(String) : String(type).split(',');
  return types.map((one) => (Object.hasOwn(KINDS, one) ? (KINDS[one] ?? one) : one)).join(' or ');
}

/** A number that would have been rounded arrives as its digits; the model cannot know why it is refused. */
function shown(value: JsonValue | undefined, wantsNumber = false): string {
  if (wantsNumber && typeof value === 'string' && /^-?[\d.]{16,400}$/.test(value)) {
    return `${value.slice(0, SHOWN_CHARS)}, which has more digits than a number can carry without being rounded: this tool cannot take it, so use one that takes it as text, or hand over`;
  }
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
}

function valueAt(value: JsonValue, path: string): JsonValue | undefined {
  return path.split('/').slice(1).reduce<JsonValue | undefined>((at, part) => {
    const key = unescaped(part);
    if (Array.isArray(at)) return (at as readonly JsonValue[])[Number(key)];
    return isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }, value);
}

function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}
