import { elidedText } from './prompt-items.ts';
import { utf8Bytes } from './json.ts';
import type { Item, ObservationItem } from './transcript.ts';

/**
 * The items as the newest marks want them shown: a summary in front of what it does not stand for, old observations of
 * calls in one line each. `first` is the number of the first item. Marks themselves are not shown.
 */
export function shownItems(items: readonly Item[], first: number): readonly Item[] {
  const summary = items.findLast((item) => item.type === 'summary');
  const elided = items.findLast((item) => item.type === 'elided');
  const kept = items.slice(Math.max(0, (summary?.before ?? 0) - first));
  const start = first + items.length - kept.length;
  const calls = callIds(kept);
  const shown = kept.flatMap((item, i): readonly Item[] => {
    if (item.type === 'summary' || item.type === 'elided') return [];
    const isOld = item.type === 'observation' && start + i < (elided?.before ?? 0) && calls.has(item.call);
    return [isOld ? shortened(item) : item];
  });
  return summary ? [summary, ...shown] : shown;
}

/** Only what a tool brought can be recalled; our own corrections are short and stay. */
function callIds(items: readonly Item[]): ReadonlySet<string> {
  const actions = items.flatMap((item) => (item.type === 'reply' ? item.actions : []));
  return new Set(actions.flatMap(({ kind, id }) => (kind === 'call' ? [id] : [])));
}

/** Never longer than before: a short observation stays as it is. */
function shortened(item: ObservationItem): ObservationItem {
  const text = elidedText(item);
  return utf8Bytes(text) < utf8Bytes(item.text) ? { ...item, text } : item;
}
