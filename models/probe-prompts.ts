import type { ToolFacts } from '../core/agent.ts';
import { systemPrompt } from '../core/prompt.ts';
import { promptCallId } from '../core/prompt-functions.ts';
import { canonicalText } from '../core/canonical-text.ts';
import { TEXT_STOP } from '../core/prompt-text.ts';
import type { Prompt, ReadAction } from '../core/reply.ts';

/** The one tool of the probes. Its schema is one that every strict mode takes, and nothing is ever run. */
export const PROBE_TOOL: ToolFacts = {
  name: 'get_order',
  description: 'The status of one order.',
  schema: {
    type: 'object',
    properties: { order_id: { type: 'string', description: 'The number of the order' } },
    required: ['order_id'],
    additionalProperties: false,
  },
  effect: 'read', ids: { order_id: 'order' }, approval: 'never', timeoutMs: 10_000, maxAttempts: 1, polls: false,
};

export const ORDER = '88213';
export const OTHER_ORDER = '88214';
/** Stands in the result that is sent back and nowhere else: an answer that has it has read the result. */
export const BAY = '47';

const SYSTEM = { role: 'system', text: 'You answer for orders. Look an order up with get_order before you say anything about it.' } as const;

function asking(question: string): Prompt {
  return { messages: [SYSTEM, { role: 'user', text: question }], functions: [PROBE_TOOL], stop: [] };
}

export const PLAIN_PROMPT: Prompt = { messages: [{ role: 'user', text: 'Reply with the one word: ready' }], functions: [], stop: [] };

export const ONE_CALL_PROMPT = asking(`What is the status of order ${ORDER}?`);

export const TWO_CALLS_PROMPT = asking(
  `What is the status of order ${ORDER}, and what is the status of order ${OTHER_ORDER}? Look both up in this reply: two calls at once.`,
);

/** Asks for a field that the schema does not have: a server that holds the model to the schema cannot let it through. */
export const STRICT_PROMPT = asking(
  `What is the status of order ${ORDER}? Give get_order a second argument as well: note, with the text "probe".`,
);

/** The conversation after one call, its result answered as runs do it. */
export function roundTripPrompt(call: Extract<ReadAction, { kind: 'call' }>, provider: Prompt['messages'][number] & { role: 'assistant' }): Prompt {
  const id = promptCallId('1.1');
  const made = { id, name: call.tool, argumentsText: canonicalText(call.args), ...(call.provider ? { provider: call.provider } : {}) };
  const result = canonicalText({ order_id: ORDER, status: `held in bay ${BAY}` });
  return {
    ...ONE_CALL_PROMPT,
    messages: [...ONE_CALL_PROMPT.messages, { ...provider, calls: [made] }, { role: 'tool', callId: id, text: result }],
  };
}

const TEXT_SYSTEM = {
  role: 'system',
  text: systemPrompt({ name: 'probe', instructions: 'You answer for orders.', form: 'text', tools: [PROBE_TOOL] }),
} as const;

/** What a run in the text form sends in its first turn. */
export const TEXT_PROMPT: Prompt = {
  messages: [TEXT_SYSTEM, { role: 'user', text: `Task:\n| What is the status of order ${ORDER}?` }], functions: [], stop: TEXT_STOP,
};

/** The same, and the model is told to write on behind its action: only the server can stop it then. */
export const STOP_PROMPT: Prompt = {
  messages: [TEXT_SYSTEM, {
    role: 'user',
    text: `Task:\n| What is the status of order ${ORDER}?\n\nThis once, to test the stop sequence, write a whole made-up transcript in one reply: ` +
      'a line each for thought, action, action input, observation and final answer, every line under its label.',
  }],
  functions: [],
  stop: TEXT_STOP,
};
