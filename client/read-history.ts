import { RunNotFoundError } from './errors.ts';
import type { HistoryEvent } from './history-events.ts';
import { ask, type ServerAccess } from './server-access.ts';

/** One execution of a run: a run that was continued as new has several. */
export interface Execution {
  readonly runId: string;
  readonly events: readonly HistoryEvent[];
}

export interface Chain {
  /** What the server still has, oldest first; the last one is the latest. */
  readonly executions: readonly Execution[];
  readonly firstRunId: string;
  /** Earlier executions existed and the server has deleted them. */
  readonly earlierGone: boolean;
}

/** Histories of all executions of a run. @throws RunNotFoundError when the server has none of them. */
export async function readChain(access: ServerAccess, id: string): Promise<Chain> {
  const executions = [await readExecution(access, id, await latestRunId(access, id))];
  for (;;) {
    const started = executions[0]?.events[0]?.workflowExecutionStartedEventAttributes;
    const firstRunId = started?.firstExecutionRunId ?? '';
    const previous = started?.continuedExecutionRunId;
    if (!previous) return { executions, firstRunId, earlierGone: false };
    const earlier = await readExecution(access, id, previous).catch(absentWhenDeleted);
    if (!earlier) return { executions, firstRunId, earlierGone: true };
    executions.unshift(earlier);
  }
}

async function latestRunId(access: ServerAccess, id: string): Promise<string> {
  const { workflowExecutionInfo } = await ask(access, { id }, () =>
    access.workflows.workflowService.describeWorkflowExecution({
      namespace: access.namespace,
      execution: { workflowId: id },
    }),
  );
  return workflowExecutionInfo?.execution?.runId ?? '';
}

async function readExecution(access: ServerAccess, id: string, runId: string): Promise<Execution> {
  const events: HistoryEvent[] = [];
  let token: Uint8Array | undefined;
  do {
    const page: Page = await historyPage(access, { id, runId, token }, {});
    events.push(...page.events);
    token = page.next;
  } while (token);
  return { runId, events };
}

function absentWhenDeleted(error: unknown): undefined {
  if (error instanceof RunNotFoundError) return undefined;
  throw error;
}

export interface Page {
  readonly events: readonly HistoryEvent[];
  /** Absent when there is nothing more: the execution has closed, or the page did not wait for new events. */
  readonly next?: Uint8Array;
}

/** The server answers a long poll after 20 s at the latest; more than that is a dead connection. */
const LONG_POLL_MS = 40_000;

/** The next events of an execution; waits for some when there are none yet, and may still come back with none. */
export function pollHistory(access: ServerAccess, from: From, signal: AbortSignal): Promise<Page> {
  // A signal of its own for each poll: the SDK leaves its listener behind, and they would add up on the caller's.
  return access.connection.withAbortSignal(AbortSignal.any([signal]), () =>
    historyPage(access, from, { waitNewEvent: true, deadlineMs: LONG_POLL_MS }),
  );
}

interface From {
  readonly id: string;
  readonly runId: string;
  readonly token: Uint8Array | undefined;
}

async function historyPage(
  access: ServerAccess,
  { id, runId, token }: From,
  { waitNewEvent = false, deadlineMs }: { readonly waitNewEvent?: boolean; readonly deadlineMs?: number },
): Promise<Page> {
  const page = await ask(access, { id, ...(deadlineMs ? { deadlineMs } : {}) }, () =>
    access.workflows.workflowService.getWorkflowExecutionHistory({
      namespace: access.namespace,
      execution: { workflowId: id, runId },
      waitNewEvent,
      ...(token ? { nextPageToken: token } : {}),
    }),
  );
  const next = page.nextPageToken?.length > 0 ? { next: page.nextPageToken } : {};
  return { events: page.history?.events ?? [], ...next };
}
