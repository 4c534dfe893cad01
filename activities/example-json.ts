import { requiredFields } from '../core/example-call.ts';
import { isJsonObject } from '../core/json.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';

/** Deeper parts are left out: an example shows the shape, and a schema that holds itself has no end. */
const MAX_DEPTH = 3;

/**
 * Arguments that show a model which JSON a tool wants: the fields it needs, or all where none is needed, in the
 * author's order. Texts are `<name>`: a made-up id in an example would soon be taken for a real one.
 */
export function exampleJson(schema: JsonObject): string {
  return JSON.stringify(objectOf(schema, { root: schema, depth: 0 }));
}

interface Place {
  /** Where `$ref` points into. */
  readonly root: JsonObject;
  readonly depth: number;
}

function objectOf(schema: JsonObject, place: Place): JsonObject {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const needed = requiredFields(schema);
  const fields = needed.length > 0 ? needed : Object.keys(properties);
  return Object.fromEntries(fields.map((name) => [name, placeholder(name, ownValue(properties, name), place)]));
}

function placeholder(name: string, given: JsonValue, place: Place): JsonValue {
  const schema = resolved(given, place.root);
  if (schema.const !== undefined) return schema.const;
  const first = firstOf(schema.enum);
  if (first !== undefined) return first;
  const inner = { ...place, depth: place.depth + 1 };
  const choice = firstOf(schema.anyOf) ?? firstOf(schema.oneOf);
  if (choice !== undefined && inner.depth <= MAX_DEPTH) return placeholder(name, choice, inner);
  switch (Array.isArray(schema.type) ? firstOf(schema.type) : schema.type) {
    case 'number':
    case 'integer': return typeof schema.minimum === 'number' ? Math.ceil(schema.minimum) : 1;
    case 'boolean': return true;
    case 'null': return null;
    case 'array': return inner.depth > MAX_DEPTH ? [] : [placeholder(singular(name), schema.items ?? {}, inner)];
    case 'object': return inner.depth > MAX_DEPTH ? {} : objectOf(schema, inner);
    default: return `<${typeof schema.format === 'string' ? schema.format : name}>`;
  }
}

/** The schema that a local `$ref` names; one that names itself ends at the depth limit. */
function resolved(schema: JsonValue, root: JsonObject): JsonObject {
  if (!isJsonObject(schema)) return {};
  const target = typeof schema.$ref === 'string' ? /^#\/\$defs\/([^/]{1,200})$/.exec(schema.$ref)?.[1] : undefined;
  if (target === undefined || !isJsonObject(root.$defs)) return schema;
  const definition = ownValue(root.$defs, target);
  return isJsonObject(definition) ? definition : {};
}

function ownValue(record: JsonObject, key: string): JsonValue {
  return Object.hasOwn(record, key) ? (record[key] ?? {}) : {};
}

function firstOf(values: JsonValue | undefined): JsonValue | undefined {
  return Array.isArray(values) ? (values as readonly JsonValue[])[0] : undefined;
}

function singular(name: string): string {
  return name.length > 3 && name.endsWith('s') ? name.slice(0, -1) : name;
}
