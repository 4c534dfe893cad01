import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';
import type { temporal } from '@temporalio/proto';

export type History = temporal.api.history.v1.IHistory;
type Event = temporal.api.history.v1.IHistoryEvent;

export async function historyOf({ workflow }: Client, id: string, runId?: string): Promise<History> {
  return workflow.getHandle(id, runId).fetchHistory();
}

const { WorkflowTaskFailedCause } = proto.temporal.api.enums.v1;
/** Causes that Temporal itself writes: a signal that raced a command, and a person's reset. */
const HARMLESS: ReadonlySet<unknown> = new Set([
  WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND, WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_RESET_WORKFLOW,
]);

/** Workflow tasks that failed, by cause: a run without any never hit a bug of ours. */
export function failedWorkflowTasks({ events }: History): readonly string[] {
  return (events ?? []).flatMap(({ workflowTaskFailedEventAttributes: failed }) => {
    if (!failed) return [];
    return HARMLESS.has(failed.cause) ? [] : [`cause ${failed.cause}: ${failed.failure?.message ?? ''}`];
  });
}

export function scheduledActivities({ events }: History): readonly string[] {
  return (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled?.activityType?.name ? [scheduled.activityType.name] : [],
  );
}

/** Bytes of an event as the server keeps it, near enough: its protobuf text. */
export function eventBytes(event: Event): number {
  return Buffer.byteLength(JSON.stringify(event));
}
