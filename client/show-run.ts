import { WorkflowFailedError } from '@temporalio/client';
import { isGrpcDeadlineError } from '@temporalio/client';
import { QUERY } from '../core/names.ts';
import { isJsonObject } from '../core/json.ts';
import type { RunProgress, RunResult } from '../core/run.ts';
import { RunFailedError, RunNotFoundError, UnreadableError } from './errors.ts';
import { summaryOf } from './list-runs.ts';
import { withElsewhere } from './elsewhere.ts';
import { isRunResult } from './parse-item.ts';
import { ask, translated, type ServerAccess } from './server-access.ts';
import type { RunSummary, ShownRun } from './types.ts';

/** A worker that is up answers a query within milliseconds; longer means that none is. */
const QUERY_MS = 3_000;
/** Enough to fetch a result that is there already. */
const RESULT_MS = 5_000;
/** The last steps of a run take milliseconds where nothing is in their way. */
const CLOSES_MS = 1_000;

export async function showRun(access: ServerAccess, id: string): Promise<ShownRun> {
  const summary = summaryOf(await ask(access, { id }, () => access.workflows.getHandle(id).describe()));
  if (summary.status === 'terminated' || summary.status === 'failed') return { summary };
  if (summary.closedAtMs !== undefined) return withResult(summary, await runResult(access, id, RESULT_MS));
  const progress = await runProgress(access, id);
  const status = progress?.status ?? summary.status;
  // Mostly it closes in a moment, and then there is a result to show; its last steps may also wait for a store, or a worker.
  const result = status === 'ended' ? await runResult(access, id, CLOSES_MS).catch(closedOtherwise) : undefined;
  if (result === 'closed otherwise') return showRun(access, id);
  return result ? withResult(summary, result) : { summary: { ...summary, status }, ...(progress ? { progress } : {}) };
}

/** Somebody terminated it in its last moment. */
function closedOtherwise(error: unknown): 'closed otherwise' {
  if (error instanceof RunFailedError) return 'closed otherwise';
  throw error;
}

function withResult(summary: RunSummary, result: RunResult | undefined): ShownRun {
  return result ? { summary: { ...summary, status: 'ended', endReason: result.endReason }, result } : { summary };
}

/** `undefined` when no worker answers. */
export async function runProgress(access: ServerAccess, id: string): Promise<RunProgress | undefined> {
  try {
    const progress: unknown = await access.connection.withDeadline(Date.now() + QUERY_MS, () =>
      access.workflows.getHandle(id).query<unknown>(QUERY.progress),
    );
    return isProgress(progress) ? await withElsewhere(access, id, progress) : undefined;
  } catch (error) {
    const known = translated(error, id);
    if (known instanceof RunNotFoundError) throw known;
    // No worker, a worker that cannot go on, a server without pollers: in each case nobody can say more.
    return undefined;
  }
}

function isProgress(value: unknown): value is RunProgress {
  return (
    isJsonObject(value) &&
    typeof value.status === 'string' &&
    typeof value.turn === 'number' &&
    isJsonObject(value.usage)
  );
}

/** The result, or `undefined` when the run has not ended within `waitMs`. @throws RunFailedError, RunNotFoundError */
export async function runResult(access: ServerAccess, id: string, waitMs: number): Promise<RunResult | undefined> {
  try {
    const result: unknown = await access.connection.withDeadline(Date.now() + Math.max(waitMs, 1_000), () =>
      access.workflows.getHandle(id).result(),
    );
    if (isRunResult(result)) return result;
  } catch (error) {
    if (isGrpcDeadlineError(error)) return undefined;
    if (error instanceof WorkflowFailedError)
      throw new RunFailedError(id, error.cause?.message ?? error.message, { cause: error });
    throw translated(error, id);
  }
  throw new UnreadableError(`The result of "${id}" is none that this version can read.`);
}
