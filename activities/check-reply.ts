import type { PinnedAgent, ToolFacts } from '../core/agent.ts';
import { answerProblems } from '../core/answer-check.ts';
import type { Evidence } from '../core/evidence.ts';
import { isJsonObject } from '../core/json.ts';
import type { JsonObject } from '../core/json.ts';
import { readJson } from '../core/json-reader.ts';
import type { ReadAction, ReadReply } from '../core/reply.ts';
import type { Action, InvalidAction, Item, ReplyNote } from '../core/transcript.ts';
import type { AgentDefinition } from '../tools/define-agent.ts';
import { checkCall } from './check-call.ts';
import type { CheckedCall } from './check-call.ts';
import { invalid } from './invalid-action.ts';
import { schemaProblems } from './schema-problems.ts';

/** Actions of one reply that are looked at. Only sixteen calls of them can run. */
const MAX_ACTIONS = 200;

/** All that a reply is checked against. */
export interface CheckContext {
  readonly turn: number;
  readonly agent: PinnedAgent;
  /** The code behind the pinned agent, for rules on arguments; absent when it is not deployed any more. */
  readonly definition?: AgentDefinition;
  readonly evidence: Evidence;
  readonly items: readonly Item[];
}

/** Turns what a reply says into actions that can run, or that carry their problem and the text that the model will read. */
export function checkReply(read: ReadReply, context: CheckContext): { readonly actions: readonly Action[]; readonly notes: readonly ReplyNote[] } {
  const actions = read.actions.slice(0, MAX_ACTIONS).map((action, i) => checkAction(action, `${context.turn}.${i + 1}`, context));
  return { actions, notes: read.notes };
}

function checkAction(action: ReadAction, id: string, context: CheckContext): Action {
  const base = { id, ...('provider' in action && action.provider ? { provider: action.provider } : {}) };
  switch (action.kind) {
    case 'format': return { ...base, ...invalid(action.problem, action) };
    case 'call': return { ...base, ...checkCall(action, context) };
    case 'bare_call': return { ...base, ...checkBareCall(action, context) };
    case 'final_answer': return { ...base, ...checkAnswer(action.text, context) };
    case 'ask_person': return { ...base, kind: 'ask_person', question: action.question };
    case 'hand_over': return { ...base, kind: 'hand_over', reason: action.reason, ...(action.queue ? { queue: action.queue } : {}) };
    case 'update_todo': return { ...base, kind: 'update_todo', items: action.items };
  }
}

/** Text form: `tool[free text]` fills the one field that a tool needs; a tool with several needs JSON. */
function checkBareCall(action: Extract<ReadAction, { kind: 'bare_call' }>, context: CheckContext): CheckedCall {
  const { tool, input, raw } = action;
  const facts = context.agent.tools.find(({ name }) => name === tool);
  if (!facts) return checkCall({ kind: 'call', tool, args: {}, raw }, context);
  const field = theOneField(facts);
  if (field === undefined) {
    const fields = Object.keys(propertiesOf(facts.schema)).join(', ');
    return invalid('bad_arguments', { tool, raw, text: `${tool} has several fields (${fields}): write them as JSON, for example Action Input: ${exampleJson(facts)}` });
  }
  return checkCall({ kind: 'call', tool, args: { [field]: typed(input, propertiesOf(facts.schema)[field]) }, raw }, context);
}

function theOneField({ schema }: ToolFacts): string | undefined {
  const { required } = schema;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const fields = needed.length > 0 ? needed : Object.keys(propertiesOf(schema));
  const [field] = fields;
  return fields.length === 1 && typeof field === 'string' ? field : undefined;
}

function propertiesOf({ properties }: JsonObject): JsonObject {
  return isJsonObject(properties) ? properties : {};
}

/** A number or a truth value only where the schema wants one and the text is exactly one; otherwise text. */
function typed(input: string, schema: unknown): string | number | boolean {
  const type = isJsonObject(schema) ? schema['type'] : undefined;
  if ((type === 'number' || type === 'integer') && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(input)) return Number(input);
  if (type === 'boolean' && (input === 'true' || input === 'false')) return input === 'true';
  return input;
}

function exampleJson({ schema }: ToolFacts): string {
  return JSON.stringify(Object.fromEntries(Object.keys(propertiesOf(schema)).map((field) => [field, '…'])));
}

function checkAnswer(text: string, context: CheckContext): Omit<Extract<Action, { kind: 'final_answer' }>, 'id'> | Omit<InvalidAction, 'id'> {
  const { agent, evidence, items } = context;
  const problems = answerProblems(text, { evidence, tools: agent.tools, items });
  if (!agent.answerSchema) return { kind: 'final_answer', answer: text, problems };
  const read = readJson(text.trim());
  if (!read.ok || !isJsonObject(read.value)) {
    return invalid('format', { text: `The final answer must be one JSON object of this schema: ${JSON.stringify(agent.answerSchema)}`, raw: text });
  }
  const wrong = schemaProblems(agent.answerSchema, read.value);
  if (wrong.length > 0) return invalid('format', { text: `The final answer does not fit its schema: ${wrong.join('; ')}.`, raw: text });
  return { kind: 'final_answer', answer: read.value, problems };
}
