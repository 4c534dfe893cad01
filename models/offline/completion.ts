import { createHash } from 'node:crypto';
import { isJsonObject, utf8Bytes } from '../../core/json.ts';
import type { JsonObject } from '../../core/json.ts';
import { stopSequences } from './chat-body.ts';

/** What a model says, before it is a Chat Completions body. */
export interface Saying {
  readonly text?: string;
  readonly calls?: readonly SaidCall[];
  /** `stop` or `tool_calls` by what there is, when absent. */
  readonly finish?: string;
  /** Further fields of the message, such as `reasoning_content`. */
  readonly message?: JsonObject;
  /** `count` by this server's rule when absent. */
  readonly usage?: 'none' | 'zero' | JsonObject;
}

export interface SaidCall {
  readonly name: string;
  readonly args?: JsonObject;
  /** Instead of `args`: any text, valid or not. */
  readonly argumentsText?: string;
  readonly id?: string;
  /** Further fields of the call, such as `extra_content`. */
  readonly fields?: JsonObject;
}

/** Tokens of a text by this server's rule: four UTF-8 bytes each, rounded up. */
export function countTokens(text: string): number {
  return Math.ceil(utf8Bytes(text) / 4);
}

/** The completion of a request: stop sequences and the cap on output tokens are honoured, usage is counted. */
export function completion(request: JsonObject, saying: Saying, cachedTokens = 0): JsonObject {
  const said = bounded(request, saying);
  const calls = (saying.calls ?? []).map(toolCall);
  const message = {
    role: 'assistant',
    content: said.text === '' && calls.length > 0 ? null : said.text,
    refusal: null,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...saying.message,
  };
  const finish = saying.finish ?? (said.isCut ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop');
  const usage = usageOf({ request, output: `${said.text}${calls.length > 0 ? JSON.stringify(calls) : ''}`, cachedTokens });
  return {
    id: `chatcmpl-${digest(JSON.stringify([request, message]))}`,
    object: 'chat.completion',
    created: 0,
    model: typeof request.model === 'string' ? request.model : '',
    choices: [{ index: 0, message, finish_reason: finish, logprobs: null }],
    ...usageField(saying.usage, usage),
  };
}

function bounded(request: JsonObject, { text = '' }: Saying): { readonly text: string; readonly isCut: boolean } {
  const ends = stopSequences(request).map((stop) => text.indexOf(stop)).filter((at) => at >= 0);
  const stopped = text.slice(0, Math.min(text.length, ...ends));
  const cap = request.max_completion_tokens ?? request.max_tokens;
  if (typeof cap !== 'number' || countTokens(stopped) <= cap) return { text: stopped, isCut: false };
  return { text: Buffer.from(stopped).subarray(0, cap * 4).toString().replace(/\ufffd$/, ''), isCut: true };
}

function toolCall({ name, args, argumentsText, id, fields }: SaidCall, i: number): JsonObject {
  const text = argumentsText ?? JSON.stringify(args ?? {});
  return {
    id: id ?? `call_${digest(`${i} ${name} ${text}`)}`, type: 'function', function: { name, arguments: text }, ...fields,
  };
}

function usageOf(counted: { readonly request: JsonObject; readonly output: string; readonly cachedTokens: number }): JsonObject {
  const { messages, tools } = counted.request;
  const input = countTokens(JSON.stringify([messages ?? [], tools ?? []]));
  const output = countTokens(counted.output);
  return {
    prompt_tokens: input, completion_tokens: output, total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: Math.min(counted.cachedTokens, input) },
  };
}

function usageField(wanted: Saying['usage'], counted: JsonObject): JsonObject {
  if (wanted === 'none') return {};
  if (wanted === 'zero') return { usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } };
  return { usage: isJsonObject(wanted) ? wanted : counted };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}
