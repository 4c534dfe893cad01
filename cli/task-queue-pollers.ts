import type { ConnectionLike } from '@temporalio/client';
import { hostname } from 'node:os';
import { timestampMs } from '../client/history-events.ts';
import { isAlive } from '../worker/process-identity.ts';

/** Temporal's TASK_QUEUE_TYPE_WORKFLOW. */
const WORKFLOW_QUEUE = 1;
/** A worker that is up asks for work at least this often; a poll ends after 60 s on the server. */
const POLL_MS = 75_000;
/** A server that is up answers at once. */
const ANSWER_MS = 5_000;

interface Place {
  readonly connection: ConnectionLike;
  readonly namespace: string;
  /** Whose workers are looked for: those of a queue, or of the one that a run is on. */
  readonly of: { readonly taskQueue: string } | { readonly run: string };
  /** Ends the looking. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Whether a worker of another process serves the task queue. The server remembers pollers for minutes: those that are
 * surely dead do not count. One that died on another machine is known to be by the polls that it no longer makes.
 */
export async function workerPolls({ connection, namespace, of, signal }: Place): Promise<boolean> {
  const look = async () => {
    const name = 'run' in of ? await queueOf(of.run) : of.taskQueue;
    return connection.workflowService.describeTaskQueue({ namespace, taskQueue: { name }, taskQueueType: WORKFLOW_QUEUE });
  };
  const queueOf = async (workflowId: string) => {
    const { executionConfig } = await connection.workflowService.describeWorkflowExecution({ namespace, execution: { workflowId } });
    return executionConfig?.taskQueue?.name ?? '';
  };
  const inTime = () => connection.withDeadline(Date.now() + ANSWER_MS, look);
  const { pollers } = await (signal ? connection.withAbortSignal(signal, inTime) : inTime());
  const nowMs = Date.now();
  return (pollers ?? []).some(
    ({ identity, lastAccessTime }) => nowMs - timestampMs(lastAccessTime) < POLL_MS && !isOursOrDead(identity ?? ''),
  );
}

/** A worker's identity is `pid@host` unless it was given another: on this machine it can be looked whether it lives. */
function isOursOrDead(identity: string): boolean {
  const [, pid, host] = /^(\d{1,10})@(.+)$/.exec(identity) ?? [];
  if (pid === undefined || host !== hostname()) return false;
  return Number(pid) === process.pid || !isAlive({ pid: Number(pid) });
}
