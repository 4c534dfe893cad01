import { archivePrefix, type ArchiveSegment, type BlobStore } from '../core/contract.ts';
import { isJsonObject } from '../core/json.ts';
import type { Item } from '../core/transcript.ts';
import { isRunResult } from './parse-item.ts';

/**
 * What workers archived of a run, in order. Without a first run id (the server has forgotten the run) it is that of
 * the latest run with this workflow id. Broken segments are left out: the trace then says what is missing.
 */
export async function readArchive(
  blobs: BlobStore,
  id: string,
  firstRunId?: string,
): Promise<readonly ArchiveSegment[]> {
  if (firstRunId) return segmentsOf(blobs, archivePrefix(id, firstRunId));
  // An empty run id leaves `archive/<id>//`: without its last slash it is the prefix of every run with this id.
  const prefix = archivePrefix(id, '').slice(0, -1);
  const runs = new Set((await blobs.list(prefix)).map((key) => key.slice(0, key.lastIndexOf('/') + 1)));
  const found: (readonly ArchiveSegment[])[] = [];
  for (const run of runs) found.push(await segmentsOf(blobs, run));
  return found.sort((a, b) => lastMs(a) - lastMs(b)).at(-1) ?? [];
}

async function segmentsOf(blobs: BlobStore, prefix: string): Promise<readonly ArchiveSegment[]> {
  const segments: ArchiveSegment[] = [];
  for (const key of await blobs.list(prefix)) {
    const segment = parseSegment(await blobs.get(key));
    if (segment) segments.push(segment);
  }
  return segments.sort((a, b) => a.first - b.first);
}

function lastMs(segments: readonly ArchiveSegment[]): number {
  return segments.at(-1)?.items.at(-1)?.atMs ?? 0;
}

function parseSegment(text: string | undefined): ArchiveSegment | undefined {
  const value = parsed(text ?? '');
  if (!isJsonObject(value) || typeof value.first !== 'number' || !isItems(value.items)) return undefined;
  const result: unknown = value.result;
  return { first: value.first, items: value.items, ...(isRunResult(result) ? { result } : {}) };
}

/** Each item is read again, on its own, by the fold: here it is enough that they are a list. */
function isItems(value: unknown): value is readonly Item[] {
  return Array.isArray(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
