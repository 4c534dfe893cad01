import type { Notify } from '../../index.ts';

/** Stands for a mail or a chat message: one line for each thing that somebody has to decide. */
export const tellOnTerminal: Notify = ({ event, run, held, question, next }) => {
  if (event === 'ended') return;
  const what = held.map(({ call, summary, tool }) => `${summary ?? tool} (${call})`).join(', ') || question?.question || 'it needs a person';
  process.stderr.write(`[refunds] ${event === 'reminder' ? 'still waits' : 'waits'}: ${what}. Look at it: ${next} (run ${run})\n`);
};
