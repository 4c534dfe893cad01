import { archiveKey } from '../core/contract.ts';
import type { ArchiveInput, ArchiveSegment, BlobStore } from '../core/contract.ts';
import { knownTranscript } from './known-transcript.ts';
import { thisRun } from './this-run.ts';
import type { TranscriptCache } from './transcript-cache.ts';

/** Writes the items that no archive holds yet. Writing them again after a lost result gives the same bytes. */
export function createArchive(parts: { readonly blobs: BlobStore; readonly cache: TranscriptCache }): (input: ArchiveInput) => Promise<void> {
  return async ({ items, base, archived, firstRunId, result }) => {
    const known = await knownTranscript(parts.cache, { base, delta: items });
    const first = Math.max(archived, known.first);
    const segment: ArchiveSegment = { first, items: known.items.slice(first - known.first), ...(result ? { result } : {}) };
    const { workflowId } = thisRun();
    await parts.blobs.put(archiveKey(workflowId, firstRunId, first), JSON.stringify(segment));
  };
}
