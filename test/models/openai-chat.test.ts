import { describe, expect, test } from 'vitest';
import type { Prompt } from '../../core/reply.ts';
import { ask, PROMPT } from './ask.ts';
import { scripted } from './servers.ts';

const GET_ORDER = {
  name: 'get_order',
  description: 'One order.',
  schema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'], additionalProperties: false },
} as const;

const WITH_CALLS: Prompt = {
  messages: [
    { role: 'system', text: 'You are desk.' },
    { role: 'user', text: 'Task:\n| Look.' },
    {
      role: 'assistant', text: '',
      provider: { reasoning_content: 'plan…' },
      calls: [
        { id: 'c00001001', name: 'get_order', argumentsText: '{"id":"5"}', provider: { extra_content: { google: { thought_signature: 'sig==' } } } },
        { id: 'c00001002', name: 'get_order', argumentsText: '' },
      ],
    },
    { role: 'tool', callId: 'c00001002', text: '[1.2 ok]\n| two' },
    { role: 'tool', callId: 'c00001001', text: '[1.1 ok]\n| one' },
  ],
  functions: [GET_ORDER],
  stop: [],
};

describe('a prompt as a Chat Completions request', () => {
  test('each message has its role, calls are answered once and in order, arguments are JSON text', async () => {
    const { model, server } = await scripted(() => ({ text: 'hi' }));
    await model.complete(ask({ prompt: WITH_CALLS }));
    expect(server.requests()[0]?.body).toEqual({
      model: 'scripted',
      max_tokens: 500,
      messages: [
        { role: 'system', content: 'You are desk.' },
        { role: 'user', content: 'Task:\n| Look.' },
        {
          role: 'assistant',
          content: null,
          reasoning_content: 'plan…',
          tool_calls: [
            {
              id: 'c00001001', type: 'function', extra_content: { google: { thought_signature: 'sig==' } },
              function: { name: 'get_order', arguments: '{"id":"5"}' },
            },
            { id: 'c00001002', type: 'function', function: { name: 'get_order', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c00001001', content: '[1.1 ok]\n| one' },
        { role: 'tool', tool_call_id: 'c00001002', content: '[1.2 ok]\n| two' },
      ],
      tools: [{ type: 'function', function: { name: 'get_order', description: 'One order.', parameters: GET_ORDER.schema } }],
    });
  });

  test('stop is sent only when there is one, and tools only when there are some', async () => {
    const { model, server } = await scripted(() => ({ text: 'hi' }));
    await model.complete(ask());
    await model.complete(ask({ prompt: { ...PROMPT, stop: ['\nObservation:'] } }));
    expect(server.requests()[0]?.body).not.toHaveProperty('stop');
    expect(server.requests()[0]?.body).not.toHaveProperty('tools');
    expect(server.requests()[1]?.body).toMatchObject({ stop: ['\nObservation:'] });
  });

  test('no call is ever forced, at no turn: a model can always answer', async () => {
    const { model, server } = await scripted(() => ({ text: 'hi' }));
    await model.complete(ask({ prompt: { ...PROMPT, functions: [GET_ORDER] } }));
    await model.complete(ask({ prompt: WITH_CALLS }));
    for (const { body } of server.requests()) {
      expect(body).toHaveProperty('tools');
      expect(body).not.toHaveProperty('tool_choice');
      expect(body).not.toHaveProperty('function_call');
    }
  });

  test('no half of a surrogate pair is sent, escaped ones in arguments included', async () => {
    const { model, server } = await scripted(() => ({ text: 'hi' }));
    const broken: Prompt = {
      messages: [
        { role: 'user', text: 'a\ud83cb' },
        { role: 'assistant', text: '\udc00', calls: [{ id: 'c00001001', name: 'get_order', argumentsText: '{"id":"\\ud800"}', provider: { sig: 'x\ud800' } }] },
        { role: 'tool', callId: 'c00001001', text: '\ud800' },
      ],
      functions: [{ ...GET_ORDER, description: 'One\ud800.' }],
      stop: [],
    };
    await model.complete(ask({ prompt: broken }));
    expect(JSON.stringify(server.requests()[0]?.body)).not.toMatch(/\\ud[89a-f]/i);
  });

  test('strict is asked for only where the schema allows it', async () => {
    const { model, server } = await scripted(() => ({ text: 'hi' }), { strict: true });
    const optional = { ...GET_ORDER, name: 'list', schema: { ...GET_ORDER.schema, required: [] } };
    await model.complete(ask({ prompt: { ...PROMPT, functions: [GET_ORDER, optional] } }));
    expect(server.requests()[0]?.body.tools).toMatchObject([{ function: { strict: true } }, { function: {} }]);
    expect(JSON.stringify(server.requests()[0]?.body.tools).match(/strict/g)).toHaveLength(1);
  });

  test('a tool with a dot in its name goes out legal and comes back as ours', async () => {
    const { model, server } = await scripted(({ body }) => ({ calls: [{ name: firstFunction(body), args: { id: '5' } }, { name: 'made_up' }] }));
    const reply = await model.complete(ask({ prompt: { ...PROMPT, functions: [{ ...GET_ORDER, name: 'erp.get_order' }] } }));
    expect(firstFunction(server.requests()[0]?.body)).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(reply.calls.map(({ name }) => name)).toEqual(['erp.get_order', 'made_up']);
  });
});

function firstFunction(body: unknown): string {
  return /"name":"([^"]*)","description"/.exec(JSON.stringify(body))?.[1] ?? '';
}

describe('a reply', () => {
  test('calls, usage, model and finish come back', async () => {
    const { model } = await scripted([{ text: 'Look first.', calls: [{ name: 'get_order', args: { id: '5' } }], usage: { prompt_tokens: 100, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 64 } } }]);
    expect(await model.complete(ask({ prompt: { ...PROMPT, functions: [GET_ORDER] } }))).toEqual({
      text: 'Look first.',
      calls: [{ name: 'get_order', argumentsText: '{"id":"5"}' }],
      finish: 'stop',
      usage: { inputTokens: 100, outputTokens: 7, cachedTokens: 64 },
      model: 'scripted',
      dropped: [],
    });
  });

  test("the provider's own fields of message and call go back unchanged in the next request", async () => {
    const message = { reasoning_content: 'plan…', reasoning_details: [{ type: 'x', data: 'é' }] };
    const fields = { extra_content: { google: { thought_signature: 'sig==' } } };
    const { model, server } = await scripted([{ calls: [{ name: 'get_order', args: { id: '5' }, fields }], message }, { text: 'done' }]);
    const prompt = { ...PROMPT, functions: [GET_ORDER] };
    const { calls, provider } = await model.complete(ask({ prompt }));
    const next: Prompt = {
      ...prompt,
      messages: [
        ...prompt.messages,
        { role: 'assistant', text: '', ...(provider ? { provider } : {}), calls: calls.map((call) => ({ id: 'c00001001', ...call })) },
        { role: 'tool', callId: 'c00001001', text: '[1.1 ok]\n| one' },
      ],
    };
    await model.complete(ask({ prompt: next }));
    expect(server.requests()[1]?.body.messages).toMatchObject([{}, {}, { ...message, tool_calls: [fields] }, {}]);
  });

  test('the key is sent as a bearer token, and a server without a key gets a placeholder', async () => {
    const sent: (string | null)[] = [];
    const spy: typeof fetch = (input, init) => {
      sent.push(new Headers(init?.headers).get('authorization'));
      return fetch(input, init);
    };
    for (const apiKey of ['sk-test', '']) {
      const { model } = await scripted([{ text: 'hi' }], { apiKey, fetch: spy });
      await model.complete(ask());
    }
    expect(sent).toEqual(['Bearer sk-test', 'Bearer none']);
  });
});

describe('an abort', () => {
  test('closes the connection and throws the reason of the signal', async () => {
    const { model, server } = await scripted([{ fault: 'hang' }]);
    const controller = new AbortController();
    const call = model.complete(ask({ signal: controller.signal }));
    await server.until((requests) => requests.length === 1);
    controller.abort(new Error('cancelled by kim'));
    await expect(call).rejects.toThrow('cancelled by kim');
    await server.until((requests) => requests[0]?.outcome === 'aborted');
  });

  test('in the middle of a body closes the connection too', async () => {
    const { model, server } = await scripted([{ fault: 'stall' }]);
    const controller = new AbortController();
    const call = model.complete(ask({ signal: controller.signal }));
    await server.until((requests) => requests.length === 1);
    controller.abort(new Error('cancelled by kim'));
    await expect(call).rejects.toThrow('cancelled by kim');
    await server.until((requests) => requests[0]?.outcome === 'aborted');
  });

  test('before the call sends nothing', async () => {
    const { model, server } = await scripted([{ text: 'hi' }]);
    await expect(model.complete(ask({ signal: AbortSignal.abort(new Error('too late')) }))).rejects.toThrow('too late');
    expect(server.requests()).toHaveLength(0);
  });
});
