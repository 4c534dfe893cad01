import { expect, test } from 'vitest';
import { argsHash } from '../../activities/args-hash.ts';
import type { JsonObject } from '../../core/json.ts';
import { act, tool } from './act-parts.ts';

const bound = { firstRunId: 'first', call: '3.1', tool: 'pay', args: { id: '88213' } };

function pay() {
  const ran: JsonObject[] = [];
  const held = tool({ name: 'pay', effect: 'once', needsApproval: true, run: (args) => { ran.push({ ...args }); return 'paid'; } });
  return { held, ran };
}

test('what was approved runs', async () => {
  const { held, ran } = pay();
  expect(await act({ tools: [held], input: { approved: { argsHash: argsHash(bound) } } })).toMatchObject({ status: 'ok' });
  expect(ran).toEqual([{ id: '88213' }]);
});

test('without a yes nothing that needs one runs, whatever the loop says', async () => {
  const { held, ran } = pay();
  expect(await act({ tools: [held] })).toMatchObject({ status: 'error', text: expect.stringContaining("needs a person's approval") });
  expect(ran).toEqual([]);
});

/** The same draw on every machine. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state;
  };
}

test('1,000 changes of a call between the yes and the run: none of them runs', async () => {
  const { held, ran } = pay();
  const next = numbers(7);
  const digit = () => String(next() % 10);
  const MUTATIONS: readonly ((id: string) => string)[] = [
    (id) => id + digit(), (id) => digit() + id, (id) => id.slice(0, -1), (id) => ` ${id}`, (id) => `${id} `, (id) => `${id}\u200b`, (id) => `#${id}`,
    (id) => id.replace(/\d/, (one) => String((Number(one) + 1 + (next() % 9)) % 10)), (id) => id.replace('8', '\uff18'), (id) => id.replaceAll('8', 'B'),
  ];
  for (let i = 0; i < 1_000; i += 1) {
    const args = { id: MUTATIONS[i % MUTATIONS.length]?.('88213') ?? '' };
    const input = i % 4 === 3 ? { call: `4.${i}`, args: bound.args } : { args };
    const seen = await act({ tools: [held], input: { ...input, approved: { argsHash: argsHash(bound) } } });
    expect(seen).toMatchObject({ status: 'error', text: expect.stringContaining('with other arguments') });
  }
  expect(ran).toEqual([]);
});
