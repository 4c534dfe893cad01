import { Context } from '@temporalio/activity';
import type { NotifyInput } from '../core/contract.ts';
import { thisRun } from './this-run.ts';

/** A run begins to wait for a person. Until an agent brings its own way to tell them, the worker's log does. */
export async function notify({ status, handOver }: NotifyInput): Promise<void> {
  Context.current().log.info('run waits for a person', { run: thisRun().workflowId, status, reason: handOver?.reason, next: handOver?.next });
  await Promise.resolve();
}
