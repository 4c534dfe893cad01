import type { JsonObject } from '../../core/json.ts';
import { chatMessages } from './chat-body.ts';
import { offeredTools } from './offered-tools.ts';
import type { OfferedTool } from './offered-tools.ts';
import { pastFunctionCalls, pastTextCalls } from './past-calls.ts';
import type { PastCall } from './past-calls.ts';
import { dataAfter, unmarked } from './data-lines.ts';

/** A conversation as the rules see it; whatever a prompt does not hold is empty here. */
export interface View {
  readonly form: 'function-calling' | 'text';
  readonly goal: string;
  /** What persons said since, oldest first. */
  readonly persons: readonly string[];
  readonly tools: readonly OfferedTool[];
  /** JSON Schema of the final answer, when it has to be structured. */
  readonly answerSchema?: JsonObject;
  readonly past: readonly PastCall[];
}

export function viewOf(body: JsonObject): View {
  const messages = chatMessages(body);
  const system = messages.filter(({ role }) => role === 'system' || role === 'developer').map(({ text }) => text).join('\n');
  const talk = messages.filter(({ role }) => role !== 'system' && role !== 'developer');
  const users = talk.filter(({ role }) => role === 'user').map(({ text }) => text);
  const offer = offeredTools(body, system);
  const isText = offer.form === 'text';
  return { ...offer, goal: goalOf(users), persons: personsWords(users), past: isText ? pastTextCalls(talk) : pastFunctionCalls(talk) };
}

/** The reminder says the goal as it is now; without one the task, else the first thing that a user said. */
function goalOf(users: readonly string[]): string {
  const reminded = dataAfter(users.at(-1) ?? '', 'Goal:').at(-1);
  const task = dataAfter(users[0] ?? '', 'Task:')[0];
  return (reminded ?? task ?? unmarked(users[0] ?? '')).trim();
}

function personsWords(users: readonly string[]): readonly string[] {
  return users.flatMap((text) => dataAfter(text, 'A person ('));
}
