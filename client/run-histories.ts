import { WORKFLOW_TYPE } from '../core/names.ts';
import type { HistoryEvent } from './history-events.ts';
import { ask, type ServerAccess } from './server-access.ts';

/** History of one execution of a run; a run that was continued as new has several. */
export interface RunHistory {
  readonly id: string;
  readonly executionId: string;
  readonly history: { readonly events?: HistoryEvent[] | null };
}

/** Histories are large: fetching one may take longer than any other request. */
const FETCH_MS = 60_000;

/** Those that a new build would take over, however long they have waited; then the newest that are over. */
const QUERIES = [`WorkflowType = "${WORKFLOW_TYPE}" AND ExecutionStatus = "Running"`, `WorkflowType = "${WORKFLOW_TYPE}" AND ExecutionStatus != "Running"`];

/** Histories of running executions and, where there is room, of the newest that are over. */
export async function* runHistories(access: ServerAccess, last: number): AsyncGenerator<RunHistory> {
  const found: { readonly workflowId: string; readonly runId: string }[] = [];
  await ask(access, { deadlineMs: FETCH_MS }, async () => {
    for (const query of QUERIES) {
      if (found.length >= last) break;
      for await (const { workflowId, runId } of access.workflows.list({ query, pageSize: Math.min(last, 1_000) })) {
        found.push({ workflowId, runId });
        if (found.length >= last) break;
      }
    }
  });
  for (const { workflowId, runId } of found) {
    const history = await ask(access, { id: workflowId, deadlineMs: FETCH_MS }, () => access.workflows.getHandle(workflowId, runId).fetchHistory());
    yield { id: workflowId, executionId: runId, history };
  }
}
