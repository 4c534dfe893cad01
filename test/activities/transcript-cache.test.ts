import { expect, test } from 'vitest';
import { createTranscriptCache } from '../../activities/transcript-cache.ts';
import type { AskRun } from '../../activities/transcript-cache.ts';
import type { Item } from '../../core/transcript.ts';
import { pinnedAgent } from '../support/pinned-agent.ts';

const agent = pinnedAgent();
const items: readonly Item[] = Array.from({ length: 6 }, (_, n) => ({ type: 'nudge', turn: n, guard: 'no_progress', text: `item ${n}` }));

/** A run that can be asked, two items a page, and how often it was. */
function run(first = 0): { readonly asked: number[]; readonly ask: AskRun } {
  const asked: number[] = [];
  return {
    asked,
    ask: (from) => {
      asked.push(from);
      const start = Math.max(from, first);
      return Promise.resolve({ agent, first, from: start, items: items.slice(start, start + 2), ...(start + 2 < items.length ? { next: start + 2 } : {}) });
    },
  };
}

test('a run that begins brings its agent along and is not asked, nor is it while the worker remembers it', async () => {
  const cache = createTranscriptCache();
  const { asked, ask } = run();
  await cache.extend('run', { base: 0, delta: items.slice(0, 1), agent }, ask);
  const known = await cache.extend('run', { base: 1, delta: items.slice(1, 3) }, ask);
  expect(known).toEqual({ agent, first: 0, items: items.slice(0, 3) });
  expect(asked).toEqual([]);
});

test('what this worker does not know is asked of the run, up to what it was sent', async () => {
  const { asked, ask } = run();
  const known = await createTranscriptCache().extend('run', { base: 3, delta: items.slice(3, 4) }, ask);
  expect(known.items).toEqual(items.slice(0, 4));
  expect(asked).toEqual([0, 2]);
});

test('a run that has left items behind begins with the first that it has', async () => {
  const { ask } = run(2);
  expect(await createTranscriptCache().extend('run', { base: 4, delta: items.slice(4) }, ask)).toEqual({ agent, first: 2, items: items.slice(2) });
});

test('an attempt that is made again gets the same transcript, not its items twice', async () => {
  const cache = createTranscriptCache();
  const { ask } = run();
  await cache.extend('run', { base: 0, delta: items.slice(0, 2), agent }, ask);
  const once = await cache.extend('run', { base: 2, delta: items.slice(2, 4) }, ask);
  expect(await cache.extend('run', { base: 2, delta: items.slice(2, 4) }, ask)).toEqual(once);
});

test('the oldest runs are forgotten, and asked again', async () => {
  const cache = createTranscriptCache(4);
  const { asked, ask } = run();
  for (const key of ['a', 'b', 'c']) await cache.extend(key, { base: 0, delta: items.slice(0, 2), agent }, ask);
  await cache.extend('a', { base: 2, delta: items.slice(2, 3) }, ask);
  expect(asked).toEqual([0]);
});
