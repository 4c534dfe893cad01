import { foldEffects } from './effects.ts';
import { readTrace } from './read-trace.ts';
import type { ServerAccess } from './server-access.ts';
import type { RunEffects } from './types.ts';

/** Reads what history and archive tell of a run's effects. Needs no worker. @throws RunNotFoundError */
export async function readEffects(access: ServerAccess, id: string): Promise<RunEffects> {
  const { entries, firstRunId } = await readTrace(access, id);
  const missing = entries.flatMap((entry) => (entry.kind === 'missing' ? [{ from: entry.from, to: entry.to, why: entry.why }] : []));
  return { id, effects: foldEffects(entries, firstRunId), missing };
}
