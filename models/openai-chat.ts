import { OpenAI } from 'openai';
import { FAILURE } from '../core/names.ts';
import type { JsonObject } from '../core/json.ts';
import type { ModelReply } from '../core/reply.ts';
import { readChatReply } from './chat-reply.ts';
import { chatRequest } from './chat-request.ts';
import type { RequestStyle } from './chat-request.ts';
import { deadline } from './deadline.ts';
import type { Deadline } from './deadline.ts';
import { failureOf } from './failure-table.ts';
import { functionNames } from './function-names.ts';
import { refusedParameters, rememberRefused } from './learned.ts';
import { OPENAI_URL } from './model-endpoint.ts';
import { ModelFailure } from './model.ts';
import type { Model, ModelRequest } from './model.ts';
import { optionalParts, refusedParameter } from './refused-parameter.ts';
import { faultOf } from './wire-fault.ts';
import { wireFetch } from './wire-fetch.ts';
import type { Fetch } from './wire-fetch.ts';

/** Requests that one call may take because a server refuses one parameter after the other. */
const MAX_REQUESTS = 8;

export interface OpenAiChatOptions {
  /** Address up to and without `/chat/completions`; OpenAI's own when absent. */
  readonly baseURL?: string;
  /** May be empty for a server that asks for none. */
  readonly apiKey: string;
  readonly fetch?: Fetch;
  /** Hold the model to tools' schemas where a schema allows it; off, since most schemas have optional fields. */
  readonly strict?: boolean;
  /** Sent with every request: `temperature`, `reasoning_effort`, `parallel_tool_calls`, … */
  readonly parameters?: JsonObject;
}

/**
 * Speaks Chat Completions through the `openai` client with its retries off. One call is one request, but for a parameter
 * that the server refuses: the request is made again without it, and the process remembers it for this server and model.
 * An abort by the caller throws the signal's reason; everything else that is no reply is a ModelFailure.
 */
export function openAiChat(options: OpenAiChatOptions): Model {
  const baseURL = options.baseURL ?? OPENAI_URL;
  const apiKey = options.apiKey.trim();
  const problem = settingsProblem(baseURL, apiKey);
  if (problem) return { complete: () => Promise.reject(problem) };
  const connection: Connection = {
    client: new OpenAI({ baseURL, apiKey: apiKey || 'none', maxRetries: 0, fetch: wireFetch(options.fetch ?? globalThis.fetch) }),
    baseURL,
    apiKey,
    host: new URL(baseURL).host,
    strict: options.strict ?? false,
    parameters: options.parameters ?? {},
  };
  return { complete: (request) => complete(connection, request) };
}

interface Connection {
  readonly client: OpenAI;
  readonly baseURL: string;
  readonly apiKey: string;
  readonly host: string;
  readonly strict: boolean;
  readonly parameters: JsonObject;
}

/** Settings that no request can be made with. Named without their values: they may hold a secret. */
export function settingsProblem(baseURL: string, apiKey: string): ModelFailure | undefined {
  const never = { retryable: false, billing: 'none' } as const;
  if (!URL.canParse(baseURL) || !/^https?:$/.test(new URL(baseURL).protocol)) {
    return new ModelFailure({ ...never, type: FAILURE.modelBadRequest, message: 'OPENAI_BASE_URL is not an http(s) address.' });
  }
  if (new URL(baseURL).username !== '' || new URL(baseURL).password !== '') {
    return new ModelFailure({ ...never, type: FAILURE.modelBadRequest, message: 'OPENAI_BASE_URL holds a user name or password: put the key into OPENAI_API_KEY.' });
  }
  if (!/^[\x21-\x7e]*$/.test(apiKey)) {
    return new ModelFailure({ ...never, type: FAILURE.modelAuth, message: 'OPENAI_API_KEY holds a character that no key has (a space, a line break or a letter with an accent). Set it again.' });
  }
  return undefined;
}

async function complete(connection: Connection, request: ModelRequest): Promise<ModelReply> {
  const limit = deadline(request.signal, request.timeoutMs);
  try {
    return await learningComplete(connection, request, limit);
  } catch (error) {
    request.signal.throwIfAborted();
    if (error instanceof ModelFailure) throw error;
    const fault = limit.hasPassed() ? { kind: 'network', code: 'DEADLINE' } as const : faultOf(error);
    throw failureOf(fault, { ...connection, model: request.model, nowMs: Date.now() });
  } finally {
    limit.end();
  }
}

async function learningComplete(connection: Connection, request: ModelRequest, limit: Deadline): Promise<ModelReply> {
  const names = functionNames(request.prompt.functions.map(({ name }) => name));
  let refused = refusedParameters(connection.baseURL, request.model);
  for (let requests = 1; ; requests += 1) {
    const style = { names, refused, capNames: capNames(connection.host), strict: connection.strict, parameters: connection.parameters };
    const body = chatRequest(request, style);
    if (!body) throw noCap(connection.host);
    try {
      const text = await post(connection, body, { request, limit });
      const reply = readChatReply(text, { names, model: request.model, dropped: dropped(request, style) });
      rememberRefused(connection.baseURL, request.model, refused);
      return reply;
    } catch (error) {
      const parameter = requests < MAX_REQUESTS ? refusedParameter(faultOf(error), body) : undefined;
      if (parameter === undefined) throw error;
      refused = [...refused, parameter];
    }
  }
}

/** Of all that this server refuses, what this request would have sent. */
function dropped(request: ModelRequest, style: RequestStyle): readonly string[] {
  if (style.refused.length === 0) return [];
  const whole = optionalParts(chatRequest(request, { ...style, refused: [] }) ?? {});
  return style.refused.filter((name) => whole.includes(name));
}

async function post({ client }: Connection, body: JsonObject, call: { request: ModelRequest; limit: Deadline }): Promise<string> {
  const timeout = Math.max(1, Math.ceil(call.request.timeoutMs));
  const response = await client.post('/chat/completions', { body, timeout, signal: call.limit.signal }).asResponse();
  return response.text();
}

/** OpenAI has renamed the cap and refuses the old name for newer models; other servers ignore the new one in silence. */
function capNames(host: string): readonly string[] {
  const isOpenAi = host === 'openai.com' || host.endsWith('.openai.com') || host.endsWith('.openai.azure.com');
  return isOpenAi ? ['max_completion_tokens', 'max_tokens'] : ['max_tokens', 'max_completion_tokens'];
}

function noCap(host: string): ModelFailure {
  const message = `Model server ${host} takes neither max_tokens nor max_completion_tokens: without a cap no reply has a bounded cost.`;
  return new ModelFailure({ type: FAILURE.modelBadRequest, message, retryable: false, billing: 'none' });
}
