import { describe, expect, test } from 'vitest';
import { createEffectBook } from '../../activities/effect-book.ts';
import type { ActInput } from '../../core/contract.ts';
import { act, attempt, memoryBlobs, tool } from './act-parts.ts';

const HOUR = 3_600_000;
const paying = tool({ name: 'pay', effect: 'idempotent', needsApproval: false, keysKeptFor: '24h' });
const input: ActInput = {
  agent: { name: 'desk', version: '1', hash: 'a' }, tool: 'pay', call: '3.1', args: { id: '1' }, hash: 'h', key: 'refund of 1', firstRunId: 'first', observationChars: 1_500,
};

/** Opens a call that was begun so many hours ago and of which nobody reported the end. */
async function openedAfter(hours: number) {
  const blobs = memoryBlobs();
  const { environment } = attempt({ tools: [paying] });
  await environment.run(() => createEffectBook(blobs, () => 0).open(input, paying));
  return environment.run(() => createEffectBook(blobs, () => hours * HOUR).open({ ...input, call: '9.1' }, paying));
}

test('as long as the other side keeps keys, a call whose end nobody reported goes out again under its key', async () => {
  expect(await openedAfter(23)).toEqual({ kind: 'run', keyOf: '3.1' });
});

test('past that it is treated as one that may happen once: its outcome is in doubt', async () => {
  expect(await openedAfter(25)).toMatchObject({ kind: 'in_doubt', why: expect.stringContaining('keeps keys no longer') });
});

describe('whoever is asked to approve a call is told what another run of its case has done', () => {
  const { environment } = attempt({ tools: [paying] });
  const begun = async (changes: { readonly hash?: string } = {}) => {
    const book = createEffectBook(memoryBlobs());
    await environment.run(() => book.open({ ...input, ...changes }, paying));
    const close = (status: 'ok' | 'unknown' | 'error') => environment.run(() => book.close(input, { status, text: 'receipt 1' }));
    return { close, elsewhere: (changed: object = {}, firstRunId = 'other') => environment.run(() => book.elsewhere({ ...input, ...changed }, firstRunId)) };
  };

  test.each([['ok', 'done'], ['unknown', 'begun']] as const)('it came to %s: %s', async (status, stands) => {
    const { close, elsewhere } = await begun();
    expect(await elsewhere()).toEqual({ run: 'run-1', call: '3.1', stands: 'begun' });
    await close(status);
    expect(await elsewhere()).toEqual({ run: 'run-1', call: '3.1', stands });
    expect(await elsewhere({ hash: 'x' })).toMatchObject({ stands: 'other' });
  });

  test('what failed, what this run did itself, another case and a tool without a key: nothing', async () => {
    const { close, elsewhere } = await begun();
    for (const asked of [elsewhere({}, 'first'), elsewhere({ key: 'refund of 2' }), elsewhere({ key: undefined })]) expect(await asked).toBeUndefined();
    await close('error');
    expect(await elsewhere()).toBeUndefined();
  });

  test('a store that is down holds up no request', async () => {
    const blobs = memoryBlobs();
    blobs.down = true;
    expect(await environment.run(() => createEffectBook(blobs).elsewhere(input, 'other'))).toBeUndefined();
  });

  test('nor does one that never answers', async () => {
    const silent = { ...memoryBlobs(), get: () => new Promise<never>(() => undefined) };
    expect(await environment.run(() => createEffectBook(silent).elsewhere(input, 'other'))).toBeUndefined();
  });
});

test('one key with other arguments is refused', async () => {
  const blobs = memoryBlobs();
  const { environment } = attempt({ tools: [paying] });
  const book = createEffectBook(blobs);
  await environment.run(() => book.open(input, paying));
  const other = await environment.run(() => book.open({ ...input, call: '5.1', hash: 'other' }, paying));
  expect(other).toMatchObject({ kind: 'known', outcome: { status: 'error', text: expect.stringContaining('with other arguments') } });
});

test('a record that cannot be read holds up no work', async () => {
  const blobs = memoryBlobs();
  blobs.down = true;
  const { environment } = attempt({ tools: [paying] });
  expect(await environment.run(() => createEffectBook(blobs).open(input, paying))).toEqual({ kind: 'run', keyOf: '3.1' });
});

test.each([[23, 'run'], [25, 'in_doubt']])('with no record to read, a second attempt after %i hours: %s, since the server knows when the call began', async (hours, kind) => {
  const blobs = memoryBlobs();
  blobs.down = true;
  const { environment } = attempt({ tools: [paying], info: { attempt: 2, scheduledTimestampMs: 0 } });
  expect(await environment.run(() => createEffectBook(blobs, () => hours * HOUR).open(input, paying))).toMatchObject({ kind });
});

describe('a store that answers once and then fails', () => {
  test('a call that another was faster with is in doubt: it is not made a second time', async () => {
    const blobs = memoryBlobs();
    const slower = { ...blobs, putNew: async (key: string, text: string) => { await blobs.put(key, text); blobs.down = true; return false; } };
    const { environment } = attempt({ tools: [paying] });
    expect(await environment.run(() => createEffectBook(slower).open(input, paying))).toMatchObject({ kind: 'in_doubt' });
  });

  test('a call that goes out again keeps the key of the one before it', async () => {
    const blobs = memoryBlobs();
    const { environment } = attempt({ tools: [paying] });
    await environment.run(() => createEffectBook(blobs).open(input, paying));
    const readOnly = { ...blobs, put: () => Promise.reject(new Error('read-only file system')) };
    expect(await environment.run(() => createEffectBook(readOnly).open({ ...input, call: '9.1' }, paying))).toMatchObject({ kind: 'run', keyOf: '3.1' });
  });

});

describe('a second attempt, when the other side has forgotten the key', () => {
  const late = (changes: Partial<ActInput> = {}, blobs = memoryBlobs()) => ({
    blobs,
    open: () => attempt({ tools: [paying], info: { attempt: 2, scheduledTimestampMs: 0 } }).environment.run(() => createEffectBook(blobs, () => 25 * HOUR).open({ ...input, ...changes }, paying)),
  });

  test('is in doubt also where the first left no record, and other runs of the case learn that it began', async () => {
    const { blobs, open } = late();
    expect(await open()).toMatchObject({ kind: 'in_doubt' });
    const { environment } = attempt({ tools: [paying] });
    expect(await environment.run(() => createEffectBook(blobs, () => 25 * HOUR).open({ ...input, firstRunId: 'other', call: '1.1' }, paying))).toMatchObject({ kind: 'in_doubt' });
  });

  test.each([['with', true], ['without', false]] as const)('is in doubt also when a person wanted it again, %s a record', async (_, isRecorded) => {
    const { blobs, open } = late({ again: true });
    if (isRecorded) await attempt({ tools: [paying] }).environment.run(() => createEffectBook(blobs, () => 0).open({ ...input, again: true }, paying));
    expect(await open()).toMatchObject({ kind: 'in_doubt' });
  });
});

test('how long keys are kept is a duration, and only of an idempotent tool', () => {
  expect(() => tool({ effect: 'idempotent', keysKeptFor: 'a day' })).toThrow('number above 0 with its unit');
  expect(() => tool({ effect: 'once', keysKeptFor: '24h' })).toThrow('needs the effect "idempotent"');
});

describe('a look-up that says "it did not happen" of an attempt that was lost', () => {
  /** A second attempt, some time after the first; the first is with a worker that may only be cut off. */
  async function lookedUp(tried: { readonly timeout?: string; readonly agoMs?: number; readonly answers: readonly boolean[] }) {
    const { timeout = '30s', agoMs = 0, answers } = tried;
    const blobs = memoryBlobs();
    let asked = 0;
    let ran = 0;
    const once = tool({
      name: 'pay', effect: 'once', timeout, run: () => { ran += 1; return 'paid'; },
      lookup: async () => ({ happened: answers[asked++] ?? false, result: 'receipt 7' }),
    });
    const { agent: _, ...call } = { ...input, effect: 'once' as const };
    await attempt({ tools: [once] }).environment.run(() => createEffectBook(blobs, () => Date.now() - agoMs).open({ ...input, effect: 'once' }, once));
    const result = await act({ tools: [once], blobs, input: call, info: { attempt: 2, startToCloseTimeoutMs: 30_000 } });
    return { result, asked, ran };
  }

  test('holds once the time-out of that attempt is over', async () => {
    const { result, asked, ran } = await lookedUp({ agoMs: 31_000, answers: [false] });
    expect({ status: result.status, asked, ran }).toEqual({ status: 'error', asked: 1, ran: 0 });
  });

  test('is asked for again when that time is over: what a worker sent that was only cut off has happened', async () => {
    const { result, asked, ran } = await lookedUp({ timeout: '1s', answers: [false, true] });
    expect({ status: result.status, text: result.text, asked, ran }).toEqual({ status: 'ok', text: 'receipt 7', asked: 2, ran: 0 });
  });

  test('is no answer when that takes longer than there is time: the outcome is in doubt', async () => {
    const { result, asked, ran } = await lookedUp({ answers: [false] });
    expect({ status: result.status, asked, ran }).toEqual({ status: 'unknown', asked: 1, ran: 0 });
  });

  test('"it happened" holds at once', async () => {
    const { result, asked } = await lookedUp({ answers: [true] });
    expect({ status: result.status, asked }).toEqual({ status: 'ok', asked: 1 });
  });
});
