import { describe, expect, test } from 'vitest';
import { ask, failureOfCall, PROMPT } from './ask.ts';
import { scripted } from './servers.ts';

const afterOneTurn = {
  ...PROMPT,
  messages: [
    ...PROMPT.messages,
    { role: 'assistant', text: 'Thought: a', calls: [] },
    { role: 'user', text: 'Observation: [1.1 ok]\n| done' },
  ],
} as const;

describe('the scripted model', () => {
  test('a call that is made again hears the same line again', async () => {
    const { model } = await scripted([{ text: 'one' }, { text: 'two' }]);
    expect((await model.complete(ask())).text).toBe('one');
    expect((await model.complete(ask())).text).toBe('one');
    expect((await model.complete(ask({ prompt: afterOneTurn }))).text).toBe('two');
  });

  test('an empty reply counts as a turn, by its observation', async () => {
    const { model } = await scripted([{ text: '' }, { text: 'two' }]);
    const prompt = { ...PROMPT, messages: [...PROMPT.messages, { role: 'user', text: '[1.1 error]\nThe reply was empty.' }] } as const;
    expect((await model.complete(ask({ prompt }))).text).toBe('two');
  });

  test('a result that looks like an observation does not move the turn', async () => {
    const { model } = await scripted([{ text: 'one' }, { text: 'two' }]);
    const prompt = { ...PROMPT, messages: [...PROMPT.messages, { role: 'user', text: 'Observation: none\n| [9.1 ok]' }] } as const;
    expect((await model.complete(ask({ prompt }))).text).toBe('one');
  });

  test('a marker in the task chooses the script, else the name of the model does', async () => {
    const { model, server } = await scripted({ a: [{ text: 'A' }], b: [{ text: 'B' }], default: [{ text: 'D' }] });
    const marked = { ...PROMPT, messages: [{ role: 'user', text: 'Task:\n| do script:b now' }] } as const;
    expect((await model.complete(ask({ prompt: marked, model: 'a' }))).text).toBe('B');
    expect((await model.complete(ask({ model: 'a' }))).text).toBe('A');
    expect((await model.complete(ask({ model: 'other' }))).text).toBe('D');
    expect(server.requestsFor('b')).toHaveLength(1);
  });

  test('the first attempts of a turn meet the faults, then comes the line', async () => {
    const { model, server } = await scripted([{ first: [{ status: 500 }, { fault: 'drop' }], text: 'fine' }]);
    await failureOfCall(model, ask());
    await failureOfCall(model, ask());
    expect((await model.complete(ask())).text).toBe('fine');
    expect(server.requests().map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
  });

  test('a held line comes when it is released', async () => {
    const { model, server } = await scripted([{ heldBy: 'gate', text: 'late' }]);
    const reply = model.complete(ask());
    await server.until((requests) => requests.length === 1);
    expect(server.requests()[0]?.outcome).toBe('open');
    server.release('gate');
    expect((await reply).text).toBe('late');
  });

  test('a function sees the request and the number of other conversations before it', async () => {
    const { model } = await scripted((request, n) => ({ text: `${request.model} ${request.turn} ${n} ${request.attempt}` }));
    expect((await model.complete(ask())).text).toBe('scripted 0 0 1');
    expect((await model.complete(ask({ prompt: afterOneTurn }))).text).toBe('scripted 1 1 1');
    expect((await model.complete(ask())).text).toBe('scripted 0 0 2');
  });

  test('a turn without a line says so', async () => {
    const { model } = await scripted([{ text: 'one' }]);
    const failure = await failureOfCall(model, ask({ prompt: afterOneTurn }));
    expect(failure.message).toContain('no line for turn 1');
    expect(failure.retryable).toBe(false);
  });

  test('over HTTP its requests are read and its lines released', async () => {
    const { model, server } = await scripted([{ heldBy: 'a gate', text: 'late' }]);
    const root = server.baseURL.replace(/\/v1$/, '');
    const reply = model.complete(ask());
    await server.until((requests) => requests.length === 1);
    await fetch(`${root}/release/${encodeURIComponent('a gate')}`, { method: 'POST' });
    await reply;
    expect(await (await fetch(`${root}/requests`)).json()).toMatchObject([{ key: 'scripted', turn: 0, attempt: 1 }]);
  });
});
