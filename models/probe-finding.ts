import type { FailureType } from '../core/names.ts';
import { FAILURE } from '../core/names.ts';
import type { ModelFailure } from './model.ts';

/** What is probed, in the order of the report. */
export const PROBES = [
  'reachable', 'model known', 'plain reply', 'usage', 'one call', 'two calls at once', 'result round trip', 'strict schema',
  'stop sequence', 'text form',
] as const;
export type ProbeName = (typeof PROBES)[number];

/**
 * `refused`: the server answered that it does not do it. `ignored`: it answered as if it had not been asked. `not
 * reached`: nothing was learned, because the request failed otherwise or an earlier probe had shown that it is no use.
 */
export type ProbeResult = 'works' | 'refused' | 'ignored' | 'not reached';

/** What one request has shown. */
export interface Shown {
  readonly result: ProbeResult;
  /** What was seen, a few words for a person. */
  readonly saw: string;
  /** When the request failed. */
  readonly failure?: FailureType;
}

export interface Finding extends Shown {
  readonly probe: ProbeName;
  /** What Caseworker does where it does not work; '' where it does. */
  readonly then: string;
}

const THEN: Readonly<Record<ProbeName, string>> = {
  'reachable': 'no run can start a turn',
  'model known': 'a run would end as an error and be handed to a person',
  'plain reply': 'a run would end as an error and be handed to a person',
  'usage': 'each call is charged at its reservation, so that the budget still trips',
  'one call': 'use the text form',
  'two calls at once': 'one call a turn: the same work takes more turns',
  'result round trip': 'use the text form',
  'strict schema': 'done without: arguments are checked against the schema before a tool runs',
  'stop sequence': 'the reply is cut again by Caseworker, at the first observation that the model wrote',
  'text form': 'use the function-calling form',
};

export function finding(probe: ProbeName, shown: Shown): Finding {
  return { probe, ...shown, then: shown.result === 'works' ? '' : THEN[probe] };
}

export function works(saw: string): Shown {
  return { result: 'works', saw };
}

export function ignored(saw: string): Shown {
  return { result: 'ignored', saw };
}

export function notReached(saw: string): Shown {
  return { result: 'not reached', saw };
}

const PASSING: readonly FailureType[] = [FAILURE.modelRateLimit, FAILURE.modelTimeout, FAILURE.modelBadReply];

/** A failed request as a finding: an error status is a refusal, unless it says nothing about what was asked for. */
export function failed({ type, status, message }: ModelFailure): Shown {
  const isRefusal = status !== undefined && !PASSING.includes(type);
  return { result: isRefusal ? 'refused' : 'not reached', saw: message, failure: type };
}
