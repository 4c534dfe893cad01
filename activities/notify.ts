import { Context } from '@temporalio/activity';
import type { NotifyInput } from '../core/contract.ts';

/** A run begins to wait for a person. Until an agent brings its own way to tell them, the worker's log does. */
export async function notify({ status, handOver }: NotifyInput): Promise<void> {
  const { info, log } = Context.current();
  log.info('run waits for a person', { run: info.workflowExecution.workflowId, status, reason: handOver?.reason, next: handOver?.next });
  await Promise.resolve();
}
