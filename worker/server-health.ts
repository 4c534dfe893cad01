import { Connection } from '@temporalio/client';
import { msToTs, optionalTsToMs } from '@temporalio/common/lib/time.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** A closed run can be read for this long; a dev server deletes it after a day otherwise. */
export const RETENTION_DAYS = 30;

/** True when a Temporal server answers there within the time given. Never throws. */
export async function answers(address: string, timeoutMs: number): Promise<boolean> {
  try {
    const connection = await Connection.connect({ address, connectTimeout: timeoutMs });
    await connection.close();
    return true;
  } catch {
    return false;
  }
}

/**
 * Sets how long closed runs are kept, and reads it back: a server may answer well and keep its own value.
 * @throws Error when the namespace cannot be read or the value did not take.
 */
export async function setRetention(address: string, namespace: string): Promise<void> {
  const connection = await Connection.connect({ address });
  try {
    await connection.workflowService.updateNamespace({
      namespace,
      config: { workflowExecutionRetentionTtl: msToTs(RETENTION_DAYS * DAY_MS) },
    });
    const { config } = await connection.workflowService.describeNamespace({ namespace });
    const keptMs = optionalTsToMs(config?.workflowExecutionRetentionTtl) ?? 0;
    if (keptMs !== RETENTION_DAYS * DAY_MS) {
      throw new Error(`Namespace ${namespace} keeps closed runs for ${keptMs} ms, not for ${RETENTION_DAYS} days.`);
    }
  } finally {
    await connection.close();
  }
}
