import type { Elsewhere } from '../core/approval-facts.ts';

/** Nothing is promised of a yes: a person may want it done again. */
export function elsewhereText({ run, call, stands }: Elsewhere): string {
  switch (stands) {
    case 'done': return `Run ${run} has done this already (${call}).`;
    case 'begun': return `Run ${run} began this (${call}), and its end was not known when it was looked up.`;
    case 'other': return `Run ${run} did this, or began it, with other arguments (${call}).`;
  }
}
