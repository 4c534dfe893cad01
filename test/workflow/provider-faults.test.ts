import { describe, expect, test } from 'vitest';
import type { EndReason } from '../../core/run.ts';
import type { Line, Script, ScriptedFault, Scripts } from '../../models/index.ts';
import { deskAgent, openDesk } from '../support/desk.ts';
import type { Desk } from '../support/desk.ts';
import { failedWorkflowTasks, historyOf } from '../support/histories.ts';
import { speaker } from '../support/speaker.ts';
import { API_KEY } from '../support/start-desk.ts';

const say = speaker('function-calling');
const look = say.call('I look.', 'get_order', { order_id: '88213' });
const done = say.answer('The fee was ₹25.');
const ATTEMPTS = 3;

/** A fault that passes: the first attempt of turn 1 meets it, the second is answered. */
const PASSING: Readonly<Record<string, ScriptedFault>> = {
  'a 429 with Retry-After': { status: 429, headers: { 'retry-after': '1' } },
  'a 429 without': { status: 429 },
  'a 408': { status: 408 },
  'a 409': { status: 409 },
  'a 500': { status: 500 },
  'a 503': { status: 503 },
  'a 529': { status: 529 },
  'a connection that is dropped': { fault: 'drop' },
  'a connection that is reset in mid-reply': { fault: 'reset' },
  'half a JSON text': { fault: 'cut' },
  'a web page with status 200': { fault: 'html' },
  'an empty body': { fault: 'empty_body' },
};

/** A fault that stays: what the run ends with, and after how many requests. */
const LASTING: Readonly<Record<string, { readonly line: ScriptedFault; readonly detail: string; readonly requests: number }>> = {
  'a 401': { line: { status: 401 }, detail: 'Model.Auth', requests: 1 },
  'a 403': { line: { status: 403 }, detail: 'Model.Auth', requests: 1 },
  'a 404': { line: { status: 404, body: { error: { message: 'The model `x` does not exist', code: 'model_not_found' } } }, detail: 'Model.NotFound', requests: 1 },
  'a 400': { line: { status: 400, body: { error: { message: 'Invalid value', param: 'messages' } } }, detail: 'Model.BadRequest', requests: 1 },
  'a 422': { line: { status: 422 }, detail: 'Model.BadRequest', requests: 1 },
  'a quota that is used up': { line: { status: 429, body: { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } } }, detail: 'Model.Quota', requests: 1 },
  'a context that is too long': { line: { status: 400, body: { error: { message: 'maximum context length is 100 tokens', code: 'context_length_exceeded' } } }, detail: 'Model.ContextTooLong', requests: 1 },
  'a 503 that stays': { line: { status: 503 }, detail: 'Model.Unavailable', requests: ATTEMPTS },
};

/** Replies that are no failure of the world: a turn each, charged, and the run goes on. */
const ODD: Readonly<Record<string, { readonly line: Line; readonly reason: EndReason; readonly detail?: string; readonly requests: number }>> = {
  'no usage': { line: { ...look, usage: 'none' }, reason: 'final_answer', requests: 2 },
  'zero usage': { line: { ...look, usage: 'zero' }, reason: 'final_answer', requests: 2 },
  'an empty reply': { line: { text: '' }, reason: 'final_answer', requests: 2 },
  'calls that are no list': { line: { raw: { choices: [{ message: { content: [{ type: 'text', text: 'hi' }], tool_calls: 'not-an-array' } }] } }, reason: 'final_answer', requests: 2 },
  'a refusal': { line: { text: '', message: { refusal: "I can't help with that." } }, reason: 'hand_over', detail: 'refused', requests: 1 },
  'a reply withheld by a filter': { line: { text: '', finish: 'content_filter' }, reason: 'hand_over', detail: 'withheld', requests: 1 },
  'a call that was cut for length': { line: { text: 'I look.', calls: [{ name: 'get_order', argumentsText: '{"order_id":"88' }], finish: 'length' }, reason: 'final_answer', requests: 2 },
  'tool calls with a finish of stop': { line: { ...look, finish: 'stop' }, reason: 'final_answer', requests: 2 },
};

const ECHO: ScriptedFault = {
  status: 401, body: { error: { message: `Incorrect API key provided: ${API_KEY}. Header: Authorization: Bearer ${API_KEY}` } },
};

const key = (name: string) => name.replaceAll(' ', '-');
type Named = readonly [string, Script];
const scripts: Scripts = Object.fromEntries<Script>([
  ...Object.entries(PASSING).map(([name, fault]): Named => [key(name), [{ ...look, first: [fault] }, done]]),
  ...Object.entries(LASTING).map(([name, { line }]): Named => [key(name), () => line]),
  ['echo', () => ECHO],
  ...Object.entries(ODD).map(([name, { line }]): Named => [key(name), [line, done]]),
]);

let desk: Promise<Desk> | undefined;
const open = () => (desk ??= openDesk({ script: scripts, agents: [deskAgent({ limits: { modelAttempts: ATTEMPTS } })] }));

async function run(name: string) {
  const { run: start, temporal, model } = await open();
  const { id, result } = await start({ task: `script:${key(name)} Look at order 88213, its fee is ₹25.` });
  expect(failedWorkflowTasks(await historyOf(temporal, id))).toEqual([]);
  return { result, requests: model.requestsFor(key(name)).length };
}

describe('a fault that passes is tried again by Temporal alone', () => {
  test.each(Object.keys(PASSING))('%s: two requests, then the run goes on', async (name) => {
    const { result, requests } = await run(name);
    expect(result).toMatchObject({ endReason: 'final_answer', usage: { turns: 2, modelCalls: 3 } });
    expect(requests).toBe(3);
  });
});

describe('a fault that stays ends the run as an error, with its class', () => {
  test.each(Object.entries(LASTING))('%s', async (name, { detail, requests: expected }) => {
    const { result, requests } = await run(name);
    expect(result).toMatchObject({ endReason: 'error', stops: [{ detail }], usage: { turns: 0 } });
    expect(result.handOver?.reason).not.toBe('');
    expect(requests).toBe(expected);
  });
});

/** Payloads are bytes: read as text, as anybody with access would. */
function readable(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value).map(([name, one]) => `${name}=${readable(one)}`).join('\n');
}

test('a server that echoes the key: it is in no history, no result and no trace', async () => {
  const { client, temporal, run: start } = await open();
  const { id, result } = await start({ task: 'script:echo Look at order 88213.' });
  expect(result).toMatchObject({ endReason: 'error', stops: [{ detail: 'Model.Auth' }] });
  for (const kept of [await historyOf(temporal, id), await client.trace(id), await client.show(id)]) {
    expect(readable(kept)).toContain('script:echo');
    expect(readable(kept)).not.toContain(API_KEY);
  }
});

describe('an odd reply is data', () => {
  test.each(Object.entries(ODD))('%s', async (name, { reason, detail, requests: expected }) => {
    const { result, requests } = await run(name);
    expect(result).toMatchObject({ endReason: reason, ...(detail ? { stops: [{ detail }] } : {}) });
    expect(requests).toBe(expected);
    if (name.endsWith('usage')) expect(result.usage.estimatedTokens).toBeGreaterThan(0);
  });
});
