import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../core/json.ts';
import type { Line, Script } from '../../models/index.ts';
import { ask, failureOfCall, PROMPT } from './ask.ts';
import { scripted } from './servers.ts';

const STOPPING = { ...PROMPT, stop: ['\nObservation:'] };
const fine: Line = { text: 'fine' };

/** A server that answers 400 as long as a request has this field at the top. */
function refuses(field: string, body: JsonValue, status = 400): Script {
  return (request) => (field in request.body ? { status, body } : fine);
}

const WORDINGS: [server: string, body: JsonValue, status: number][] = [
  ['OpenAI', { error: { message: "Unsupported parameter: 'stop' is not supported with this model.", type: 'invalid_request_error', param: 'stop', code: 'unsupported_parameter' } }, 400],
  ['a server that gives only the message', { error: { message: 'Unrecognized request argument supplied: stop', type: 'invalid_request_error' } }, 400],
  ['a pydantic server', { detail: [{ type: 'extra_forbidden', loc: ['body', 'stop'], msg: 'Extra inputs are not permitted' }] }, 422],
  ['vLLM', { object: 'error', message: 'stop is not supported for this model', type: 'BadRequestError', code: 400 }, 400],
  ['xAI', { code: 'Client specified an invalid argument', error: 'Model grok does not support parameter stop.' }, 400],
  ['a server that answers in a list', [{ error: { code: 400, message: 'Unknown name "stop": Cannot find field.', status: 'INVALID_ARGUMENT' } }], 400],
];

describe('a parameter that a server refuses', () => {
  test.each(WORDINGS)('is left out at once, and said: %s', async (_, body, status) => {
    const { model, server } = await scripted(refuses('stop', body, status));
    const reply = await model.complete(ask({ prompt: STOPPING }));
    expect(reply).toMatchObject({ text: 'fine', dropped: ['stop'] });
    expect(server.requests()).toHaveLength(2);
  });

  test('is remembered for this server and model, so that the next call is one request', async () => {
    const { model, server } = await scripted(refuses('stop', { error: { param: 'stop' } }));
    await model.complete(ask({ prompt: STOPPING }));
    expect((await model.complete(ask({ prompt: STOPPING }))).dropped).toEqual(['stop']);
    expect(server.requests()).toHaveLength(3);
  });

  test('is not held against another model of the same server', async () => {
    const { model, server } = await scripted(({ body, model: name }) => (name === 'picky' && 'stop' in body ? { status: 400, body: { error: { param: 'stop' } } } : fine));
    await model.complete(ask({ prompt: STOPPING, model: 'picky' }));
    expect((await model.complete(ask({ prompt: STOPPING, model: 'easy' }))).dropped).toEqual([]);
    expect(server.requestsFor('easy')[0]?.body).toHaveProperty('stop');
  });

  test('is said only where the request would have had it', async () => {
    const { model } = await scripted(refuses('stop', { error: { param: 'stop' } }));
    await model.complete(ask({ prompt: STOPPING }));
    expect((await model.complete(ask())).dropped).toEqual([]);
  });

  test('the cap on output tokens is sent under its other name', async () => {
    const message = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    const { model, server } = await scripted(refuses('max_tokens', { error: { message, code: 'unsupported_parameter', param: 'max_tokens' } }));
    await model.complete(ask());
    expect(server.requests()[1]?.body).toMatchObject({ max_completion_tokens: 500 });
    expect(server.requests()[1]?.body).not.toHaveProperty('max_tokens');
  });

  test('a server that takes no cap at all gets no request without one', async () => {
    const { model, server } = await scripted(({ body }) => {
      const name = 'max_tokens' in body ? 'max_tokens' : 'max_completion_tokens';
      return name in body ? { status: 400, body: { error: { message: `Unknown parameter: ${name}`, param: name } } } : fine;
    });
    const failure = await failureOfCall(model, ask());
    expect([failure.type, failure.retryable]).toEqual(['Model.BadRequest', false]);
    expect(server.requests()).toHaveLength(2);
  });

  test('several are found one after the other', async () => {
    const refused = ['temperature', 'parallel_tool_calls', 'stop'];
    const { model, server } = await scripted(({ body }) => {
      const name = refused.find((each) => each in body);
      return name === undefined ? fine : { status: 400, body: { error: { message: `Unsupported value: '${name}'`, param: name, code: 'unsupported_value' } } };
    }, { parameters: { temperature: 0, parallel_tool_calls: true } });
    const reply = await model.complete(ask({ prompt: STOPPING }));
    expect([...reply.dropped].sort()).toEqual(['parallel_tool_calls', 'stop', 'temperature']);
    expect(server.requests()).toHaveLength(4);
  });

  test('strict is left out of every function', async () => {
    const schema = { type: 'object', properties: {}, required: [], additionalProperties: false } as const;
    const functions = [{ name: 'a', description: 'A.', schema }, { name: 'b', description: 'B.', schema }];
    const { model, server } = await scripted(({ body }) => (
      JSON.stringify(body.tools).includes('strict') ? { status: 400, body: { error: { message: "Unknown parameter: 'tools[0].function.strict'.", param: 'tools[0].function.strict' } } } : fine
    ), { strict: true });
    expect((await model.complete(ask({ prompt: { ...PROMPT, functions } }))).dropped).toEqual(['strict']);
    expect(JSON.stringify(server.requests()[1]?.body)).not.toContain('strict');
  });

  test('a field of an earlier reply that the server does not want back is left out', async () => {
    const prompt = {
      ...PROMPT,
      messages: [...PROMPT.messages, { role: 'assistant', text: 'x', calls: [], provider: { reasoning_content: 'r' } }, { role: 'user', text: 'y' }],
    } as const;
    const { model, server } = await scripted(({ body }) => (
      JSON.stringify(body).includes('reasoning_content') ? { status: 400, body: { error: { message: 'messages.2.reasoning_content: Extra inputs are not permitted' } } } : fine
    ));
    expect((await model.complete(ask({ prompt }))).text).toBe('fine');
    expect(JSON.stringify(server.requests()[1]?.body)).not.toContain('reasoning_content');
  });

  test('a 400 that goes on is a bad request, and nothing is remembered from it', async () => {
    const body: JsonObject = { error: { message: "Invalid 'messages': cannot stop here.", param: 'messages', code: 'invalid_value' } };
    const { model, server } = await scripted((request) => (request.attempt <= 2 ? { status: 400, body } : fine));
    const failure = await failureOfCall(model, ask({ prompt: STOPPING }));
    expect(failure.type).toBe('Model.BadRequest');
    expect(server.requests()).toHaveLength(2);
    expect((await model.complete(ask({ prompt: STOPPING }))).dropped).toEqual([]);
  });

  test('other statuses teach nothing', async () => {
    const { model, server } = await scripted([{ status: 500, body: { error: { message: "Unsupported parameter: 'stop'", param: 'stop' } } }]);
    await failureOfCall(model, ask({ prompt: STOPPING }));
    expect(server.requests()).toHaveLength(1);
  });
});
