import { Context } from '@temporalio/activity';
import type { TranscriptPage } from '../core/contract.ts';
import { QUERY } from '../core/names.ts';
import type { Item } from '../core/transcript.ts';
import { thisRun } from './this-run.ts';
import type { KnownTranscript, TranscriptCache } from './transcript-cache.ts';

/**
 * The transcript of the run that this activity belongs to: from the cache, else from the run itself. The query names
 * this execution, since a run that was reset may tell another story under the same numbers.
 */
export function knownTranscript(
  cache: TranscriptCache,
  part: { readonly base: number; readonly delta: readonly Item[] },
): Promise<KnownTranscript> {
  const { workflowId, runId } = thisRun();
  const handle = Context.current().client.workflow.getHandle(workflowId, runId);
  return cache.extend(`${workflowId}/${runId}`, part, (from) =>
    handle.query<TranscriptPage, [{ from: number }]>(QUERY.transcript, { from }),
  );
}
