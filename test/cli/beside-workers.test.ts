import { expect, test } from 'vitest';
import { besideWorkers } from '../../cli/beside-workers.ts';

/** Watches until the looks have given all these answers and one more. */
async function watched(answers: readonly (boolean | 'no answer')[], session: { readonly worker?: unknown } = {}) {
  const asked: unknown[] = [];
  const said: string[] = [];
  let seen: () => void = () => undefined;
  const all = new Promise<void>((resolve) => { seen = resolve; });
  const isServedElsewhere = async (of: unknown): Promise<boolean> => {
    const answer = answers[asked.push(of) - 1];
    if (answer === 'no answer') throw new Error('the server is away');
    if (answer === undefined) seen();
    return answer ?? answers.at(-1) === true;
  };
  const watch: () => Promise<unknown> = session.worker ? () => new Promise((resolve) => setTimeout(resolve, 50)) : () => all;
  await besideWorkers({ ...session, isServedElsewhere }, { say: (text) => said.push(text.split(':', 1)[0] ?? '') }, { watch, run: 'late', lookEveryMs: 1 });
  return { asked, said };
}

test('of the run that is watched it is said once that no worker serves it, and once that one is back', async () => {
  const { asked, said } = await watched([true, false, true, false, false, false, 'no answer', true, true]);
  expect(said).toEqual(['No worker is up', 'A worker is up again.']);
  expect(asked).toEqual(asked.map(() => ({ run: 'late' })));
});

test('a server that does not answer says nothing about workers, and one that has come back not at once', async () => {
  expect((await watched(['no answer', 'no answer'])).said).toEqual([]);
  expect((await watched(['no answer', false, false, false, true])).said).toEqual([]);
  expect((await watched(['no answer', ...Array<boolean>(6).fill(false)])).said).toEqual(['No worker is up']);
});

test('what a look hangs on its signal does not pile up while somebody watches', async () => {
  const seen = new Set<AbortSignal | undefined>();
  let enough: () => void = () => undefined;
  const all = new Promise<void>((resolve) => { enough = resolve; });
  const isServedElsewhere = async (_of: unknown, over?: AbortSignal) => {
    if (seen.add(over).size === 20) enough();
    return true;
  };
  await besideWorkers({ isServedElsewhere }, { say: () => undefined }, { watch: () => all, lookEveryMs: 1 });
  expect(seen.size).toBeGreaterThanOrEqual(20);
});

test('with a worker of this process nothing is looked up and nothing said', async () => {
  expect(await watched([false], { worker: {} })).toEqual({ asked: [], said: [] });
});

test('a look that takes long ends with the watching', async () => {
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => { begin = resolve; });
  const isServedElsewhere = (_of: unknown, over?: AbortSignal) => new Promise<boolean>((_, reject) => {
    over?.addEventListener('abort', () => reject(new Error('aborted')));
    begin();
  });
  expect(await besideWorkers({ isServedElsewhere }, { say: () => undefined }, { watch: () => begun.then(() => 'watched'), lookEveryMs: 1 })).toBe('watched');
});
