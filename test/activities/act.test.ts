import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { archiveKey } from '../../core/contract.ts';
import type { Recallable } from '../../core/contract.ts';
import { wellFormed } from '../../core/data-text.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { act, attempt, evidenceAfter, memoryBlobs, tool } from './act-parts.ts';

describe('a result becomes one observation', () => {
  test('with its words as evidence, its hash and its time', async () => {
    const result = await act({ tools: [tool({ run: () => ({ order: 'O-7', fee: 25 }) })] });
    expect(result).toMatchObject({ type: 'observation', call: '3.1', tool: 'get_order', status: 'ok', text: '{"order":"O-7","fee":25}' });
    expect([...evidenceAfter(result)]).toEqual(expect.arrayContaining(['o-7', '25']));
    expect(result.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(result.ms).toBeGreaterThanOrEqual(0);
    expect(result.more).toBeUndefined();
  });

  test('defaults and transforms of the schema reach the tool', async () => {
    const found = defineTool({
      name: 'find', description: 'x', effect: 'read',
      input: z.object({ q: z.string().transform((q) => q.trim()), max: z.number().default(5) }), run: (args) => args,
    });
    expect((await act({ tools: [found], input: { args: { q: ' a ' } } })).text).toBe('{"q":"a","max":5}');
  });

  test('arguments that the schema refuses are an error that names the field; the tool does not run', async () => {
    let ran = false;
    const result = await act({ tools: [tool({ run: () => { ran = true; } })], input: { args: { id: 5 } } });
    expect(result).toMatchObject({ status: 'error', text: expect.stringMatching(/^Not run: .*id: /) });
    expect(ran).toBe(false);
  });

  test.each<[string, unknown]>([['undefined', undefined], ['null', null], ['nothing', ''], ['blanks', ' \n '], ['an empty list', []], ['an empty object', {}]])(
    'a read that brings %s says so in words, never with silence', async (_what, value) => {
      const plain = await act({ tools: [tool({ run: () => value })] });
      expect(plain).toMatchObject({ status: 'empty', text: 'get_order found nothing for {"id":"88213"}.' });
      const own = await act({ tools: [tool({ run: () => value, emptyText: ({ id }) => `No order ${id}.` })] });
      expect(own).toMatchObject({ status: 'empty', text: 'No order 88213.' });
    },
  );

  test('the words of a call that found nothing are no evidence', async () => {
    const result = await act({ tools: [tool({ run: () => undefined, emptyText: ({ id }) => `No order ${id}; see HELP-12.` })] });
    expect([...evidenceAfter(result)]).toEqual(['help-12', '12']);
  });

  test('a write that returns nothing was done', async () => {
    expect(await act({ tools: [tool({ effect: 'once', run: () => undefined })] })).toMatchObject({ status: 'ok', text: 'get_order was done.' });
  });

  test('a result that contains itself is an error of a read, and a done write', async () => {
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    expect(await act({ tools: [tool({ run: () => loop })] })).toMatchObject({ status: 'error', text: expect.stringContaining('contains itself') });
    expect(await act({ tools: [tool({ effect: 'once', run: () => loop })] })).toMatchObject({ status: 'ok' });
  });

  test('an emptyText that throws leaves the default sentence', async () => {
    const emptyText = (): string => { throw new Error('x'); };
    expect((await act({ tools: [tool({ run: () => '', emptyText })] })).text).toContain('found nothing');
  });
});

describe('a call runs on the tool it was made for, or not at all', () => {
  test('a tool that is gone is an error, and no other tool runs instead', async () => {
    let ran = false;
    const other = tool({ name: 'pay', run: () => { ran = true; return 1; } });
    expect(await act({ tools: [other], input: { tool: 'pay_v1' } })).toMatchObject({ status: 'error', tool: 'pay_v1', text: expect.stringMatching(/^Not run: .* has no pay_v1/), handOverDetail: 'tool_gone', handOver: expect.stringContaining('bring back a worker that has it') });
    expect(await act({ tools: [other], input: { agent: { name: 'desk', version: '0', hash: 'x' } } })).toMatchObject({ status: 'error' });
    expect(ran).toBe(false);
  });

  const earlier = { name: 'desk', version: '1', hash: 'an earlier one' };

  test('an agent that was changed otherwise is no reason not to run a call', async () => {
    expect(await act({ tools: [tool({ effect: 'once' })], input: { agent: earlier, effect: 'once' } })).toMatchObject({ status: 'ok' });
    expect(await act({ tools: [tool()], input: { agent: earlier } })).toMatchObject({ status: 'ok' });
  });

  test('a tool that has another effect now does not run', async () => {
    let ran = 0;
    const counts = (effect: 'read' | 'once' | 'idempotent') => tool({ effect, run: () => (ran += 1) });
    for (const [now, was] of [['once', undefined], ['read', 'once'], ['once', 'idempotent']] as const) {
      const result = await act({ tools: [counts(now)], input: { agent: earlier, ...(was ? { effect: was } : {}) } });
      expect(result).toMatchObject({ status: 'error', text: expect.stringContaining(`has the effect "${now}" now`), handOverDetail: 'agent_changed' });
    }
    expect(ran).toBe(0);
  });

  test.each<[string, z.ZodType]>([
    ['wants a field more', z.object({ id: z.string(), why: z.string() })],
    ['has renamed a field and would drop the old one', z.object({ order: z.string().optional() })],
  ])('a tool that %s does not run with the arguments of before: a person gets the run', async (_what, input) => {
    let ran = 0;
    const changed = defineTool({ name: 'get_order', description: 'x', input, effect: 'read', run: () => (ran += 1) });
    expect(await act({ tools: [changed], input: { agent: earlier } })).toMatchObject({
      status: 'error', text: expect.stringContaining('takes other arguments now'), handOverDetail: 'agent_changed', handOver: expect.stringContaining('bring back a worker'),
    });
    expect(ran).toBe(0);
  });

  test('a call that was checked where its tool was not deployed has no business key, and does not run where there is one', async () => {
    const keyed = tool({ effect: 'once', key: ({ id }) => `refund of ${id}` });
    expect(await act({ tools: [keyed], input: { effect: 'once' } })).toMatchObject({ status: 'error', text: expect.stringContaining('its business case is not known'), handOverDetail: 'agent_changed' });
    expect(await act({ tools: [keyed], input: { effect: 'once', key: 'refund of 88213' } })).toMatchObject({ status: 'ok' });
  });

  test.each(['toString', 'constructor', '__proto__'])('%s is no tool', async (name) => {
    expect(await act({ tools: [tool()], input: { tool: name } })).toMatchObject({ status: 'error' });
  });
});

describe('a running tool', () => {
  const keyOf = async (input: Parameters<typeof act>[0]['input'], info = {}) => {
    const { text } = await act({ tools: [tool({ effect: 'idempotent', run: (_args, { idempotencyKey }) => idempotencyKey })], input: input ?? {}, info });
    return text;
  };

  test('gets one idempotency key on every attempt, another for every call, and the business key where there is one', async () => {
    const first = await keyOf({});
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(await keyOf({}, { attempt: 3 })).toBe(first);
    expect(await keyOf({ call: '3.2' })).not.toBe(first);
    expect(await keyOf({ firstRunId: 'other' })).not.toBe(first);
    expect(await keyOf({ key: 'order-88213' })).toBe('order-88213');
  });

  test('is alive without saying so', async () => {
    let heard: (() => void) | undefined;
    const beat = new Promise<void>((resolve) => { heard = resolve; });
    // It ends only once it was heard of: a tool that never is would run into the test's time-out.
    const { environment, run } = attempt({ tools: [tool({ run: async () => { await beat; return 'done'; } })] });
    environment.on('heartbeat', () => heard?.());
    expect(await run()).toMatchObject({ status: 'ok', text: 'done' });
  });
});

const long = `${'x'.repeat(1_400)}${'👩‍👩‍👧‍👦 é '.repeat(200)}the end 424242`;

describe('long observations', () => {
  test('are cut by whole graphemes to the limit, say how much is missing, and keep the rest', async () => {
    const blobs = memoryBlobs();
    const result = await act({ tools: [tool({ run: () => long })], blobs });
    expect(result.text.length).toBeLessThanOrEqual(1_500);
    expect(wellFormed(result.text)).toBe(result.text);
    const [, kept] = /\[cut: (\d+) of \d+ characters; recall \{"id":"3\.1","from":\1\} brings the next part\]$/.exec(result.text) ?? [];
    expect(long.startsWith(result.text.slice(0, Number(kept)))).toBe(true);
    expect(result.more).toEqual({ blob: 'observations/run-1/first/3.1.txt', chars: long.length });
    expect(blobs.texts.get('observations/run-1/first/3.1.txt')).toBe(long);
    expect(result.seen).toContain('424242');
  });

  test('are observations too when the store is down, and say that the rest is lost', async () => {
    const blobs = memoryBlobs();
    blobs.down = true;
    const result = await act({ tools: [tool({ run: () => long })], blobs });
    expect(result).toMatchObject({ status: 'ok', text: expect.stringContaining('could not be kept') });
    expect(result.text.length).toBeLessThanOrEqual(1_500);
    expect(result.more).toBeUndefined();
  });

  test('a text that is broken already is mended', async () => {
    expect((await act({ tools: [tool({ run: () => 'a\ud83c b' })] })).text).toBe('a\ufffd b');
  });

  test('a result of more than 5 MB is refused with a reason', async () => {
    expect(await act({ tools: [tool({ run: () => 'x'.repeat(5_000_001) })] })).toMatchObject({ status: 'error', text: expect.stringContaining('ask for less') });
  });
});

describe('recall', () => {
  const recalled = (blobs: ReturnType<typeof memoryBlobs>, args: Record<string, string | number>, recall?: Recallable) =>
    act({ tools: [tool()], blobs, input: { tool: 'recall', call: '4.1', args, ...(recall ? { recall } : {}) } });

  test('brings a cut observation back part by part, nothing lost and nothing twice', async () => {
    const blobs = memoryBlobs();
    const whole = Array.from({ length: 700 }, (_, n) => `line ${n} 🎉`).join('\n');
    const first = await act({ tools: [tool({ run: () => whole })], blobs });
    let read = '';
    let text = first.text;
    for (let from: number | undefined = 0; from !== undefined;) {
      expect(text.length).toBeLessThanOrEqual(1_500);
      const [mark = '', next] = /\n\[(?:cut: .*"from":(\d+)\} brings the next part|end of 3\.1)\]$/.exec(text) ?? [];
      read += mark ? text.slice(0, -mark.length) : text;
      from = next === undefined ? undefined : Number(next);
      if (from !== undefined) text = (await recalled(blobs, { id: '3.1', from })).text;
    }
    expect(read).toBe(whole);
  });

  test('brings a short observation back whole', async () => {
    const blobs = memoryBlobs();
    const { text } = await act({ tools: [tool()], blobs });
    expect(blobs.texts.size).toBe(0);
    blobs.down = true;
    expect(await recalled(blobs, { id: '3.1' }, { text, known: ['3.1'] })).toMatchObject({ status: 'ok', text });
  });

  test('brings back from the archive what an earlier execution of the run left behind', async () => {
    const blobs = memoryBlobs();
    const observation = { type: 'observation', call: '3.1', tool: 'get_order', status: 'ok', text: 'order 88213', seen: [], hash: 'h', ms: 1 };
    await blobs.put(archiveKey('run-1', 'first', 0), JSON.stringify({ first: 0, items: [observation] }));
    await blobs.put(archiveKey('run-1', 'first', 9), 'half a segm');
    expect(await recalled(blobs, { id: '3.1' }, { known: ['8.1'] })).toMatchObject({ status: 'ok', text: 'order 88213' });
    expect(await recalled(blobs, { id: '3.2' }, { known: ['8.1'] })).toMatchObject({ status: 'error', text: expect.stringContaining('There are: 8.1.') });
  });

  test('says that there is no more behind the end', async () => {
    const blobs = memoryBlobs();
    expect(await recalled(blobs, { id: '3.1', from: 9_999 }, { text: 'order 88213', known: ['3.1'] })).toMatchObject({ status: 'empty', text: expect.stringContaining('seen all of it') });
  });

  test('an id that is not there is answered with those that are', async () => {
    const blobs = memoryBlobs();
    expect(await recalled(blobs, { id: '9.9' })).toMatchObject({ status: 'error', text: expect.stringContaining('No tool has been called') });
    for (const id of ['7.7', '../../secret', '', 'x']) {
      expect(await recalled(blobs, { id }, { known: ['9.2', '10.1'] })).toMatchObject({ status: 'error', text: expect.stringContaining('9.2, 10.1') });
    }
  });

  test('reads this run only', async () => {
    const blobs = memoryBlobs();
    await act({ tools: [tool({ run: () => long })], blobs, info: { workflowExecution: { workflowId: 'run-2', runId: 'r' } } });
    expect(blobs.texts.size).toBe(1);
    expect(await recalled(blobs, { id: '3.1' })).toMatchObject({ status: 'error' });
  });

  test('a store that is down is tried again, and then an error', async () => {
    const blobs = memoryBlobs();
    blobs.down = true;
    const call = { tools: [tool()], blobs, input: { tool: 'recall', call: '4.1', args: { id: '3.1' } } };
    const retryPolicy = { maximumAttempts: 3 };
    await expect(act({ ...call, info: { attempt: 1, retryPolicy } })).rejects.toMatchObject({ type: 'Tool.Unavailable' });
    expect(await act({ ...call, info: { attempt: 3, retryPolicy } })).toMatchObject({ status: 'error', text: expect.stringContaining('cannot be read now') });
  });
});
