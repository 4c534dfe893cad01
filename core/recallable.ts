import { SHORTENED } from './compaction.ts';
import type { Recallable } from './contract.ts';
import type { RunState } from './state.ts';
import type { CallAction } from './transcript.ts';

/** Ids named to a model that asked for one that is not there. */
const IDS_KNOWN = 40;

/** What goes along with a `recall`: the observation, where this execution has it whole, and the ids of the newest. */
export function recallable({ items }: RunState, { args }: CallAction): Recallable {
  const observations = items.flatMap((item) => (item.type === 'observation' ? [item] : []));
  const asked = observations.findLast(({ call }) => call === args.id);
  const isWhole = asked !== undefined && asked.more === undefined && !asked.text.endsWith(SHORTENED);
  return { ...(isWhole ? { text: asked.text } : {}), known: observations.slice(-IDS_KNOWN).map(({ call }) => call) };
}
