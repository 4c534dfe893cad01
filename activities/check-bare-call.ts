import type { ToolFacts } from '../core/agent.ts';
import { requiredFields } from '../core/example-call.ts';
import { isJsonObject } from '../core/json.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import type { ReadAction } from '../core/reply.ts';
import { checkCall } from './check-call.ts';
import type { CheckedCall } from './check-call.ts';
import type { CheckContext } from './check-reply.ts';
import { exampleJson } from './example-json.ts';
import { invalid } from './invalid-action.ts';

type BareCall = Extract<ReadAction, { kind: 'bare_call' }>;

/** Text form: `tool[free text]` fills the one field that a tool needs; a tool with several needs JSON. */
export function checkBareCall({ tool, input, raw }: BareCall, context: CheckContext): CheckedCall {
  const facts = context.agent.tools.find(({ name }) => name === tool);
  if (!facts) return checkCall({ kind: 'call', tool, args: {}, raw }, context);
  const field = theOneField(facts);
  if (field === undefined) return invalid('bad_arguments', { tool, raw, text: needsJson(facts) });
  return checkCall({ kind: 'call', tool, args: { [field]: typed(input, propertiesOf(facts.schema)[field]) }, raw }, context);
}

function theOneField({ schema }: ToolFacts): string | undefined {
  const needed = requiredFields(schema);
  const fields = needed.length > 0 ? needed : Object.keys(propertiesOf(schema));
  return fields.length === 1 ? fields[0] : undefined;
}

function needsJson({ name, schema }: ToolFacts): string {
  const fields = Object.keys(propertiesOf(schema));
  if (fields.length === 0) return `${name} takes no arguments. Call it with an empty object: Action Input: {}`;
  const needed = requiredFields(schema);
  const said = fields.map((field) => (needed.length > 0 && !needed.includes(field) ? `${field} (may be left out)` : field)).join(', ');
  return `${name} has several fields, so free text could mean any of them: ${said}. Write them as one JSON object, for example Action Input: ${exampleJson(schema)}`;
}

function propertiesOf({ properties }: JsonObject): JsonObject {
  return isJsonObject(properties) ? properties : {};
}

/** A number or a truth value only where the schema wants one and the text is exactly one; otherwise text. */
function typed(input: string, schema: JsonValue | undefined): string | number | boolean {
  const type = isJsonObject(schema) ? schema.type : undefined;
  // Fifteen digits are exact in a number; more are kept as text, and the check says so. `007` may be an id.
  const isExact = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(input) && input.replace(/\D/g, '').length <= 15;
  if ((type === 'number' || type === 'integer') && isExact) return Number(input);
  if (type === 'boolean' && (input === 'true' || input === 'false')) return input === 'true';
  return input;
}
