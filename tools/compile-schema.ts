import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JsonObject } from '../core/json.ts';

// `verbose` brings the part of the schema that a problem is about, for the names of fields that are near.
const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: true, verbose: true, logger: false });
addFormats.default(ajv);

export type Compiled = { readonly ok: true; readonly validate: ValidateFunction } | { readonly ok: false; readonly why: string };

/** A JSON Schema (draft 2020-12) as a check, or why it is none. Never throws. */
export function compileSchema(schema: JsonObject): Compiled {
  // Ajv remembers schemas under their id and would refuse the next version; an asynchronous one would pass everything.
  const { $id: _id, $async: _async, ...plain } = schema;
  try {
    return { ok: true, validate: ajv.compile(plain) };
  } catch (error) {
    return { ok: false, why: (error instanceof Error ? error.message : String(error)).slice(0, 200) };
  } finally {
    ajv.removeSchema(plain);
  }
}
