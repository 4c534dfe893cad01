import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, test } from 'vitest';
import { whileTelling } from '../../activities/heartbeats.ts';

/** What an attempt said of itself while its work went on. */
async function told(attempt: number, work: () => Promise<unknown>): Promise<readonly unknown[]> {
  const environment = new MockActivityEnvironment({ attempt });
  const beats: unknown[] = [];
  environment.on('heartbeat', (details) => beats.push(details));
  await environment.run(() => whileTelling(() => 'so far', work)).catch(() => undefined);
  return beats;
}

test('a first attempt that is over at once says nothing: its silence counts as what it is, one attempt', async () => {
  expect(await told(1, () => Promise.resolve('reply'))).toEqual([]);
});

test('an attempt that follows others tells of them before it begins, and one that fails tells the next', async () => {
  expect(await told(2, () => Promise.resolve('reply'))).toEqual(['so far']);
  expect(await told(1, () => Promise.reject(new Error('503')))).toEqual(['so far']);
});

test('an attempt that lasts is heard of while it does', async () => {
  let heard: (() => void) | undefined;
  const beat = new Promise<void>((resolve) => { heard = resolve; });
  const environment = new MockActivityEnvironment({ attempt: 1 });
  environment.on('heartbeat', () => heard?.());
  await environment.run(() => whileTelling(() => 'so far', () => beat));
});
