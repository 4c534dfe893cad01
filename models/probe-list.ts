import { OpenAI } from 'openai';
import { isJsonObject } from '../core/json.ts';
import type { JsonValue } from '../core/json.ts';
import { deadline } from './deadline.ts';
import { failureOf } from './failure-table.ts';
import type { ModelEndpoint } from './model-endpoint.ts';
import { faultOf } from './wire-fault.ts';
import { wireFetch } from './wire-fetch.ts';

export interface ProbeLimits {
  /** Of one request. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Ids of the models that the server lists. Any HTTP answer means that it was reached: `undefined` when the answer is no
 * list, since many servers have none and some keys may not read it. An abort throws the signal's reason.
 *
 * @throws ModelFailure when no answer came.
 */
export async function listedModels({ baseURL, apiKey, model }: ModelEndpoint, { signal, timeoutMs }: ProbeLimits): Promise<readonly string[] | undefined> {
  const client = new OpenAI({ baseURL, apiKey: apiKey || 'none', maxRetries: 0, fetch: wireFetch(globalThis.fetch) });
  const limit = deadline(signal, timeoutMs);
  try {
    const response = await client.get('/models', { timeout: Math.ceil(timeoutMs), signal: limit.signal }).asResponse();
    return idsIn(await response.text());
  } catch (error) {
    signal.throwIfAborted();
    const fault = limit.hasPassed() ? { kind: 'network', code: 'DEADLINE' } as const : faultOf(error);
    if (fault.kind !== 'network') return undefined;
    throw failureOf(fault, { host: new URL(baseURL).host, model, apiKey, nowMs: Date.now() });
  } finally {
    limit.end();
  }
}

function idsIn(text: string): readonly string[] | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isJsonObject(body) || !Array.isArray(body.data)) return undefined;
  return (body.data as readonly JsonValue[]).flatMap((entry) => (isJsonObject(entry) && typeof entry.id === 'string' ? [entry.id] : []));
}
