import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { openAiChat } from '../../models/index.ts';
import type { Line } from '../../models/index.ts';
import { failureOf } from '../../models/failure-table.ts';
import { MAX_RETRY_AFTER_MS } from '../../models/retry-after.ts';
import { ask, failureOfCall } from './ask.ts';
import { scripted } from './servers.ts';

const error = (code: string, message = 'No.') => ({ error: { message, type: 'x', param: null, code } });

type Expected = readonly [type: string, retryable: boolean, billing: 'none' | 'unknown'];
type Row = readonly [what: string, line: Line, expected: Expected];

const ANSWERS: readonly Row[] = [
  ['400', { status: 400 }, ['Model.BadRequest', false, 'none']],
  ['401', { status: 401 }, ['Model.Auth', false, 'none']],
  ['402', { status: 402 }, ['Model.Quota', false, 'none']],
  ['403', { status: 403 }, ['Model.Auth', false, 'none']],
  ['404', { status: 404 }, ['Model.NotFound', false, 'none']],
  ['408', { status: 408 }, ['Model.Timeout', true, 'none']],
  ['409', { status: 409 }, ['Model.Unavailable', true, 'none']],
  ['413', { status: 413 }, ['Model.ContextTooLong', false, 'none']],
  ['418, or any other 4xx', { status: 418 }, ['Model.BadRequest', false, 'none']],
  ['422', { status: 422 }, ['Model.BadRequest', false, 'none']],
  ['429', { status: 429 }, ['Model.RateLimit', true, 'none']],
  ['429 for an empty account', { status: 429, body: error('insufficient_quota') }, ['Model.Quota', false, 'none']],
  ['400 for a context that is too long', { status: 400, body: error('context_length_exceeded') }, ['Model.ContextTooLong', false, 'none']],
  [
    '400 that says so in words only', { status: 400, body: { message: "This model's maximum context length is 4096 tokens." } },
    ['Model.ContextTooLong', false, 'none'],
  ],
  ['400 for a model that is not there', { status: 400, body: error('model_not_found') }, ['Model.NotFound', false, 'none']],
  ['500', { status: 500 }, ['Model.Unavailable', true, 'unknown']],
  ['502', { status: 502, body: '<html><h1>Bad gateway</h1></html>' }, ['Model.Unavailable', true, 'unknown']],
  ['503', { status: 503 }, ['Model.Unavailable', true, 'unknown']],
  ['504', { status: 504 }, ['Model.Unavailable', true, 'unknown']],
  ['529', { status: 529 }, ['Model.Unavailable', true, 'unknown']],
  ['200 with a web page', { fault: 'html' }, ['Model.BadReply', true, 'unknown']],
  ['200 with half a JSON text', { fault: 'cut' }, ['Model.BadReply', true, 'unknown']],
  ['200 with nothing', { fault: 'empty_body' }, ['Model.BadReply', true, 'unknown']],
  ['200 without choices', { raw: { id: 'x', object: 'chat.completion' } }, ['Model.BadReply', true, 'unknown']],
  ['200 with no choice in the list', { raw: { choices: [] } }, ['Model.BadReply', true, 'unknown']],
  ['200 with a list', { raw: [1] }, ['Model.BadReply', true, 'unknown']],
  ['200 with an error of code 429', { raw: { error: { code: 429, message: 'slow down' } } }, ['Model.RateLimit', true, 'none']],
  ['200 with an error of code "401"', { raw: { error: { code: '401', message: 'who?' } } }, ['Model.Auth', false, 'none']],
  ['200 with an error of type server_error', { raw: { error: { type: 'server_error' } } }, ['Model.Unavailable', true, 'unknown']],
  ['200 with an error inside the choice', { raw: { choices: [{ error: { code: 502 } }] } }, ['Model.Unavailable', true, 'unknown']],
  ['200 with an error nobody knows', { raw: { error: { message: 'hm' } } }, ['Model.BadReply', true, 'unknown']],
  ['a connection that is closed before a byte', { fault: 'drop' }, ['Model.Unavailable', true, 'unknown']],
  ['a connection that is closed in mid-reply', { fault: 'reset' }, ['Model.Unavailable', true, 'unknown']],
];

describe('what came instead of a reply', () => {
  test.each(ANSWERS)('%s', async (_, line, [type, retryable, billing]) => {
    const { model, server } = await scripted([line]);
    const failure = await failureOfCall(model, ask());
    expect([failure.type, failure.retryable, failure.billing]).toEqual([type, retryable, billing]);
    expect(server.requests()).toHaveLength(1);
  });

  test.each(['hang', 'stall'] as const)('a server that answers never (%s) is a time-out of its own, and may be charged', async (fault) => {
    const { model, server } = await scripted([{ fault }]);
    const failure = await failureOfCall(model, ask({ timeoutMs: 100 }));
    expect([failure.type, failure.retryable, failure.billing]).toEqual(['Model.Timeout', true, 'unknown']);
    await server.until((requests) => requests[0]?.outcome === 'aborted');
  });

  test('a port where nobody listens is free and tried again', async () => {
    const failure = await failureOfCall(openAiChat({ baseURL: `http://127.0.0.1:${await unusedPort()}/v1`, apiKey: 'k' }), ask());
    expect([failure.type, failure.retryable, failure.billing]).toEqual(['Model.Unavailable', true, 'none']);
    expect(failure.message).toContain('ECONNREFUSED');
  });

  test('a host that has no address is free and tried again', async () => {
    const noSuchHost = Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error(), { code: 'ENOTFOUND' }) });
    const model = openAiChat({ baseURL: 'http://model.invalid/v1', apiKey: 'k', fetch: () => Promise.reject(noSuchHost) });
    const failure = await failureOfCall(model, ask());
    expect([failure.type, failure.retryable, failure.billing]).toEqual(['Model.Unavailable', true, 'none']);
  });

  test('an endless body is cut off', async () => {
    const endless = () => Promise.resolve(new Response(new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(1_000_000)),
    })));
    const failure = await failureOfCall(openAiChat({ baseURL: 'http://model.test/v1', apiKey: 'k', fetch: endless }), ask());
    expect(failure.type).toBe('Model.BadReply');
  });
});

describe('Retry-After', () => {
  const place = { host: 'h', model: 'm', apiKey: 'k', nowMs: Date.parse('2026-10-21T07:27:00Z') };
  const waitAfter = (retryAfter: string) =>
    failureOf({ kind: 'status', status: 429, said: { code: '', type: '', param: '', message: '' }, retryAfter }, place).retryAfterMs;

  test('seconds and dates become milliseconds', () => {
    expect(waitAfter('20')).toBe(20_000);
    expect(waitAfter('Wed, 21 Oct 2026 07:28:00 GMT')).toBe(60_000);
    expect(waitAfter('Wed, 21 Oct 2026 07:00:00 GMT')).toBe(0);
  });

  test('hours are capped', () => {
    expect(waitAfter('36000')).toBe(MAX_RETRY_AFTER_MS);
  });

  test('what is neither is left out', () => {
    for (const odd of ['', 'soon', '-5', 'NaN', '1e9', '12/12/2030', 'Infinity']) expect(waitAfter(odd)).toBeUndefined();
  });

  test('it comes through from the server, and is not waited for here', async () => {
    const { model } = await scripted([{ status: 429, headers: { 'retry-after': '3600' } }]);
    expect((await failureOfCall(model, ask())).retryAfterMs).toBe(MAX_RETRY_AFTER_MS);
  });
});

describe('what a failure says', () => {
  test('a wrong key names the fix', async () => {
    const { model } = await scripted([{ status: 401, body: error('invalid_api_key', 'Incorrect API key provided.') }]);
    const { message } = await failureOfCall(model, ask());
    expect(message).toContain('OPENAI_API_KEY');
    expect(message).toContain('127.0.0.1');
    expect(message).toContain('Incorrect API key provided.');
  });

  test('the key and everything like one is taken out, wherever the server echoes it', async () => {
    const canary = 'sk-canary-0123456789abcdef';
    const echo = `Key ${canary} in {"Authorization": "Bearer ${canary}"}; api_key=other-secret-77, Bearer eyJhbGciOi.secret-88`;
    for (const body of [error(canary, echo), echo, { detail: [{ msg: echo }] }]) {
      const { model } = await scripted([{ status: 401, body }], { apiKey: canary });
      const failure = await failureOfCall(model, ask());
      const everything = JSON.stringify([failure, failure.message, failure.stack, String(failure.cause)]);
      for (const secret of ['canary', 'other-secret-77', 'secret-88']) expect(everything).not.toContain(secret);
    }
  });

  test('an address with a password is refused without naming it', async () => {
    const failure = await failureOfCall(openAiChat({ baseURL: 'http://kim:canary@127.0.0.1:1/v1', apiKey: 'k' }), ask());
    expect(failure.type).toBe('Model.BadRequest');
    expect(failure.message).not.toContain('canary');
  });

  test('a key that no header can hold is an auth failure that does not show it', async () => {
    const failure = await failureOfCall(openAiChat({ baseURL: 'http://127.0.0.1:1/v1', apiKey: 'canary\nkéy' }), ask());
    expect(failure.type).toBe('Model.Auth');
    expect(failure.message).not.toContain('canary');
  });

  test('an address that is none says which setting is wrong', async () => {
    for (const baseURL of ['127.0.0.1:8080', 'ftp://model.test', 'http://']) {
      expect((await failureOfCall(openAiChat({ baseURL, apiKey: 'k' }), ask())).message).toContain('OPENAI_BASE_URL');
    }
  });
});

/** A port that was free a moment ago. */
async function unusedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
