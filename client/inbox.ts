import { SEARCH_ATTRIBUTE } from '../core/names.ts';
import { isWaitingStatus, WAITING_STATUSES } from '../core/run.ts';
import type { RunStatus } from '../core/run.ts';
import { RunEndedError, RunNotFoundError, UsageError } from './errors.ts';
import { inboxEntries } from './inbox-entries.ts';
import type { InboxEntry, InboxRequest } from './inbox-entry.ts';
import { isWanted } from './inbox-filter.ts';
import { listRuns, summaryOf } from './list-runs.ts';
import { mapSome } from './map-some.ts';
import { readTrace } from './read-trace.ts';
import { ask, type ServerAccess } from './server-access.ts';
import { runProgress } from './show-run.ts';
import { standingOfRecord, standingOfRun, type Standing } from './standing.ts';
import type { RunSummary } from './types.ts';

/** More than persons can look through; a filter by agent brings the rest. */
const MOST_RUNS = 1_000;
/** Each holds a request open; a run that answers takes milliseconds. */
const AT_ONCE = 10;
/** So many runs in a row that nobody answers for mean that no worker is up: the rest is read from the record at once. */
const SILENT_RUNS = 3;

/** Everything that waits for persons, the oldest first. Visibility lags behind by up to a second. */
export async function readInbox(access: ServerAccess, request: InboxRequest = {}): Promise<readonly InboxEntry[]> {
  const runs = await waitingRuns(access, request);
  const asked = { silent: 0 };
  const entries = await mapSome(runs, AT_ONCE, async (summary) => {
    const standing = await standingOf(access, summary, asked);
    return standing ? inboxEntries(summary, standing) : [];
  });
  const wanted = entries.flat().filter((entry) => isWanted(entry, request));
  return wanted.sort((a, b) => a.sinceMs - b.sinceMs || (a.run < b.run ? -1 : 1)).slice(0, request.limit);
}

/** What one run wants of persons. @throws RunNotFoundError, RunEndedError */
export async function readWaiting(access: ServerAccess, id: string): Promise<readonly InboxEntry[]> {
  const summary = summaryOf(await ask(access, { id }, () => access.workflows.getHandle(id).describe()));
  if (summary.closedAtMs !== undefined) throw new RunEndedError(id);
  const standing = await standingOf(access, summary, { silent: 0 });
  return standing ? inboxEntries(summary, standing) : [];
}

/** Where the server knows none of our search attributes, every run that goes on is asked. */
async function waitingRuns(access: ServerAccess, { agent, query }: InboxRequest): Promise<readonly RunSummary[]> {
  const ofAgent = agent === undefined ? {} : { agent };
  const goesOn = `ExecutionStatus = "Running"${query ? ` AND (${query})` : ''}`;
  const waits = `${SEARCH_ATTRIBUTE.status} IN (${WAITING_STATUSES.map((status) => `"${status}"`).join(', ')})`;
  try {
    return await listRuns(access, { ...ofAgent, query: `${goesOn} AND ${waits}`, limit: MOST_RUNS });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return listRuns(access, { ...ofAgent, query: goesOn, limit: MOST_RUNS });
  }
}

/** `undefined` for a run that no longer waits. */
async function standingOf(access: ServerAccess, summary: RunSummary, asked: { silent: number }): Promise<Standing | undefined> {
  try {
    const progress = asked.silent < SILENT_RUNS ? await runProgress(access, summary.id) : undefined;
    asked.silent = progress ? 0 : asked.silent + 1;
    if (progress) return isWaitingStatus(progress.status) ? standingOfRun(progress) : undefined;
    const { entries } = await readTrace(access, summary.id);
    // The list of runs lags behind: what it still calls waiting may be over.
    return entries.some(({ kind }) => kind === 'end' || kind === 'closed') ? undefined : standingOfRecord(entries, waitingStatus(summary));
  } catch (error) {
    // It ended and was deleted between the list and the question.
    if (error instanceof RunNotFoundError) return undefined;
    throw error;
  }
}

function waitingStatus({ status }: RunSummary): RunStatus {
  return isWaitingStatus(status) ? status : 'running';
}
