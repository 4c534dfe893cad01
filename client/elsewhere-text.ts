import type { Elsewhere } from '../core/transcript.ts';

/** What was so when the call was held. Nothing is promised of a yes: a person may want it done again. */
export function elsewhereText({ run, call, stands }: Elsewhere): string {
  switch (stands) {
    case 'done': return `When this was held, run ${run} had done it already (${call}).`;
    case 'begun': return `When this was held, run ${run} had begun it (${call}), and nobody knew its end.`;
    case 'other': return `When this was held, run ${run} had done it, or begun it, with other arguments (${call}).`;
  }
}
