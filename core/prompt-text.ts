import { canonicalText } from './canonical-text.ts';
import { oneLine, wellFormed } from './data-text.ts';
import { exampleArguments, exampleTool, requiredFields } from './example-call.ts';
import { BUILT_IN } from './names.ts';
import { spokenCall } from './prompt-functions.ts';
import { COMMON_RULES, ruleList, whoText } from './prompt-rules.ts';
import type { PromptAgent } from './prompt-rules.ts';
import { FIELD_TYPES } from './question-form.ts';
import type { PromptMessage } from './reply.ts';
import type { Action, ReplyItem } from './transcript.ts';

/** With line break and colon: a model that only writes the word while it thinks is not cut. */
export const TEXT_STOP: readonly string[] = ['\nObservation:'];

const DESCRIPTION_CHARS = 2_000;

/** The system message of the text form: who, how to reply, rules, tools with their schemas, one example of a real tool. */
export function textSystemText(agent: PromptAgent): string {
  return [whoText(agent), formatText(agent), 'Rules', ruleList(rules(agent)), 'Tools', ...agent.tools.map(toolText)]
    .join('\n\n');
}

function formatText(agent: PromptAgent): string {
  const answer = agent.answerSchema
    ? `one JSON object that matches this schema: ${canonicalText(agent.answerSchema)}`
    : 'the answer to the task';
  return [
    'How to reply',
    'One thought, then one action, then stop:',
    'Thought: one line: what is known, what is missing, what to do next\n' +
      'Action: the name of one tool\nAction Input: its arguments as one JSON object',
    ...exampleText(agent),
    'When the task is done:',
    `Thought: why the task is done\nFinal Answer: ${answer}`,
  ].join('\n\n');
}

function exampleText({ tools }: PromptAgent): readonly string[] {
  const tool = exampleTool(tools);
  if (!tool) return [];
  const json = `For example:\n\nAction: ${tool.name}\nAction Input: ${canonicalText(exampleArguments(tool.schema))}`;
  const [field, ...more] = requiredFields(tool.schema);
  if (field === undefined || more.length > 0) return [json];
  return [json, `A tool with one required field may also be called in short:\n\nAction: ${tool.name}[<${field}>]`];
}

function rules({ tools }: PromptAgent): readonly string[] {
  return [
    'One action a reply. The system runs it and writes the observation; then you go on.',
    `Ask a person with Action: ${BUILT_IN.askPerson}[the question], when no tool can tell; for fields instead of text with Action Input: {"fields":{"amount":{"type":"number"}},"question":"…"}, types ${FIELD_TYPES.join(', ')}; choice has "options".`,
    `Give the run to a person with Action: ${BUILT_IN.handOver} and Action Input: {"reason":"why","queue":"where it belongs, if you know"}, when the task is not yours to decide or you cannot go on.`,
    `Keep track of several parts with Action: ${BUILT_IN.todo} and Action Input: {"items":[{"done":false,"text":"one part"}]}; it replaces the list before.`,
    `Bring back an observation that was cut or elided with Action: ${BUILT_IN.recall}[3.1], its id.`,
    `${tools.length === 0 ? 'There are no tools.' : 'Only the tools below exist.'}`,
    ...COMMON_RULES,
  ];
}

/** One line each, so that a description cannot forge a label. */
function toolText({ name, description, schema }: PromptAgent['tools'][number]): string {
  return `- ${name}: ${oneLine(wellFormed(description), DESCRIPTION_CHARS)}\n  Arguments (JSON Schema): ${canonicalText(schema)}`;
}

/** A reply as the model should have written it: one format whatever it wrote, so that it learns from its own turns. */
export function textReply(reply: ReplyItem): PromptMessage | undefined {
  const thought = reply.thought === undefined ? [] : [`Thought: ${reply.thought}`];
  const text = [...thought, ...reply.actions.map(actionText)].filter((part) => part !== '').join('\n');
  if (text === '') return undefined;
  return { role: 'assistant', text, calls: [], ...(reply.provider ? { provider: reply.provider } : {}) };
}

function actionText(action: Action): string {
  if (action.kind === 'final_answer') {
    const { answer } = action;
    return `Final Answer: ${typeof answer === 'string' ? answer : canonicalText(answer)}`;
  }
  if (action.kind === 'invalid' && action.tool === undefined) return action.raw;
  const { name, argumentsText } = spokenCall(action);
  return `Action: ${name}\nAction Input: ${action.kind === 'invalid' ? action.raw : argumentsText}`;
}
