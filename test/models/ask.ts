import type { Prompt } from '../../core/reply.ts';
import { ModelFailure } from '../../models/model.ts';
import type { Model, ModelRequest } from '../../models/model.ts';

export const PROMPT: Prompt = {
  messages: [{ role: 'system', text: 'You are desk.' }, { role: 'user', text: 'Task:\n| Say hello.' }],
  functions: [],
  stop: [],
};

/** A request with everything set, changed where a test cares. */
export function ask(change: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: 'scripted', prompt: PROMPT, maxOutputTokens: 500, timeoutMs: 20_000, signal: new AbortController().signal, ...change,
  };
}

/** The failure of a call that must fail with one. */
export async function failureOfCall(model: Model, request: ModelRequest): Promise<ModelFailure> {
  try {
    await model.complete(request);
  } catch (error) {
    if (error instanceof ModelFailure) return error;
    throw error;
  }
  throw new Error('the call came back with a reply');
}
