import { commandText } from '../../cli/command-name.ts';
import type { Notify } from '../../index.ts';

/**
 * Stands for a mail or a chat message: one line for each thing that somebody has to decide. A run names the next command
 * as an installed `caseworker`; whoever tells persons knows where they will type it, here in this checkout.
 */
export const tellOnTerminal: Notify = ({ event, run, held, question, next }) => {
  if (event === 'ended') return;
  const what = held.map(({ call, summary, tool }) => `${summary ?? tool} (${call})`).join(', ') || question?.question || 'it needs a person';
  process.stderr.write(`[refunds] ${event === 'reminder' ? 'still waits' : 'waits'}: ${what}. Next: ${commandText(next)} (run ${run})\n`);
};
