import { expect, test } from 'vitest';
import agents from '../../examples/own-agent/agents.ts';
import { pinnedFrom } from '../../tools/pinned-from.ts';

test('an agent of twenty lines is whole: its tool finds, and says in words what it does not find', async () => {
  const [agent] = agents;
  const prepare = async (city: string) => {
    const prepared = await agent?.tools[0]?.prepare({ city });
    if (!prepared?.ok) throw new Error('the arguments were refused');
    return prepared.call;
  };
  const context = { signal: new AbortController().signal, idempotencyKey: 'k', heartbeat: () => {}, log: () => {} };
  expect((await prepare('Pune')).run(context)).toBe('Pune: 09:00 to 21:00, every day');
  expect((await prepare('Rome')).run(context)).toBeUndefined();
  expect((await prepare('Rome')).emptyText()).toContain('Pune and Goa');
});

test('it can be pinned as it is', () => {
  const [agent] = agents;
  expect(agent && pinnedFrom(agent, { model: 'm', searchAttributes: [], promptBytes: () => 0 })).toMatchObject({ ok: true, agent: { name: 'my-agent' } });
});
