import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { canonicalJson } from '../core/json.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import { nearestNames } from '../core/nearest-name.ts';

/** Compiled schemas kept: more than the tools of all agents that one worker serves. */
const KEPT_VALIDATORS = 500;
const PROBLEMS_SHOWN = 8;

const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: true });
addFormats.default(ajv);
const validators = new Map<string, ValidateFunction>();

/** What is wrong with a value, field by field, by the pinned schema; nothing when it fits. */
export function schemaProblems(schema: JsonObject, value: JsonValue): readonly string[] {
  const validate = validatorOf(schema);
  if (validate(value)) return [];
  const texts = (validate.errors ?? []).map((error) => problemText(error, { schema, value }));
  return [...new Set(texts)].slice(0, PROBLEMS_SHOWN);
}

function validatorOf(schema: JsonObject): ValidateFunction {
  const key = canonicalJson(schema);
  const known = validators.get(key);
  if (known) return known;
  const compiled = ajv.compile(schema);
  if (validators.size >= KEPT_VALIDATORS) validators.clear();
  validators.set(key, compiled);
  return compiled;
}

interface Checked {
  readonly schema: JsonObject;
  readonly value: JsonValue;
}

function problemText({ keyword, instancePath, params, message }: ErrorObject, { schema, value }: Checked): string {
  const field = instancePath.slice(1).replaceAll('/', '.');
  const at = field === '' ? 'the arguments' : field;
  const { missingProperty, additionalProperty, allowedValues, type }: Readonly<Record<string, unknown>> = params;
  if (keyword === 'required') return `${field ? `${field}.` : ''}${String(missingProperty)} is missing`;
  if (keyword === 'additionalProperties') return `there is no field "${String(additionalProperty)}"${didYouMean(String(additionalProperty), schema)}`;
  if (keyword === 'enum' && Array.isArray(allowedValues)) return `${at} must be one of ${allowedValues.map((one) => JSON.stringify(one)).join(', ')}`;
  if (keyword === 'type') return `${at} must be ${kindOf(String(type))}, not ${shown(valueAt(value, instancePath))}`;
  return `${at} ${message ?? 'is not valid'}`;
}

function didYouMean(given: string, { properties }: JsonObject): string {
  const [nearest] = nearestNames(given, Object.keys(typeof properties === 'object' && properties !== null ? properties : {}));
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`;
}

const KINDS: Readonly<Record<string, string>> = { string: 'text', integer: 'a whole number', object: 'an object', array: 'a list', boolean: 'true or false', number: 'a number', null: 'null' };

function kindOf(type: string): string {
  return Object.hasOwn(KINDS, type) ? (KINDS[type] ?? type) : type;
}

/** A number that was too long to be kept as one arrives as its digits; the model cannot know why it is refused. */
function shown(value: JsonValue | undefined): string {
  if (typeof value === 'string' && /^-?\d{16,}$/.test(value)) return `${value}, which is too long for a number here`;
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function valueAt(value: JsonValue, path: string): JsonValue | undefined {
  return path.split('/').slice(1).reduce<JsonValue | undefined>((at, part) => {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at)) return (at as readonly JsonValue[])[Number(key)];
    return typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? (at as JsonObject)[key] : undefined;
  }, value);
}
