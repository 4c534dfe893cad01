import type { StopCause } from './stop-cause.ts';
import type { ObservationItem } from './transcript.ts';

/** An effect that may or may not have been: the run goes to a person. */
export function doubtCause({ tool, call }: Pick<ObservationItem, 'tool' | 'call'>): StopCause {
  return { reason: 'hand_over', detail: 'unknown_outcome', text: `Nobody knows whether ${tool} (${call}) had its effect: a person must find out.` };
}

/** A call that cannot be made here whatever the model does: the run goes to a person, who can bring the tool back. */
export function handOverCause({ tool, handOver, handOverDetail }: Pick<ObservationItem, 'tool' | 'handOver' | 'handOverDetail'>): StopCause | undefined {
  if (handOver === undefined) return undefined;
  if (handOverDetail === 'agent_off') return { reason: 'hand_over', detail: 'switched_off', text: handOver };
  return { reason: 'hand_over', detail: handOverDetail ?? 'switched_off', text: handOver, tool };
}
