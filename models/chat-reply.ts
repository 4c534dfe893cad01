import { wellFormed } from '../core/data-text.ts';
import { isJsonObject, own } from '../core/json.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import type { ModelReply } from '../core/reply.ts';
import { isMarkup, readError } from './error-body.ts';
import type { FunctionNames } from './function-names.ts';
import { readMessage } from './chat-message.ts';
import { capReply } from './reply-cap.ts';
import { WireFault } from './wire-fault.ts';

export interface ReplyContext {
  readonly names: FunctionNames;
  /** The model that was asked for, used when the reply names none. */
  readonly model: string;
  readonly dropped: readonly string[];
}

/**
 * Reads the body of a 2xx answer. Odd shapes inside a reply become a reply that says little; only an answer that holds
 * no reply at all is a fault.
 *
 * @throws WireFault
 */
export function readChatReply(bodyText: string, context: ReplyContext): ModelReply {
  const body = parseBody(bodyText);
  const choice = Array.isArray(body.choices) ? (body.choices as readonly JsonValue[])[0] : undefined;
  if (isError(body.error) && !hasMessage(choice)) throw errorFault(body);
  if (!isJsonObject(choice)) throw badReply('no choices');
  if (isError(choice.error)) throw errorFault(choice);
  const isEnded = typeof choice.finish_reason === 'string';
  if (!isJsonObject(choice.message) && !isEnded) throw badReply('a choice without a message');
  const message = isJsonObject(choice.message) ? choice.message : {};
  return capReply({ ...readMessage(message, context.names), ...aboutReply(body, choice, context) });
}

function parseBody(text: string): JsonObject {
  if (text.trim() === '') throw badReply('an empty body');
  let body: unknown;
  try {
    body = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    throw badReply(isMarkup(text) ? 'a web page' : 'no valid JSON');
  }
  if (!isJsonObject(body)) throw badReply('JSON, but no object');
  return body;
}

function hasMessage(choice: JsonValue | undefined): boolean {
  return isJsonObject(choice) && isJsonObject(choice.message);
}

function isError(value: JsonValue | undefined): boolean {
  return isJsonObject(value) || (typeof value === 'string' && value !== '');
}

/** Some servers answer 200 and put the real status into the error. */
function errorFault(holder: JsonObject): WireFault {
  const said = readError(holder);
  const status = /^[345]\d\d$/.test(said.code) ? Number(said.code) : 200;
  return new WireFault({ kind: 'status', status, said });
}

function badReply(what: string): WireFault {
  return new WireFault({ kind: 'bad_reply', what });
}

type AboutReply = Pick<ModelReply, 'finish' | 'usage' | 'model' | 'dropped'>;

function aboutReply(body: JsonObject, choice: JsonObject, { model, dropped }: ReplyContext): AboutReply {
  const usage = readUsage(body.usage);
  return {
    finish: (typeof choice.finish_reason === 'string' ? own(FINISH, choice.finish_reason) : undefined) ?? 'other',
    ...(usage ? { usage } : {}),
    model: typeof body.model === 'string' && body.model !== '' ? wellFormed(body.model).slice(0, 200) : model,
    dropped,
  };
}

const FINISH: Readonly<Record<string, ModelReply['finish']>> = {
  stop: 'stop', tool_calls: 'stop', function_call: 'stop', end_turn: 'stop', eos: 'stop',
  length: 'length', max_tokens: 'length', content_filter: 'filter',
};

/** Only figures that are counts; what a zero or a missing one costs is the caller's to decide. */
function readUsage(usage: JsonValue | undefined): ModelReply['usage'] {
  if (!isJsonObject(usage)) return undefined;
  const details = isJsonObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  const inputTokens = count(usage.prompt_tokens ?? usage.input_tokens);
  const outputTokens = count(usage.completion_tokens ?? usage.output_tokens);
  const cachedTokens = count(details.cached_tokens ?? usage.prompt_cache_hit_tokens);
  return {
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(cachedTokens === undefined ? {} : { cachedTokens: Math.min(cachedTokens, inputTokens ?? cachedTokens) }),
  };
}

function count(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
