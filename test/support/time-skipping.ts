import { TestWorkflowEnvironment } from '@temporalio/testing';
import { findTestServer } from '../../worker/temporal-binary.ts';

/** A server of its own whose clock jumps while a result is awaited: for waits of days. Call `teardown()` on it. */
export async function timeSkippingEnvironment(): Promise<TestWorkflowEnvironment> {
  const path = await findTestServer({ env: process.env, report: (message) => process.stderr.write(`${message}\n`) });
  return TestWorkflowEnvironment.createTimeSkipping({ server: { executable: { type: 'existing-path', path } } });
}
