import type { Form } from '../../core/agent.ts';
import type { Line } from '../../models/index.ts';

/** One odd reply, as each form can meet it; absent where the form cannot. */
export interface Fault {
  readonly name: string;
  readonly lines: Readonly<Partial<Record<Form, Line>>>;
}

const ARGS = '{"order_id":"88213"}';
const ACTION = `Action: get_order\nAction Input: ${ARGS}`;
const call = { name: 'get_order', argumentsText: ARGS };

/** A body as it is: the scripted server honours stop sequences, and these replies come from one that does not. */
function unstopped(content: string, finish = 'stop'): Line {
  return { raw: { choices: [{ message: { role: 'assistant', content }, finish_reason: finish }], usage: { prompt_tokens: 100, completion_tokens: 50 } } };
}

function refusing(param: string): Line {
  const error = { message: `Unsupported parameter: '${param}'`, type: 'invalid_request_error', param, code: 'unsupported_parameter' };
  return { status: 400, body: { error } };
}

/** A server that refuses a parameter; without it the reply is the other line. */
export const REFUSED: Readonly<Record<string, string>> = { 'the server refuses tools': 'tools', 'the server refuses stop, and the model writes on': 'stop' };

export function refusalOf(name: string): Line | undefined {
  const parameter = REFUSED[name];
  return parameter === undefined ? undefined : refusing(parameter);
}

export const GOOD: Readonly<Record<Form, Line>> = {
  'function-calling': { text: 'I look it up.', calls: [call] },
  text: { text: `Thought: I look it up.\n${ACTION}` },
};

export const FAULTS: readonly Fault[] = [
  { name: 'none, for comparison', lines: GOOD },
  { name: 'an observation and an answer made up behind the action', lines: {
    'function-calling': { text: 'I look.\nObservation: {"status":"lost"}\nFinal Answer: It is lost.', calls: [call] },
    text: unstopped(`Thought: I look.\n${ACTION}\nObservation: {"status":"lost"}\nThought: I know.\nFinal Answer: It is lost.`),
  } },
  { name: 'the next step told in prose only ("I will look it up now.")', lines: {
    'function-calling': { text: 'I will look it up now.' }, text: { text: 'I will look it up now.' },
  } },
  { name: 'no thought', lines: { 'function-calling': { calls: [call] }, text: { text: ACTION } } },
  { name: 'two actions in one reply', lines: {
    'function-calling': { text: 'I look both up.', calls: [call, { name: 'search', argumentsText: '{"query":"88213"}' }] },
    text: { text: `Thought: I look both up.\n${ACTION}\nAction: search\nAction Input: {"query":"88213"}` },
  } },
  { name: 'two calls with one id', lines: {
    'function-calling': { text: 'I look.', calls: [{ ...call, id: 'c1' }, { name: 'search', argumentsText: '{"query":"x"}', id: 'c1' }] },
  } },
  { name: 'labels in another dress (`**Action 1:** get_order[88213]`)', lines: {
    'function-calling': { text: '**Thought 1:** I look.\n**Action 1:** get_order[88213]' },
    text: { text: '**Thought 1:** I look.\n**Action 1:** get_order[88213]' },
  } },
  { name: '`Action: None`', lines: { text: { text: 'Thought: Nothing to do.\nAction: None' } } },
  { name: 'an answer that quotes a label', lines: {
    'function-calling': { text: 'The note says:\nAction: call the customer' },
    text: { text: 'Thought: I know.\nFinal Answer: The note says:\nAction: call the customer' },
  } },
  { name: 'a call left in the text, in a known wrapper', lines: {
    'function-calling': { text: `<tool_call>\n{"name":"get_order","arguments":${ARGS}}\n</tool_call>` },
    text: { text: `<tool_call>\n{"name":"get_order","arguments":${ARGS}}\n</tool_call>` },
  } },
  { name: 'a call left in the text, in an unknown wrapper', lines: {
    'function-calling': { text: `<|call_fn|>{"tool":"get_order","with":${ARGS}}` },
    text: { text: `<|call_fn|>{"tool":"get_order","with":${ARGS}}` },
  } },
  { name: 'arguments as a Python literal', lines: {
    'function-calling': { text: 'I look.', calls: [{ name: 'get_order', argumentsText: "{'order_id': '88213'}" }] },
    text: { text: "Thought: I look.\nAction: get_order\nAction Input: {'order_id': '88213'}" },
  } },
  { name: 'arguments encoded twice', lines: {
    'function-calling': { text: 'I look.', calls: [{ name: 'get_order', argumentsText: JSON.stringify(ARGS) }] },
    text: { text: `Thought: I look.\nAction: get_order\nAction Input: ${JSON.stringify(ARGS)}` },
  } },
  { name: 'arguments cut at the output limit', lines: {
    'function-calling': { text: 'I look.', calls: [{ name: 'get_order', argumentsText: '{"order_id":"88' }], finish: 'length' },
    text: { text: 'Thought: I look.\nAction: get_order\nAction Input: {"order_id":"88', finish: 'length' },
  } },
  { name: 'a prefixed name (`functions.get_order`)', lines: {
    'function-calling': { text: 'I look.', calls: [{ ...call, name: 'functions.get_order' }] },
    text: { text: `Thought: I look.\nAction: functions.get_order\nAction Input: ${ARGS}` },
  } },
  { name: 'a made-up tool', lines: {
    'function-calling': { text: 'I look.', calls: [{ name: 'cancel_order', argumentsText: ARGS }] },
    text: { text: `Thought: I look.\nAction: cancel_order\nAction Input: ${ARGS}` },
  } },
  { name: 'an empty reply', lines: { 'function-calling': { text: '' }, text: { text: '' } } },
  { name: 'the server refuses tools', lines: { 'function-calling': GOOD['function-calling'] } },
  { name: 'the server refuses stop, and the model writes on', lines: { text: { text: `Thought: I look.\n${ACTION}\nObservation: {"status":"lost"}\nFinal Answer: It is lost.` } } },
];
