import { Context } from '@temporalio/activity';
import type { TranscriptPage } from '../core/contract.ts';
import { QUERY } from '../core/names.ts';
import { thisRun } from './this-run.ts';
import type { KnownTranscript, TranscriptCache, TranscriptPart } from './transcript-cache.ts';

/**
 * The transcript of the run that this activity belongs to: from the cache, else from the run itself. The query names
 * this execution, since a run that was reset may tell another story under the same numbers.
 */
export function knownTranscript(
  cache: TranscriptCache,
  part: TranscriptPart,
): Promise<KnownTranscript> {
  const { workflowId, runId } = thisRun();
  const handle = Context.current().client.workflow.getHandle(workflowId, runId);
  return cache.extend(`${workflowId}/${runId}`, part, async (from) => {
    if (Context.current().info.attempt > 1) await askAnyWorker(workflowId, runId);
    return handle.query<TranscriptPage, [{ from: number }]>(QUERY.transcript, { from });
  });
}

/**
 * An attempt that was lost was mostly lost with its worker, which the server still takes for the one that has the run in
 * memory: the query would wait for it until the sticky time-out. Only a moment is lost where this fails.
 */
async function askAnyWorker(workflowId: string, runId: string): Promise<void> {
  const { client, info, log } = Context.current();
  try {
    await client.workflowService.resetStickyTaskQueue({ namespace: info.namespace, execution: { workflowId, runId } });
  } catch (error) {
    log.debug('the run stays with its worker', { error: String(error) });
  }
}
