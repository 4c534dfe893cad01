import { wellFormed } from '../core/data-text.ts';
import { isJsonObject } from '../core/json.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import type { ModelReply, RawCall } from '../core/reply.ts';
import type { FunctionNames } from './function-names.ts';
import { providerFields } from './provider-fields.ts';

/** Fields of a message that are read here, or that say nothing to the model when they come back. */
const KNOWN_OF_MESSAGE = ['role', 'content', 'tool_calls', 'function_call', 'refusal', 'annotations', 'audio', 'name', 'tool_call_id'];
const KNOWN_OF_CALL = ['id', 'type', 'index', 'function', 'custom'];

export type MessagePart = Pick<ModelReply, 'text' | 'calls' | 'refusal' | 'provider'>;

/** A message as far as it can be read; whatever shape it has, it is read to its end. */
export function readMessage(message: JsonObject, names: FunctionNames): MessagePart {
  const refusal = typeof message.refusal === 'string' ? wellFormed(message.refusal) : textOf(message.content, 'refusal');
  const provider = providerFields(message, KNOWN_OF_MESSAGE);
  return {
    text: textOf(message.content, 'text'),
    calls: rawCalls(message).map((call) => readCall(call, names)),
    ...(refusal === '' ? {} : { refusal }),
    ...(provider ? { provider } : {}),
  };
}

/** Content is a text, or parts of which some hold a text and some a refusal. */
function textOf(content: JsonValue | undefined, kind: 'text' | 'refusal'): string {
  if (typeof content === 'string' || isJsonObject(content)) return partText(content, kind);
  if (!Array.isArray(content)) return '';
  return (content as readonly JsonValue[]).map((part) => partText(part, kind)).join('');
}

function partText(part: JsonValue, kind: 'text' | 'refusal'): string {
  if (typeof part === 'string') return kind === 'text' ? wellFormed(part) : '';
  const text = isJsonObject(part) ? part[kind] : undefined;
  return typeof text === 'string' ? wellFormed(text) : '';
}

/** A single call without its array, and the older `function_call`, are calls too; so is what was meant as calls and is none. */
function rawCalls(message: JsonObject): readonly JsonValue[] {
  const { tool_calls: calls, function_call: legacy } = message;
  if (Array.isArray(calls) && calls.length > 0) return calls as readonly JsonValue[];
  if (isJsonObject(calls)) return [calls];
  if (typeof calls === 'string' && calls.trim() !== '') return [calls];
  return isJsonObject(legacy) ? [{ function: legacy }] : [];
}

function readCall(call: JsonValue, names: FunctionNames): RawCall {
  if (!isJsonObject(call)) return { name: '', argumentsText: argumentsText(call) };
  const called = isJsonObject(call.function) ? call.function : isJsonObject(call.custom) ? call.custom : call;
  const name = typeof called.name === 'string' ? wellFormed(called.name) : '';
  const provider = called === call ? undefined : providerFields(call, KNOWN_OF_CALL);
  return {
    name: names.fromWire(name),
    argumentsText: argumentsText(called.arguments ?? called.input ?? null),
    ...(provider ? { provider } : {}),
  };
}

/** Arguments are JSON text by the standard; some servers send the value itself. */
function argumentsText(value: JsonValue): string {
  if (value === null) return '';
  if (typeof value === 'string') return wellFormed(value);
  try {
    return wellFormed(JSON.stringify(value));
  } catch {
    return '';
  }
}
