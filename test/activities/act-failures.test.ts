import { describe, expect, test } from 'vitest';
import { unavailable } from '../../index.ts';
import { PERSON_CANCELS, WORKER_STOPS, act, attempt, evidenceAfter, networkError, tool, untilAborted } from './act-parts.ts';
import type { Args } from './act-parts.ts';
import type { ToolDefinition } from '../../tools/define-tool.ts';

const failing = (error: unknown, changes: Partial<ToolDefinition<Args>> = {}) => tool({ run: () => { throw error; }, ...changes });
const LAST = { attempt: 3 };

describe('an expected error is an observation at the first attempt', () => {
  test('with the message, what to try instead, and no stack', async () => {
    const { status, text } = await act({ tools: [failing(new Error('Order 88213 is locked.'))] });
    expect(status).toBe('error');
    expect(text).toBe('get_order failed: Order 88213 is locked. Check the arguments, try another way, or hand over.');
  });

  test('with the sentence of the tool where it has one', async () => {
    const errorText: NonNullable<ToolDefinition<Args>['errorText']> = (_error, { id }) => `Order ${id} is locked; ask again tomorrow.`;
    expect((await act({ tools: [failing(new Error('E42'), { errorText })] })).text).toBe('Order 88213 is locked; ask again tomorrow.');
  });

  test.each([400, 401, 403, 404, 409, 422])('status %i', async (status) => {
    expect(await act({ tools: [failing(Object.assign(new Error('no'), { status }))] })).toMatchObject({ status: 'error' });
  });

  test.each<[string, unknown]>([['text', 'just text'], ['nothing', undefined], ['null', null], ['a number', 7], ['an object', { code: 7 }]])('thrown %s', async (_what, thrown) => {
    expect(await act({ tools: [failing(thrown)] })).toMatchObject({ status: 'error', text: expect.stringMatching(/^get_order failed: /) });
  });

  test('the id that the call asked for is no evidence because the error repeats it', async () => {
    const words = evidenceAfter(await act({ tools: [failing(new Error('no order 88213, but 99001'))] }));
    expect([words.has('99001'), words.has('88213')]).toEqual([true, false]);
  });
});

describe('addresses, ports, stacks and secrets are not shown', () => {
  test.each([
    ['connect ECONNREFUSED 10.0.0.3:5432', /10\.0|5432/],
    ['getaddrinfo ENOTFOUND billing.prod.internal', /billing/],
    ['no answer from db-1.cluster.local:5432 at all', /db-1|5432/],
    ['https://bob:hunter2@erp.test/x is down', /hunter2|bob/],
    ['sent {"Authorization": "Bearer t0k-canary"}', /t0k/],
    ['api_key=sk-canary-123 is wrong', /canary/],
    ['boom\n    at Object.run (/srv/app/tools.ts:3:9)', /srv|tools\.ts/],
    ['connect to localhost:8080 failed, then [::1]:9090', /8080|9090/],
  ])('%s', async (message, hidden) => {
    const { text } = await act({ tools: [failing(new Error(message))] });
    expect(text).not.toMatch(hidden);
  });

  test('times and ids stay', async () => {
    const { text } = await act({ tools: [failing(new Error('Order 88213 leaves at 18:00, see order:88213'))] });
    expect(text).toContain('Order 88213 leaves at 18:00, see order:88213');
  });
});

const TRANSPORT: [string, Error][] = [
  ...['ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT'].map((code): [string, Error] => [code, networkError(code)]),
  ...[408, 500, 502, 503, 529].map((status): [string, Error] => [`status ${status}`, Object.assign(new Error('down'), { status })]),
  ['a time-out of its own', new DOMException('timed out', 'TimeoutError')],
  ['unavailable()', unavailable('the ledger does not answer')],
];
const NOT_SENT: [string, Error][] = [
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].map((code): [string, Error] => [code, networkError(code)]),
  ['several addresses', new AggregateError([networkError('ECONNREFUSED')])],
  ['status 429', Object.assign(new Error('slow down'), { status: 429 })],
];

describe.each([...TRANSPORT, ...NOT_SENT])('the other side is unreachable: %s', (_what, error) => {
  test.each(['read', 'idempotent'] as const)('a %s is tried again', async (effect) => {
    await expect(act({ tools: [failing(error, { effect })] })).rejects.toMatchObject({
      type: 'Tool.Unavailable', nonRetryable: false, details: [expect.stringMatching(/\w/)],
    });
  });

  test('a read is an error for the model when its attempts are used up', async () => {
    expect(await act({ tools: [failing(error)], info: LAST })).toMatchObject({ status: 'error', text: expect.stringMatching(/Try again later/) });
  });

  test('an idempotent effect is in doubt when its attempts are used up', async () => {
    expect(await act({ tools: [failing(error, { effect: 'idempotent' })], info: LAST })).toMatchObject({ status: 'unknown' });
  });
});

test("the server's own retry policy says which attempt is the last", async () => {
  const info = { attempt: 2, retryPolicy: { maximumAttempts: 2 } };
  expect(await act({ tools: [failing(networkError('ECONNRESET'))], info })).toMatchObject({ status: 'error' });
});

describe('an effect that must happen once is never tried again', () => {
  test.each(TRANSPORT)('%s: its outcome is unknown', async (_what, error) => {
    const result = await act({ tools: [failing(error, { effect: 'once' })] });
    expect(result).toMatchObject({ status: 'unknown', text: expect.stringContaining('may have happened. Do not do it again') });
  });

  test.each(NOT_SENT)('%s: it never left, so nothing happened', async (_what, error) => {
    expect(await act({ tools: [failing(error, { effect: 'once' })] })).toMatchObject({ status: 'error', text: expect.stringMatching(/^Not run: .*nothing happened/) });
  });

  const lost = networkError('ECONNRESET');

  test("the tool's look-up decides what became of a lost result", async () => {
    const found = failing(lost, { effect: 'once', lookup: async () => ({ happened: true, result: { refund: 'R-1' } }) });
    expect(await act({ tools: [found] })).toMatchObject({ status: 'ok', text: '{"refund":"R-1"}' });
    const absent = failing(lost, { effect: 'once', lookup: async () => ({ happened: false }) });
    expect(await act({ tools: [absent] })).toMatchObject({ status: 'error', text: expect.stringContaining('did not happen') });
  });

  test('a look-up that does not know, or fails, leaves it unknown', async () => {
    const unsure = failing(lost, { effect: 'once', lookup: async () => undefined });
    expect(await act({ tools: [unsure] })).toMatchObject({ status: 'unknown' });
    const broken = failing(lost, { effect: 'once', lookup: async () => { throw new Error('down too'); } });
    expect(await act({ tools: [broken] })).toMatchObject({ status: 'unknown' });
  });
});

describe('a run that is cancelled while its tool runs', () => {
  const cancelled = async (changes: Partial<ToolDefinition<Args>>, details = PERSON_CANCELS, info = {}) => {
    const waiting = untilAborted();
    const { environment, run } = attempt({ tools: [tool({ run: waiting.run, ...changes })], info });
    const result = run();
    await waiting.began;
    environment.cancel(details === WORKER_STOPS ? 'WORKER_SHUTDOWN' : 'CANCELLED', details);
    return result;
  };

  test('a read is skipped, an effect is in doubt', async () => {
    expect(await cancelled({})).toMatchObject({ status: 'skipped' });
    expect(await cancelled({ effect: 'idempotent' })).toMatchObject({ status: 'unknown' });
    expect(await cancelled({ effect: 'once' })).toMatchObject({ status: 'unknown', text: expect.stringContaining('cancelled') });
  });

  test('a tool that finishes all the same has its outcome known', async () => {
    let begin = (): void => {};
    const began = new Promise<void>((resolve) => { begin = resolve; });
    const finishing = tool({
      effect: 'once',
      run: (_args, { signal }) => new Promise((resolve) => { signal.addEventListener('abort', () => resolve('paid')); begin(); }),
    });
    const { environment, run } = attempt({ tools: [finishing] });
    const result = run();
    await began;
    environment.cancel('CANCELLED', PERSON_CANCELS);
    expect(await result).toMatchObject({ status: 'ok', text: 'paid' });
  });

  test('a worker that stops is no cancel: reads and idempotent calls are made again, an effect once is in doubt', async () => {
    await expect(cancelled({}, WORKER_STOPS)).rejects.toMatchObject({ type: 'Tool.Unavailable', nonRetryable: false });
    await expect(cancelled({ effect: 'idempotent' }, WORKER_STOPS)).rejects.toMatchObject({ type: 'Tool.Unavailable' });
    expect(await cancelled({ effect: 'once' }, WORKER_STOPS)).toMatchObject({ status: 'unknown', text: expect.stringContaining('worker was shut down') });
    expect(await cancelled({}, WORKER_STOPS, LAST)).toMatchObject({ status: 'error' });
  });

  test('a tool that had not begun does not begin', async () => {
    let ran = false;
    const effect = tool({ effect: 'once', run: () => { ran = true; } });
    const early = attempt({ tools: [effect] });
    early.environment.cancel('CANCELLED', PERSON_CANCELS);
    expect(await early.run()).toMatchObject({ status: 'skipped' });
    const stopping = attempt({ tools: [effect] });
    stopping.environment.cancel('WORKER_SHUTDOWN', WORKER_STOPS);
    expect(await stopping.run()).toMatchObject({ status: 'error', text: expect.stringContaining('nothing happened') });
    expect(ran).toBe(false);
  });
});

describe('a tool whose time-out is near is told by its signal', () => {
  const slow = (changes: Partial<ToolDefinition<Args>>, info = {}) =>
    act({ tools: [tool({ run: untilAborted().run, ...changes })], info: { startToCloseTimeoutMs: 60, ...info } });

  test('a read is tried again, and in the end an error', async () => {
    await expect(slow({})).rejects.toMatchObject({ type: 'Tool.Unavailable', message: expect.stringContaining('time-out') });
    expect(await slow({}, LAST)).toMatchObject({ status: 'error', text: expect.stringContaining('longer than its time-out') });
  });

  test('an effect once is in doubt', async () => {
    expect(await slow({ effect: 'once' })).toMatchObject({ status: 'unknown' });
  });
});
