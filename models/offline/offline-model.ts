import { arithmetic } from './arithmetic.ts';
import { sendError, sendJson, startChatServer } from './chat-server.ts';
import type { ChatServer } from './chat-server.ts';
import { completion } from './completion.ts';
import type { Decision, Skill } from './decision.ts';
import { INTRODUCTION } from './introduce.ts';
import { orderDesk } from './order-desk.ts';
import { plainLookUp } from './plain-look-up.ts';
import { population } from './population.ts';
import { prefixCache } from './prefix-cache.ts';
import { speak } from './speak.ts';
import { viewOf } from './view.ts';
import type { View } from './view.ts';

/** The model name under which the offline model answers; runs that are pinned to it cost nothing. */
export const OFFLINE_MODEL = 'offline-rules';

const SKILLS: readonly Skill[] = [orderDesk, population, arithmetic, plainLookUp];

/**
 * An OpenAI-compatible server on 127.0.0.1 whose model is a set of rules, not an LLM: it reads the conversation (task,
 * tools, what observations said) and says the next step. So the product runs, on real parts, without a key. Tokens are
 * counted as four bytes each; those of the prefix that the request before had too are reported as cached.
 */
export async function startOfflineModel(options: { readonly port?: number } = {}): Promise<ChatServer> {
  const cached = prefixCache();
  return startChatServer({
    models: [OFFLINE_MODEL],
    complete: ({ body, response }) => {
      if (body.model !== OFFLINE_MODEL) return sendError(response, 404, NO_SUCH_MODEL);
      if (body.stream === true) return sendError(response, 400, NO_STREAM);
      const view = viewOf(body);
      const request = JSON.stringify(body.messages ?? []);
      sendJson(response, 200, completion(body, speak(view, decide(view)), cached(view.goal, request)));
    },
    ...options,
  });
}

const NO_SUCH_MODEL = { message: `the only model here is ${OFFLINE_MODEL}`, type: 'invalid_request_error', param: 'model', code: 'model_not_found' };
const NO_STREAM = { message: 'streaming is not supported here', type: 'invalid_request_error', param: 'stream', code: 'unsupported_parameter' };

/** The first set of rules that is for this conversation. */
export function decide(view: View): Decision {
  for (const skill of SKILLS) {
    const decision = skill(view);
    if (decision) return decision;
  }
  return INTRODUCTION;
}
