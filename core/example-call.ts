import type { ToolFacts } from './agent.ts';
import { isJsonObject } from './json.ts';
import type { JsonObject, JsonValue } from './json.ts';

/** The names of a schema's required fields, in the author's order. */
export function requiredFields(schema: JsonObject): readonly string[] {
  const { required } = schema;
  return Array.isArray(required) ? required.filter((name): name is string => typeof name === 'string') : [];
}

/** The tool that an example is made from: one that the short form can call, so that both formats show one tool. */
export function exampleTool(tools: readonly ToolFacts[]): ToolFacts | undefined {
  return tools.find(({ schema }) => requiredFields(schema).length === 1) ?? tools[0];
}

/** Arguments that show the shape only: a made-up id in a prompt would soon be taken for a real one. */
export function exampleArguments(schema: JsonObject): JsonObject {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  return Object.fromEntries(requiredFields(schema).map((name) => [name, placeholder(name, properties[name] ?? {})]));
}

function placeholder(name: string, schema: JsonValue): JsonValue {
  if (!isJsonObject(schema)) return `<${name}>`;
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return (schema.enum as readonly JsonValue[])[0] ?? null;
  switch (schema.type) {
    case 'number':
    case 'integer': return 0;
    case 'boolean': return true;
    case 'array': return [];
    case 'object': return exampleArguments(schema);
    default: return `<${name}>`;
  }
}
