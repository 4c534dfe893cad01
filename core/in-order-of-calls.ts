import type { Item } from './transcript.ts';

/**
 * What a person says of a call in doubt, and a second try of it, may be written while the call's own turn is still open,
 * before its observation: for whoever folds the record they come after it. `itemOf` gives an entry's item, if it has one.
 */
export function inOrderOfCalls<T>(entries: readonly T[], itemOf: (entry: T) => Item | undefined): readonly T[] {
  const toCome = new Set(entries.flatMap((entry) => ownCall(itemOf(entry)) ?? []));
  const early = new Map<string, readonly T[]>();
  return entries.flatMap((entry) => {
    const item = itemOf(entry);
    const about = aboutCall(item);
    if (about !== undefined && toCome.has(about)) {
      early.set(about, [...(early.get(about) ?? []), entry]);
      return [];
    }
    const call = ownCall(item);
    if (call === undefined || !toCome.delete(call)) return [entry];
    return [entry, ...(early.get(call) ?? [])];
  });
}

function ownCall(item: Item | undefined): string | undefined {
  return item?.type === 'observation' && item.retryOf === undefined ? item.call : undefined;
}

function aboutCall(item: Item | undefined): string | undefined {
  if (item?.type === 'observation') return item.retryOf;
  return item?.type === 'person' && item.verb === 'settle' ? item.call : undefined;
}
