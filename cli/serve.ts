import type { Execution } from './execute.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { interrupted } from './interrupt.ts';
import type { Session } from './session.ts';

/** Keeps a session's worker up until somebody interrupts. @throws when the worker breaks before that. */
export async function serve({ out, interrupt }: Execution, { worker }: Session): Promise<ExitCode> {
  const stopped = worker?.stopped.then(() => 'stopped' as const) ?? new Promise<never>(() => undefined);
  const first = await Promise.race([interrupted(interrupt), stopped]);
  if (first === 'stopped') throw new Error('The worker has stopped by itself.');
  out.say('Ending: calls in flight may finish first, runs are kept. A second Ctrl-C ends at once.');
  return EXIT.ok;
}
