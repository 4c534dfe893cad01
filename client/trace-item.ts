import type { Item } from '../core/transcript.ts';
import type { TraceEntry } from './types.ts';

/** The transcript's item that an entry of the trace shows, if it shows one. */
export function itemOf(entry: TraceEntry): Item | undefined {
  return entry.kind === 'item' ? entry.item : undefined;
}
