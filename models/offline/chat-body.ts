import { isJsonObject } from '../../core/json.ts';
import type { JsonObject, JsonValue } from '../../core/json.ts';

/** A message of a Chat Completions request, as far as the servers here look at it. */
export interface ChatMessage {
  readonly role: string;
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly argumentsText: string }[];
  readonly toolCallId?: string;
}

export function chatMessages(body: JsonObject): readonly ChatMessage[] {
  return objects(body.messages).map((message) => ({
    role: word(message.role),
    text: contentText(message.content),
    calls: objects(message.tool_calls).map(readCall),
    ...(typeof message.tool_call_id === 'string' ? { toolCallId: message.tool_call_id } : {}),
  }));
}

function readCall(call: JsonObject): ChatMessage['calls'][number] {
  const called = isJsonObject(call.function) ? call.function : {};
  return { id: word(call.id), name: word(called.name), argumentsText: word(called.arguments) };
}

function contentText(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content;
  return objects(content).map((part) => word(part.text)).join('');
}

/** A function on offer. */
export interface ChatFunction {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
}

export function chatFunctions(body: JsonObject): readonly ChatFunction[] {
  return objects(body.tools).flatMap((tool) => {
    if (!isJsonObject(tool.function)) return [];
    const { name, description, parameters } = tool.function;
    return [{ name: word(name), description: word(description), schema: isJsonObject(parameters) ? parameters : {} }];
  });
}

export function stopSequences(body: JsonObject): readonly string[] {
  const { stop } = body;
  if (typeof stop === 'string') return [stop];
  return Array.isArray(stop) ? stop.filter((each): each is string => typeof each === 'string' && each !== '') : [];
}

function objects(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : [];
}

function word(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
