import type { StandardJSONSchemaV1 } from '@standard-schema/spec';
import { isJsonObject, utf8Bytes } from '../core/json.ts';
import type { JsonObject } from '../core/json.ts';
import { compileSchema } from './compile-schema.ts';

/** The schema is in every prompt and in the run's pinned state; a larger one costs its tokens every turn. */
const SCHEMA_BYTES_MAX = 32 * 1024;

/**
 * The JSON Schema (draft 2020-12) of what a model has to send, as the schema library writes it: descriptions, enums,
 * patterns, nested objects and `$ref` with their `$defs` stay. Throws with the fix when there is none.
 */
export function jsonSchemaOf(input: StandardJSONSchemaV1, what: string): JsonObject {
  const schema = plainSchema(input, what);
  if (schema.type !== 'object') {
    throw new Error(`${what} must describe an object, e.g. z.object({ … }); it describes ${JSON.stringify(schema.type ?? 'something else')}.`);
  }
  const { $schema: _dialect, ...rest } = schema;
  const bytes = utf8Bytes(JSON.stringify(rest));
  if (bytes > SCHEMA_BYTES_MAX) {
    throw new Error(`${what} is a JSON Schema of ${bytes} bytes, at most ${SCHEMA_BYTES_MAX} are taken: it is part of every prompt.`);
  }
  const compiled = compileSchema(rest);
  if (!compiled.ok) {
    throw new Error(`${what} is a JSON Schema that cannot be compiled (${compiled.why}), so no call could ever pass it. Write it as draft 2020-12 has it (patterns are read with the flag u), or leave that part out and check it in run.`);
  }
  return rest;
}

function plainSchema(input: StandardJSONSchemaV1, what: string): JsonObject {
  const convert = standardOf(input)?.jsonSchema?.input;
  if (typeof convert !== 'function') {
    throw new Error(`${what} cannot describe itself as JSON Schema. Use zod 4.2 or later, or any library with Standard JSON Schema.`);
  }
  const schema: unknown = JSON.parse(JSON.stringify(converted(() => convert({ target: 'draft-2020-12' }), what)) ?? 'null');
  if (!isJsonObject(schema)) throw new Error(`${what} gave no JSON Schema.`);
  return schema;
}

/** What a caller without types may have left out is asked for, not trusted. */
function standardOf(input: Partial<StandardJSONSchemaV1> | undefined): Partial<StandardJSONSchemaV1['~standard']> | undefined {
  return input?.['~standard'];
}

function converted(convert: () => Record<string, unknown>, what: string): Record<string, unknown> {
  try {
    return convert();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `${what} has no JSON Schema: ${reason}. A model can send JSON only: take dates and big numbers as text and transform them.`,
      { cause: error },
    );
  }
}
