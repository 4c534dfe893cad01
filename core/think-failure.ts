import { reservation } from './budget.ts';
import { costOf, decimal } from './money.ts';
import { FAILURE } from './names.ts';
import { recordUsage } from './record.ts';
import type { RunState } from './state.ts';
import { summarise } from './compaction.ts';

/** A model call of which no reply came. */
export type LostThink =
  | {
      readonly kind: 'cancelled';
      /** ThinkFailureDetails of the cancelled activity, or of its last heartbeat, when there are any. */
      readonly details?: unknown;
      /** Attempts that can have been made where nothing tells; 1 when absent. */
      readonly attempts?: number;
    }
  | {
      readonly kind: 'lost';
      readonly type: string;
      readonly text: string;
      /** ThinkFailureDetails when the activity could still report them; anything otherwise. */
      readonly details: unknown;
      readonly allowed: { readonly attempts: number; readonly timeoutMs: number };
    };

/**
 * Charges what a lost call may have cost and decides how the run goes on: a context that is too long is compacted and
 * asked once more, a prompt that is larger than was known is measured and asked once more, everything else is an error
 * that a person has to look at.
 */
export function recordLostThink(state: RunState, lost: LostThink, nowMs: number): RunState {
  if (lost.kind === 'cancelled') {
    return charge({ ...state, cutThinks: (state.cutThinks ?? 0) + 1 }, reported(lost.details) ?? unreported(lost.attempts ?? 1, 0));
  }
  const charged = charge(state, report(lost));
  if (lost.type === FAILURE.modelContextTooLong) {
    const shorter = summarise(charged, nowMs);
    if (shorter !== charged) return shorter;
  }
  if (lost.type === FAILURE.overAllowance) {
    const larger = withRealBytes(charged, lost.details);
    if (larger) return larger;
  }
  // The attempt was cut short by the run's own time limit: that is the reason, and its guard says so.
  if (lost.type === FAILURE.modelTimeout && charged.usage.activeMs >= charged.limits.timeMs) return charged;
  if (lost.type === FAILURE.switchedOff) return { ...charged, ending: { reason: 'hand_over', detail: 'switched_off', text: lost.text } };
  return { ...charged, ending: { reason: 'error', detail: lost.type, text: lost.text } };
}

/**
 * The worker's build may write longer prompts than the one that the run was pinned with. What it measured is what is
 * reserved from now on, and the guards look at the budget again; twice for one turn is a fault of ours.
 */
function withRealBytes(state: RunState, details: unknown): RunState | undefined {
  const more = promptBytesIn(details) - reservation(state).promptBytes;
  const turn = state.turn + 1;
  if (!(more > 0) || state.measure.correctedTurn === turn) return undefined;
  return {
    ...state,
    // What the agent itself takes grew: a later mark measures everything anew from it.
    agent: { ...state.agent, promptBytes: state.agent.promptBytes + more },
    measure: { ...state.measure, bytes: state.measure.bytes + more, correctedTurn: turn },
  };
}

function promptBytesIn(details: unknown): number {
  if (typeof details !== 'object' || details === null) return Number.NaN;
  const { promptBytes }: { promptBytes?: unknown } = details;
  return typeof promptBytes === 'number' && Number.isSafeInteger(promptBytes) ? promptBytes : Number.NaN;
}

interface Report {
  readonly attempts: number;
  readonly unknownBilling: number;
  readonly ms: number;
  readonly isRunning?: unknown;
}

/** What the activity reported; without a report every attempt that was allowed counts as made and as billed. */
function report({ details, allowed }: Extract<LostThink, { kind: 'lost' }>): Report {
  return reported(details) ?? unreported(allowed.attempts, allowed.timeoutMs);
}

/** The last heartbeat of an attempt tells of those before it; the one that was running may have been billed too. */
function reported(details: unknown): Report | undefined {
  if (!isReport(details)) return undefined;
  const { attempts, unknownBilling, ms, isRunning } = details;
  return isRunning === true ? { attempts: attempts + 1, unknownBilling: unknownBilling + 1, ms } : details;
}

function unreported(attempts: number, ms: number): Report {
  return { attempts, unknownBilling: attempts, ms };
}

function isReport(details: unknown): details is Report {
  if (typeof details !== 'object' || details === null) return false;
  const { attempts, unknownBilling, ms }: { attempts?: unknown; unknownBilling?: unknown; ms?: unknown } = details;
  return [attempts, unknownBilling, ms].every((figure) => typeof figure === 'number' && Number.isFinite(figure) && figure >= 0);
}

function charge(state: RunState, { attempts, unknownBilling, ms }: Report): RunState {
  const { inputTokens, outputTokens, promptBytes } = reservation(state);
  const tokens = { inputTokens: inputTokens * unknownBilling, outputTokens: outputTokens * unknownBilling };
  return recordUsage(
    state,
    {
      model: state.agent.model,
      ...tokens,
      cachedTokens: 0,
      estimatedTokens: tokens.inputTokens + tokens.outputTokens,
      ...(state.agent.prices ? { cost: decimal(costOf(tokens, state.agent.prices)) } : {}),
      attempts,
      ms,
      promptBytes,
    },
    0,
  );
}
