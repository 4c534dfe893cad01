import { ActivityCancellationDetails } from '@temporalio/common';
import { CancelledFailure } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, test } from 'vitest';
import { withinMoment } from '../../activities/local-read.ts';
import type { ActInput, ActResult } from '../../core/contract.ts';

const input: ActInput = { agent: { name: 'desk', version: '1', hash: 'h' }, tool: 'get_order', call: '3.1', args: {}, hash: 'h', firstRunId: 'first', observationChars: 1_500 };
const seen: ActResult = { type: 'observation', call: '3.1', tool: 'get_order', status: 'ok', text: 'seen', seen: [], hash: '', ms: 1 };

function locally(act: () => Promise<ActResult>) {
  const environment = new MockActivityEnvironment({ isLocal: true, startToCloseTimeoutMs: 100 });
  return { environment, result: environment.run(() => withinMoment(input, act)) };
}

test('what the tool brings is the result', async () => {
  expect(await locally(() => Promise.resolve(seen)).result).toEqual(seen);
});

test('a failure is said, not thrown: a marker in history would not tell which call it was', async () => {
  expect(await locally(() => Promise.reject(new Error('no connection'))).result).toMatchObject({ type: 'local_miss', call: '3.1', tool: 'get_order', why: 'no connection' });
});

test('a tool that heeds no signal is not waited for past the time-out', async () => {
  expect(await locally(() => new Promise(() => undefined)).result).toMatchObject({ type: 'local_miss', why: 'it took longer than a local read may' });
});

test('a cancel stays a cancel', async () => {
  const { environment, result } = locally(() => Promise.reject(new CancelledFailure('by a person')));
  environment.cancel('CANCELLED', new ActivityCancellationDetails({ cancelRequested: true }));
  await expect(result).rejects.toThrow('by a person');
});
