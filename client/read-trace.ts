import type { ArchiveSegment } from '../core/contract.ts';
import { isJsonObject } from '../core/json.ts';
import { RunNotFoundError } from './errors.ts';
import { createDecoder, type Decoder, type HistoryEvent } from './history-events.ts';
import { createHistoryReader, type Fact, type HistoryReader, type PendingActivity } from './history-items.ts';
import { readArchive } from './read-archive.ts';
import { readChain, type Chain } from './read-history.ts';
import { ask, type ServerAccess } from './server-access.ts';
import { foldTrace, type TraceSources } from './trace.ts';
import type { Trace } from './types.ts';

/** Everything that is known of a run at one moment, and what is needed to go on reading its latest execution. */
export interface TraceSnapshot {
  readonly sources: TraceSources;
  /** Absent when only the archive knows the run. */
  readonly latest?: { readonly runId: string; readonly firstRunId: string; readonly reader: HistoryReader; readonly lastEventId: number };
  readonly task?: string;
}

/** Reads history, and the archive for what history has lost. Needs no worker. @throws RunNotFoundError */
export async function readTrace(access: ServerAccess, id: string): Promise<Trace> {
  const { sources, latest, task } = await snapshotTrace(access, id);
  const pending = latest ? await pendingFailures(access, id, latest.reader) : [];
  const entries = foldTrace({ ...sources, facts: [...sources.facts, ...pending] });
  return { id, entries, ...(latest ? { firstRunId: latest.firstRunId } : {}), ...(task === undefined ? {} : { task }) };
}

export async function snapshotTrace(access: ServerAccess, id: string): Promise<TraceSnapshot> {
  const chain = await chainOrNothing(access, id);
  if (!chain) return archiveOnly(access, id);
  const decoder = createDecoder(access.converter, access.namespace, id);
  const facts: Fact[] = [];
  let reader = createHistoryReader(decoder);
  for (const execution of chain.executions) {
    reader = createHistoryReader(decoder);
    facts.push(...(await reader.read(execution.events)));
  }
  const last = chain.executions.at(-1);
  // The first one there is: only later ones carry a state along.
  const task = await taskOf(decoder, chain.executions[0]?.events[0]);
  return {
    ...(task === undefined ? {} : { task }),
    sources: { facts, segments: await lostSegments(access, id, chain), whyMissing: whyMissing(access) },
    latest: { runId: last?.runId ?? '', firstRunId: chain.firstRunId, reader, lastEventId: Number(last?.events.at(-1)?.eventId ?? 0) },
  };
}

/** Each execution of a run is started with the whole of what the first one was. */
async function taskOf(decoder: Decoder, started: HistoryEvent | undefined): Promise<string | undefined> {
  const input = await decoder.workflowValue(started?.workflowExecutionStartedEventAttributes?.input);
  return isJsonObject(input) && typeof input.task === 'string' ? input.task : undefined;
}

async function chainOrNothing(access: ServerAccess, id: string): Promise<Chain | undefined> {
  try {
    return await readChain(access, id);
  } catch (error) {
    if (error instanceof RunNotFoundError) return undefined;
    throw error;
  }
}

async function archiveOnly(access: ServerAccess, id: string): Promise<TraceSnapshot> {
  const segments = access.blobs ? await readArchive(access.blobs, id) : [];
  if (segments.length === 0) throw new RunNotFoundError(id);
  return { sources: { facts: [], segments, whyMissing: whyMissing(access) } };
}

async function lostSegments(access: ServerAccess, id: string, chain: Chain): Promise<readonly ArchiveSegment[]> {
  return chain.earlierGone && access.blobs ? readArchive(access.blobs, id, chain.firstRunId) : [];
}

function whyMissing({ blobs }: ServerAccess): string {
  const deleted = 'Temporal has deleted this part of the history (retention)';
  return blobs ? `${deleted} and the archive does not hold it` : `${deleted} and no archive is set here`;
}

/** Attempts that failed and will be made again: history tells of them only once the next one has come back. */
export async function pendingFailures(
  access: ServerAccess,
  id: string,
  reader: HistoryReader,
): Promise<readonly Fact[]> {
  if (reader.openActivities === 0) return [];
  const described = await ask(access, { id }, () =>
    access.workflows.workflowService.describeWorkflowExecution({
      namespace: access.namespace,
      execution: { workflowId: id },
    }),
  );
  const activities: readonly PendingActivity[] = described.pendingActivities;
  const facts: Fact[] = [];
  for (const activity of activities) facts.push(...(await reader.pending(activity)));
  return facts;
}
