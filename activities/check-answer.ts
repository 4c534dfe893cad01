import { answerProblems } from '../core/answer-check.ts';
import { isJsonObject } from '../core/json.ts';
import type { JsonObject } from '../core/json.ts';
import { readTextInput } from '../core/text-input.ts';
import type { AnswerAction, InvalidAction } from '../core/transcript.ts';
import type { CheckContext } from './check-reply.ts';
import { exampleJson } from './example-json.ts';
import { invalid } from './invalid-action.ts';
import { schemaProblems } from './schema-problems.ts';

/** An answer with what the evidence does not carry; a structured one has to fit its schema first. */
export function checkAnswer(text: string, { agent, evidence, items }: CheckContext): Omit<AnswerAction, 'id'> | Omit<InvalidAction, 'id'> {
  const answer = agent.answerSchema ? structured(text, agent.answerSchema) : { value: unwrapped(text) };
  if ('problem' in answer) return invalid('format', { text: answer.problem, raw: text });
  const { tools, instructions } = agent;
  return { kind: 'final_answer', answer: answer.value, problems: answerProblems(answer.value, { evidence, tools, items, instructions }) };
}

const ANSWER_FIELD = /^(?:answer|final_answer|text|response|result|message|content|output)$/;

/** Models call `final_answer({"answer": "…"})` unasked; who asked for a text gets the text, not JSON around it. */
function unwrapped(text: string): string {
  if (!text.startsWith('{')) return text;
  const input = readTextInput(text, false);
  const [[field, value] = [], ...more] = input.kind === 'arguments' ? Object.entries(input.args) : [];
  return more.length === 0 && typeof value === 'string' && field !== undefined && ANSWER_FIELD.test(field) ? value : text;
}

type Structured = { readonly value: string | JsonObject } | { readonly problem: string };

function structured(text: string, schema: JsonObject): Structured {
  // Never repaired: an answer is what someone acts on.
  const input = readTextInput(text, false);
  if (input.kind !== 'arguments' || !isJsonObject(input.args)) {
    const why = input.kind === 'problem' ? ` (${input.problem})` : '';
    return { problem: `The final answer must be one JSON object and nothing else${why}, for example: ${exampleJson(schema)}` };
  }
  const wrong = schemaProblems(schema, input.args);
  if (wrong.length === 0) return { value: input.args };
  return { problem: `The final answer does not fit its schema: ${wrong.join('; ')}. For example: ${exampleJson(schema)}` };
}
