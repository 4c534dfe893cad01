import { archiveKey } from '../core/contract.ts';
import type { ArchiveInput, ArchiveSegment, BlobStore } from '../core/contract.ts';
import { isJsonObject } from '../core/json.ts';
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

/** The text of an observation in a run's archive; nothing where no segment can be read that has it. Throws when the store is down. */
export async function archivedObservation(blobs: BlobStore, prefix: string, call: string): Promise<string | undefined> {
  const keys = await blobs.list(prefix);
  for (const key of keys.toReversed()) {
    const found = observationIn((await blobs.get(key)) ?? '', call);
    if (found !== undefined) return found;
  }
  return undefined;
}

function observationIn(segment: string, call: string): string | undefined {
  const items: unknown = itemsIn(segment);
  if (!Array.isArray(items)) return undefined;
  for (const item of items) {
    if (isJsonObject(item) && item.type === 'observation' && item.call === call && typeof item.text === 'string') return item.text;
  }
  return undefined;
}

function itemsIn(segment: string): unknown {
  try {
    const value: unknown = JSON.parse(segment);
    return isJsonObject(value) ? value.items : undefined;
  } catch {
    return undefined;
  }
}
