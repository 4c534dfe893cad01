import type { PinnedAgent } from './agent.ts';
import { conversation, userPart } from './conversation.ts';
import type { Part } from './conversation.ts';
import { currentGoal } from './current-goal.ts';
import { wellFormed } from './data-text.ts';
import { PART_GAP, promptBytes } from './prompt-bytes.ts';
import { functionSpecs, functionSystemText } from './prompt-functions.ts';
import type { PromptAgent } from './prompt-rules.ts';
import { TEXT_STOP, textSystemText } from './prompt-text.ts';
import { reminderText } from './reminder.ts';
import type { Prompt, PromptMessage } from './reply.ts';
import { shownItems } from './shown-items.ts';
import type { Item } from './transcript.ts';

export { currentGoal } from './current-goal.ts';
export { currentPromptBytes, itemBytes, promptBytes, reminderBytes } from './prompt-bytes.ts';
export { functionSpecs } from './prompt-functions.ts';

/** The system message: the first and the never-changing part of every prompt of a run. */
export function systemPrompt(agent: PromptAgent): string {
  return wellFormed(agent.form === 'text' ? textSystemText(agent) : functionSystemText(agent));
}

/**
 * The prompt for these items, `first` being the number of the first of them. The same items give the same bytes, and
 * more items only add to the end: what stands before the reminder is a prefix of every later prompt, so that providers'
 * caches hit. Only a mark (`elided`, `summary`) changes what is above, in one step. The conversation is legal for every
 * provider: each call is answered once, in order, and nothing empty is sent.
 */
export function renderPrompt(agent: PinnedAgent, items: readonly Item[], first = 0): Prompt {
  const { form } = agent;
  const shown = shownItems(items, first);
  const parts = [...conversation(form, shown), userPart(reminderText(form, currentGoal(items)))];
  return {
    messages: [{ role: 'system', text: systemPrompt(agent) }, ...joined(parts)],
    functions: functionSpecs(agent),
    stop: form === 'text' ? TEXT_STOP : [],
  };
}

/** Bytes of what every prompt of this agent starts with; pinned as `promptBytes`. */
export function agentPromptBytes(agent: PromptAgent): number {
  return promptBytes({ messages: [{ role: 'system', text: systemPrompt(agent) }], functions: functionSpecs(agent) });
}

/** Some servers refuse two user messages in a row, so neighbours become one. */
function joined(parts: readonly Part[]): readonly PromptMessage[] {
  const messages: PromptMessage[] = [];
  for (const { message } of parts) {
    const last = messages.at(-1);
    if (message.role === 'user' && last?.role === 'user') {
      messages[messages.length - 1] = { role: 'user', text: `${last.text}${PART_GAP}${message.text}` };
    } else messages.push(message);
  }
  return messages;
}
