import type { Effect } from './agent.ts';
import type { CallAction, ObservationItem, ObservationStatus } from './transcript.ts';

/** A call that was cut short because the run is cancelled and whose tool did not say what it had done. */
export function interruptedObservation(call: CallAction, effect: Effect): ObservationItem {
  return effect === 'read'
    ? observation(call, effect, { status: 'skipped', text: 'Not finished: the run was cancelled.' })
    : observation(call, effect, { status: 'unknown', text: `The run was cancelled while ${call.tool} ran: it may have happened. A person must find out.` });
}

/** A call whose result never came: a read has failed, an effect is in doubt; its attempts took the time that they had. */
export function lostObservation(call: CallAction, effect: Effect, lost: { readonly why: string; readonly ms: number }): ObservationItem {
  const { why, ms } = lost;
  const seen = effect === 'read'
    ? observation(call, effect, { status: 'error', text: `${call.tool} failed: ${why}. Try again later, use another tool, or hand over.` })
    : observation(call, effect, { status: 'unknown', text: `The result of ${call.tool} was lost (${why}): it may have happened. Do not do it again.` });
  return { ...seen, ms };
}

function observation(call: CallAction, effect: Effect, { status, text }: { readonly status: ObservationStatus; readonly text: string }): ObservationItem {
  return {
    type: 'observation', call: call.id, tool: call.tool, status, text, seen: [], hash: `${status}:${text}`, ms: 0,
    ...(effect === 'read' ? {} : { effect: { kind: effect, hash: call.hash, ...(effect === 'once' ? { attempts: 1 } : {}), ...(call.key === undefined ? {} : { key: call.key }) } }),
  };
}
