import { jsonObjectText } from '../core/canonical-text.ts';
import { wellFormed } from '../core/data-text.ts';
import { isJsonObject } from '../core/json.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import type { FunctionSpec, PromptCall, PromptMessage } from '../core/reply.ts';
import type { FunctionNames } from './function-names.ts';
import { legalConversation } from './legal-conversation.ts';
import type { ModelRequest } from './model.ts';

export interface RequestStyle {
  readonly names: FunctionNames;
  /** Parameters that this server has refused. */
  readonly refused: readonly string[];
  /** Names of the cap on output tokens, the likelier one first; a request without a cap could cost anything. */
  readonly capNames: readonly string[];
  /** Ask the server to hold the model to schemas, where a schema allows it. */
  readonly strict: boolean;
  /** Further parameters of every request, such as `temperature`. */
  readonly parameters: JsonObject;
}

/** The body of a Chat Completions request; `undefined` when the server has refused every name of the output cap. */
export function chatRequest(request: Omit<ModelRequest, 'signal' | 'timeoutMs'>, style: RequestStyle): JsonObject | undefined {
  const { model, prompt, maxOutputTokens } = request;
  const takes = (name: string) => !style.refused.includes(name);
  const cap = style.capNames.find(takes);
  if (cap === undefined) return undefined;
  const strict = style.strict && takes('strict');
  const optional = { ...(prompt.stop.length > 0 ? { stop: prompt.stop } : {}), ...style.parameters };
  const body: JsonObject = {
    ...Object.fromEntries(Object.entries(optional).filter(([name]) => takes(name))),
    model,
    messages: legalConversation(prompt.messages).map((message) => chatMessage(message, style)),
    ...(prompt.functions.length > 0 ? { tools: prompt.functions.map((spec) => chatTool(spec, style.names, strict)) } : {}),
    [cap]: maxOutputTokens,
  };
  return wellFormedJson(body);
}

function chatMessage(message: PromptMessage, style: RequestStyle): JsonObject {
  switch (message.role) {
    case 'system':
    case 'user': return { role: message.role, content: message.text };
    case 'tool': return { role: 'tool', tool_call_id: message.callId, content: message.text };
    case 'assistant': return {
      ...providerFields(message.provider, style),
      role: 'assistant',
      // Null is for calls alone: a message with neither text nor calls is refused everywhere.
      content: message.text === '' && message.calls.length > 0 ? null : message.text,
      ...(message.calls.length > 0 ? { tool_calls: message.calls.map((call) => chatCall(call, style)) } : {}),
    };
  }
}

function chatCall({ id, name, argumentsText, provider }: PromptCall, style: RequestStyle): JsonObject {
  return {
    ...providerFields(provider, style),
    id,
    type: 'function',
    function: { name: style.names.toWire(name), arguments: jsonObjectText(argumentsText) },
  };
}

function providerFields(provider: JsonObject | undefined, { refused }: RequestStyle): JsonObject {
  return Object.fromEntries(Object.entries(provider ?? {}).filter(([name]) => !refused.includes(name)));
}

function chatTool({ name, description, schema }: FunctionSpec, names: FunctionNames, strict: boolean): JsonObject {
  return {
    type: 'function',
    function: { name: names.toWire(name), description, parameters: schema, ...(strict && allowsStrict(schema) ? { strict } : {}) },
  };
}

/** OpenAI's strict mode demands that every property is required and no other is allowed, all the way down. */
function allowsStrict(schema: JsonValue): boolean {
  if (!isJsonObject(schema)) return true;
  const { properties, required, additionalProperties, items } = schema;
  if (items !== undefined && !allowsStrict(items)) return false;
  if (schema.type !== 'object') return true;
  if (!isJsonObject(properties) || additionalProperties !== false) return false;
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  return Object.entries(properties).every(([name, property]) => isRequired(name) && allowsStrict(property));
}

function wellFormedJson(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [wellFormed(key), wellFormedValue(member)]));
}

function wellFormedValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return wellFormed(value);
  if (isJsonObject(value)) return wellFormedJson(value);
  return Array.isArray(value) ? value.map(wellFormedValue) : value;
}
