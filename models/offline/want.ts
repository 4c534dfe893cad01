import { isSameCall } from './decision.ts';
import type { WantedCall } from './decision.ts';
import { recalled } from './recalled.ts';
import type { View } from './view.ts';

/** What is known of a call: it is still to be made, or this came of it. */
export type Known = { readonly call: WantedCall } | { readonly ok: boolean; readonly status: string; readonly text: string };

/** Attempts of a call whose failure says that a later one may go better. */
const ATTEMPTS = 2;
const TRY_AGAIN = /try again|again later|unavailable|timed out|time-out|temporar/i;
/**
 * What this call gave, or the call that is next: itself, a second try when the failure asks for one, or `recall` when
 * its result was elided, or cut before what is needed (`isEnough` says what that is).
 */
export function want(view: View, call: WantedCall, isEnough: (text: string) => boolean = () => true): Known {
  const made = view.past.filter((past) => isSameCall(past, call));
  const last = made.findLast(({ status }) => status === 'ok' || status === 'empty') ?? made.at(-1);
  if (!last) return { call };
  if (last.status === 'error' && TRY_AGAIN.test(last.text) && made.length < ATTEMPTS) return { call };
  const whole = recalled(view, last.text, isEnough);
  return typeof whole === 'string' ? { ok: last.status === 'ok', status: last.status, text: whole } : { call: whole };
}
