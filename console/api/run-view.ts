import type { JsonObject } from '../../core/json.ts';
import { isJsonObject } from '../../core/json.ts';
import type { BlobStore } from '../../core/contract.ts';
import { RunNotFoundError } from '../../client/errors.ts';
import { foldEffects } from '../../client/effects.ts';
import type { ServerAccess } from '../../client/server-access.ts';
import { standingOfRecord } from '../../client/standing.ts';
import type { CaseworkerClient, EffectLine, RunSummary, ShownRun, Trace, TraceEntry } from '../../client/types.ts';
import { ApiError } from './api-error.ts';
import { evidenceLinks } from './evidence-links.ts';
import type { EvidenceLink } from './evidence-links.ts';
import { numberAfter, unreadWords } from './unread.ts';

/** All that a page of one run shows, read at one moment. */
export interface RunView extends ShownRun {
  readonly trace: Trace;
  /** What persons did that the run takes into its record with its next step; nothing where no worker answers. */
  readonly unread: readonly TraceEntry[];
  /** By held call: where its ids and amounts come from. */
  readonly evidence: Readonly<Record<string, readonly EvidenceLink[]>>;
  readonly effects: readonly EffectLine[];
  /** The run in Temporal's Web UI, when its address is known. */
  readonly webUi?: string;
  /** The run goes on, and no worker answers for it. */
  readonly noWorker: boolean;
}

export interface RunSources {
  readonly client: CaseworkerClient;
  readonly access: ServerAccess;
  readonly webUiOf: (id: string) => string | undefined;
}

export async function readRun({ client, access, webUiOf }: RunSources, id: string): Promise<RunView> {
  const trace = await client.trace(id);
  const shown = await client.show(id).catch((error: unknown) => fromRecord(trace, error));
  const { progress, summary: { status } } = shown;
  const held = isOver(status) ? [] : (progress?.held ?? standingOfRecord(trace.entries, status).held);
  const webUi = webUiOf(id);
  return {
    ...shown, trace, unread: progress ? await unreadWords(access, id, numberAfter(trace.entries)) : [], effects: foldEffects(trace.entries, trace.firstRunId),
    evidence: Object.fromEntries(held.map((one) => [one.call, evidenceLinks(one, trace.entries)])),
    ...(webUi ? { webUi } : {}),
    noWorker: !isOver(status) && progress === undefined,
  };
}

function isOver(status: RunSummary['status']): status is 'ended' | 'terminated' | 'failed' {
  return status === 'ended' || status === 'terminated' || status === 'failed';
}

/** What the trace tells of a run that the server has forgotten. */
function fromRecord({ id, entries }: Trace, error: unknown): ShownRun {
  const first = entries.find((entry) => entry.kind === 'item');
  if (!(error instanceof RunNotFoundError) || !first) throw error;
  const end = entries.findLast((entry) => entry.kind === 'end');
  const task = first.item.type === 'task' ? first.item : undefined;
  return {
    summary: { id, status: 'ended', startedAtMs: first.atMs ?? 0, ...(task ? { agent: task.agent.name } : {}), ...(end ? { endReason: end.result.endReason, closedAtMs: end.atMs } : {}) },
    ...(end ? { result: end.result } : {}),
  };
}

/** The whole of an observation of which the trace has the beginning. */
export async function wholeObservation({ client, blobs }: { readonly client: CaseworkerClient; readonly blobs: BlobStore | undefined }, id: string, call: string): Promise<JsonObject> {
  const { entries } = await client.trace(id);
  const item = entries.flatMap((entry) => (entry.kind === 'item' && entry.item.type === 'observation' && entry.item.call === call ? [entry.item] : [])).at(-1);
  if (!item) throw new ApiError('not_found', `The run "${id}" has no observation of the call "${call}".`);
  if (!isJsonObject(item.more)) return { call, text: item.text, whole: true };
  const text = typeof item.more.blob === 'string' ? await blobs?.get(item.more.blob) : undefined;
  if (text === undefined) throw new ApiError('not_found', `The rest of the observation of ${call} is not in this console's data folder.`);
  return { call, text, whole: true };
}
