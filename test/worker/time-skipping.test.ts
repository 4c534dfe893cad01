import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { timeSkippingEnvironment } from '../support/time-skipping.ts';

let environment: TestWorkflowEnvironment;
beforeAll(async () => {
  environment = await timeSkippingEnvironment();
});
afterAll(() => environment.teardown());

test('the test server that was found or fetched skips a month at once', async () => {
  const before = await environment.currentTimeMs();
  await environment.sleep('30 days');
  expect((await environment.currentTimeMs()) - before).toBeGreaterThanOrEqual(30 * 86_400_000);
});
