import type { ToolFacts } from './agent.ts';
import type { ReadyCall } from './open-turn.ts';
import type { RunState } from './state.ts';

/**
 * How long a read may take within the workflow task that asks for it. The run hears nobody meanwhile, and past 80 % of
 * a workflow task's 2 s each further second costs a round trip of its own; a slower read is no loss of one then.
 */
export const LOCAL_READ_MS = 1_000;
/** A read that needs most of it: the tool was told of its end before, and the next one may need a little more. */
const SLOW_MS = 800;
/** A read whose author says that it takes no longer is taken for a short one. */
export const SHORT_TIMEOUT_MS = 5_000;

/**
 * Whether a call is made within the workflow task: three round trips to the server less, and five events. Only reads,
 * since a task that is lost makes them again; only those that may be made twice, and that a person need not watch.
 */
export function runsLocally(state: RunState, { call, approval, by }: ReadyCall, facts: Pick<ToolFacts, 'effect' | 'maxAttempts' | 'timeoutMs' | 'local'>): boolean {
  if (state.agent.localReads !== true || facts.effect !== 'read' || approval !== undefined || by !== undefined) return false;
  if (facts.maxAttempts < 2 || wasSlow(state, call.tool)) return false;
  return facts.local ?? facts.timeoutMs <= SHORT_TIMEOUT_MS;
}

/** The newest call of the tool took about as long as a local one may: the next one would only be begun twice. */
function wasSlow({ items }: RunState, tool: string): boolean {
  const newest = items.findLast((item) => item.type === 'observation' && item.tool === tool);
  return newest?.type === 'observation' && newest.ms >= SLOW_MS;
}
