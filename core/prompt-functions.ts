import { BUILT_IN_FUNCTIONS } from './built-in-functions.ts';
import { canonicalText, jsonObjectText } from './canonical-text.ts';
import { harmlessTags, wellFormed } from './data-text.ts';
import type { JsonObject } from './json.ts';
import { BUILT_IN } from './names.ts';
import { COMMON_RULES, ruleList, whoText } from './prompt-rules.ts';
import type { PromptAgent } from './prompt-rules.ts';
import type { FunctionSpec, PromptCall, PromptMessage } from './reply.ts';
import type { QuestionForm } from './run.ts';
import type { Action, InvalidAction, ReplyItem } from './transcript.ts';

/** The functions that a function-calling model is told of: the agent's tools, then the loop's own actions. */
export function functionSpecs(agent: PromptAgent): readonly FunctionSpec[] {
  if (agent.form === 'text') return [];
  const tools = agent.tools.map(({ name, description, schema }) => ({
    name, description: harmlessTags(wellFormed(description)), schema,
  }));
  const { answerSchema } = agent;
  const answer = answerSchema
    ? [{ name: BUILT_IN.finalAnswer, description: 'Give the final answer. Call it alone, when the task is done.', schema: answerSchema }]
    : [];
  return [...tools, ...BUILT_IN_FUNCTIONS, ...answer];
}

/** The system message of the function-calling form. */
export function functionSystemText(agent: PromptAgent): string {
  const answer = agent.answerSchema
    ? `When the task is done, call ${BUILT_IN.finalAnswer} alone; its arguments are the answer.`
    : 'When the task is done, reply with the final answer as plain text and no call.';
  return [
    whoText(agent),
    'How to work',
    ruleList([
      'Before each call write one line of thought as text: what is known, what is missing, what the call is for.',
      'Calls of one reply run side by side. Put only such calls together as do not need each other\'s results.',
      answer,
      `Ask a person with ${BUILT_IN.askPerson}, give the run to a person with ${BUILT_IN.handOver}, keep track of several parts with ${BUILT_IN.todo}.`,
      ...COMMON_RULES,
    ]),
  ].join('\n\n');
}

/** A reply as the assistant's message: thought as text, named actions as calls; nothing when there is neither. */
export function functionReply(reply: ReplyItem): PromptMessage | undefined {
  const calls = reply.actions.filter((action) => isFunctionCall(action, reply)).map(promptCall);
  const spoken = reply.actions.filter((action) => !isFunctionCall(action, reply)).map(spokenText);
  const text = [reply.thought ?? '', ...spoken].filter((part) => part !== '').join('\n\n');
  if (text === '' && calls.length === 0) return undefined;
  return { role: 'assistant', text, calls, ...(reply.provider ? { provider: reply.provider } : {}) };
}

/** Whether an action was, and so is shown again as, a call; the rest of a reply is its text. */
export function isFunctionCall(action: Action, { actions }: ReplyItem): boolean {
  switch (action.kind) {
    case 'invalid': return action.tool !== undefined;
    case 'final_answer': return typeof action.answer !== 'string' || actions.length > 1;
    case 'call':
    case 'ask_person':
    case 'hand_over':
    case 'update_todo': return true;
  }
}

function spokenText(action: Action): string {
  if (action.kind === 'invalid') return action.raw;
  return action.kind === 'final_answer' && typeof action.answer === 'string' ? action.answer : '';
}

function promptCall(action: Action): PromptCall {
  const { name, argumentsText } = spokenCall(action);
  return {
    id: promptCallId(action.id), name, argumentsText, ...(action.provider ? { provider: action.provider } : {}),
  };
}

interface SpokenCall {
  readonly name: string;
  /** Valid JSON text of an object, keys sorted. */
  readonly argumentsText: string;
}

function formJson(form: QuestionForm): JsonObject {
  return Object.fromEntries(Object.entries(form).map(([name, field]) => [name, { ...field }]));
}

/** An action as a call with a name and arguments, whatever kind it is. */
export function spokenCall(action: Action): SpokenCall {
  switch (action.kind) {
    case 'call': return { name: action.tool, argumentsText: canonicalText(action.args) };
    case 'ask_person': return { name: BUILT_IN.askPerson, argumentsText: canonicalText({ question: action.question, ...(action.form ? { fields: formJson(action.form) } : {}) }) };
    case 'hand_over': {
      const { reason, queue } = action;
      return { name: BUILT_IN.handOver, argumentsText: canonicalText({ reason, ...(queue ? { queue } : {}) }) };
    }
    case 'update_todo': {
      const items = action.items.map(({ text, done }) => ({ text, done }));
      return { name: BUILT_IN.todo, argumentsText: canonicalText({ items }) };
    }
    case 'final_answer': {
      const answer = typeof action.answer === 'string' ? { answer: action.answer } : action.answer;
      return { name: BUILT_IN.finalAnswer, argumentsText: canonicalText(answer) };
    }
    case 'invalid': return { name: calledName(action), argumentsText: jsonObjectText(action.raw) };
  }
}

/** A made-up name may hold anything; a conversation holds only names that every provider takes. */
function calledName({ tool = '', problem }: InvalidAction): string {
  if (problem !== 'unknown_tool' && tool !== '') return tool;
  return tool.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'unnamed';
}

/**
 * Nine letters and digits made from our own id `<turn>.<n>`: the strictest provider's form (Mistral:
 * `^[a-zA-Z0-9]{9}$`), legal for all, and never the provider's own, which may be missing or used twice.
 */
export function promptCallId(actionId: string): string {
  const [turn = '', n = ''] = actionId.split('.');
  return `c${base36(turn, 5)}${base36(n, 3)}`;
}

function base36(digits: string, width: number): string {
  return Number(digits).toString(36).padStart(width, '0').slice(-width);
}
