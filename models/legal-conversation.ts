import type { PromptMessage } from '../core/reply.ts';

type ToolMessage = Extract<PromptMessage, { role: 'tool' }>;

/** Said for a call whose result is nowhere in the prompt; a request without it is refused, on every later turn too. */
const NO_RESULT = 'No result of this call is known.';

/**
 * The conversation as Chat Completions servers demand it: behind an assistant's calls exactly one tool message each, in
 * the calls' order, and tool messages nowhere else. A prompt that is legal already comes back as it is.
 */
export function legalConversation(messages: readonly PromptMessage[]): readonly PromptMessage[] {
  const legal: PromptMessage[] = [];
  for (let i = 0; i < messages.length; i += 1) {
    const message = messages[i];
    if (message === undefined || message.role === 'tool') continue;
    legal.push(message);
    if (message.role === 'assistant' && message.calls.length > 0) legal.push(...answers(message.calls, toolsFrom(messages, i + 1)));
  }
  return legal;
}

function toolsFrom(messages: readonly PromptMessage[], start: number): readonly ToolMessage[] {
  const tools: ToolMessage[] = [];
  for (let i = start; i < messages.length; i += 1) {
    const message = messages[i];
    if (message?.role !== 'tool') break;
    tools.push(message);
  }
  return tools;
}

function answers(calls: readonly { readonly id: string }[], tools: readonly ToolMessage[]): readonly ToolMessage[] {
  return calls.map(({ id }) => tools.find(({ callId }) => callId === id) ?? { role: 'tool', callId: id, text: NO_RESULT });
}
