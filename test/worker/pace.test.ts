import proto from '@temporalio/proto';
import { expect, test } from 'vitest';
import { paceOf } from '../../worker/pace.ts';
import { openDesk } from '../support/desk.ts';
import { speaker } from '../support/speaker.ts';
import { testServer } from '../support/test-server.ts';

const say = speaker('function-calling');

test.each(['0', '-1', 'fast', '1e9', '5 per second'])('a pace of "%s" is refused with the setting\'s name and an example', (text) => {
  expect(() => paceOf({ CASEWORKER_ACTIVITIES_PER_SECOND: text })).toThrow(/CASEWORKER_ACTIVITIES_PER_SECOND.*e\.g\. 5 or 0\.5/);
});

test('without a setting nothing is held back; with one it is a number', () => {
  expect(paceOf({})).toBeUndefined();
  expect(paceOf({ CASEWORKER_ACTIVITIES_PER_SECOND: '0.5' })).toBe(0.5);
});

test('the pace is a limit that the server keeps for the whole task queue, and no limiter of a worker', async () => {
  const { connection, namespace } = await testServer();
  const { taskQueue } = await openDesk({ script: [say.answer('It is done.')], activitiesPerSecond: 2 });
  const { TASK_QUEUE_TYPE_ACTIVITY: taskQueueType } = proto.temporal.api.enums.v1.TaskQueueType;
  const limit = async () => (await connection.workflowService.describeTaskQueue({ namespace, taskQueue: { name: taskQueue }, taskQueueType })).effectiveRateLimit;
  await expect.poll(limit, { timeout: 30_000 }).toMatchObject({
    requestsPerSecond: 2, rateLimitSource: proto.temporal.api.enums.v1.RateLimitSource.RATE_LIMIT_SOURCE_WORKER,
  });
});
