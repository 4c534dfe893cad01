import type { ConnectionLike } from '@temporalio/client';
import { hostname } from 'node:os';
import { timestampMs } from '../client/history-events.ts';

/** Temporal's TASK_QUEUE_TYPE_WORKFLOW. */
const WORKFLOW_QUEUE = 1;
/** A worker that is up asks for work at least this often; a poll ends after 60 s on the server. */
const POLL_MS = 75_000;

export interface TaskQueue {
  readonly connection: ConnectionLike;
  readonly namespace: string;
  readonly taskQueue: string;
}

/** Whether a worker serves the task queue. The server remembers pollers for minutes: those that are surely dead do not count. */
export async function workerPolls({ connection, namespace, taskQueue }: TaskQueue): Promise<boolean> {
  const { pollers } = await connection.workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: WORKFLOW_QUEUE,
  });
  const nowMs = Date.now();
  return (pollers ?? []).some(
    ({ identity, lastAccessTime }) => nowMs - timestampMs(lastAccessTime) < POLL_MS && !isDeadHere(identity ?? ''),
  );
}

/** A worker's identity is `pid@host` unless it was given another: on this machine it can be asked whether it lives. */
function isDeadHere(identity: string): boolean {
  const [, pid, host] = /^(\d{1,10})@(.+)$/.exec(identity) ?? [];
  if (pid === undefined || host !== hostname()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    // EPERM: it lives, and belongs to somebody else.
    return !(error instanceof Error && 'code' in error && error.code === 'EPERM');
  }
}
