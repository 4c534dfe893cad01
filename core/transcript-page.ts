import type { TranscriptPage } from './contract.ts';
import { utf8Bytes } from './json.ts';
import { itemsFrom } from './state.ts';
import type { RunState } from './state.ts';

/** Far below the 4 MiB of a gRPC message and the 1 MiB that design gives a page. */
const PAGE_BYTES = 768 * 1024;

/** The transcript from an item number on, as much as fits a page and at least one item. */
export function transcriptPage(state: RunState, from: number): TranscriptPage {
  const start = Math.max(from, state.first);
  const wanted = itemsFrom(state, start);
  const fit = fitting(wanted.map((item) => utf8Bytes(JSON.stringify(item))));
  const items = wanted.slice(0, fit);
  const page = { agent: state.agent, first: state.first, from: start, items };
  return fit < wanted.length ? { ...page, next: start + fit } : page;
}

function fitting(sizes: readonly number[]): number {
  let bytes = 0;
  const tooLarge = sizes.findIndex((size, i) => {
    bytes += size;
    return i > 0 && bytes > PAGE_BYTES;
  });
  return tooLarge === -1 ? sizes.length : tooLarge;
}
