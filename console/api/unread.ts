import { parseItem } from '../../client/parse-item.ts';
import type { ServerAccess } from '../../client/server-access.ts';
import type { TraceEntry } from '../../client/types.ts';
import { isJsonObject } from '../../core/json.ts';
import { QUERY } from '../../core/names.ts';

/** A worker that is up answers within milliseconds; longer means that none is. */
const QUERY_MS = 3_000;

/**
 * What persons did to a run that goes on and that its trace does not have yet: history gets a person's word only with the
 * run's next step, which may be hours away. So the run itself is asked, for what comes `from` that number on; where it
 * does not answer nothing is told, and the trace has it later all the same.
 */
export async function unreadWords({ connection, workflows }: ServerAccess, id: string, from: number): Promise<readonly TraceEntry[]> {
  try {
    const page: unknown = await connection.withDeadline(Date.now() + QUERY_MS, () => workflows.getHandle(id).query<unknown, [{ from: number }]>(QUERY.transcript, { from }));
    return isJsonObject(page) && typeof page.from === 'number' && Array.isArray(page.items) ? wordsIn(page.from, page.items) : [];
  } catch {
    return [];
  }
}

function wordsIn(from: number, items: readonly unknown[]): readonly TraceEntry[] {
  return items.flatMap((value, i): readonly TraceEntry[] => {
    const item = parseItem(value);
    return item.type === 'person' ? [{ kind: 'item', number: from + i, ...(item.atMs === undefined ? {} : { atMs: item.atMs }), item }] : [];
  });
}

/** The number that comes after all of these. */
export function numberAfter(entries: readonly TraceEntry[]): number {
  return entries.reduce((next, entry) => ('number' in entry && entry.number !== undefined ? Math.max(next, entry.number + 1) : next), 0);
}
