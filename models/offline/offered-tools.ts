import { isJsonObject } from '../../core/json.ts';
import type { JsonObject } from '../../core/json.ts';
import { BUILT_IN } from '../../core/names.ts';
import { chatFunctions } from './chat-body.ts';
import type { View } from './view.ts';

/** A tool that the conversation offers. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** Properties of its arguments, by name. */
  readonly fields: Readonly<Record<string, JsonObject>>;
  readonly required: readonly string[];
}

/** The form, the tools and the answer's schema: from `tools`, or from the list in the system message of the text form. */
export function offeredTools(body: JsonObject, system: string): Pick<View, 'form' | 'tools' | 'answerSchema'> {
  const functions = chatFunctions(body);
  if (functions.length === 0 && /^Action:/m.test(system)) {
    const answerSchema = jsonAfter(system, 'one JSON object that matches this schema: ');
    return { form: 'text', tools: [...listedTools(system), ...mentioned(system)], ...(answerSchema ? { answerSchema } : {}) };
  }
  const answer = functions.find(({ name }) => name === BUILT_IN.finalAnswer);
  const tools = functions.filter((tool) => tool !== answer).map(({ name, description, schema }) => toolOf({ name, description }, schema));
  return { form: 'function-calling', tools, ...(answer ? { answerSchema: answer.schema } : {}) };
}

const LISTED = /^- ([A-Za-z0-9_.-]{1,64}): (.*)\n {2}Arguments \(JSON Schema\): (\{.*\})$/gm;

function listedTools(system: string): readonly OfferedTool[] {
  return [...system.matchAll(LISTED)].map(([, name = '', description = '', schema = '']) => toolOf({ name, description }, parsed(schema) ?? {}));
}

/** Actions of the loop itself, which the text form tells in its rules. */
const LOOP_ACTIONS: readonly (readonly [name: string, field: string])[] = [
  [BUILT_IN.askPerson, 'question'], [BUILT_IN.handOver, 'reason'], [BUILT_IN.recall, 'id'],
];

function mentioned(system: string): readonly OfferedTool[] {
  return LOOP_ACTIONS.filter(([name]) => system.includes(name)).map(([name, field]) => ({
    name, description: '', fields: { [field]: { type: 'string' } }, required: [field],
  }));
}

function toolOf(named: Pick<OfferedTool, 'name' | 'description'>, schema: JsonObject): OfferedTool {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const fields = Object.entries(properties).map(([name, field]) => [name, isJsonObject(field) ? field : {}] as const);
  const required = Array.isArray(schema.required) ? schema.required.filter((name): name is string => typeof name === 'string') : [];
  return { ...named, fields: Object.fromEntries(fields), required };
}

function jsonAfter(text: string, phrase: string): JsonObject | undefined {
  const at = text.indexOf(phrase);
  return at < 0 ? undefined : parsed(text.slice(at + phrase.length).split('\n')[0] ?? '');
}

export function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
