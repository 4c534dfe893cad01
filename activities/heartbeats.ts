import { Context } from '@temporalio/activity';

/** Several beats within the shortest heartbeat time-out, so that one late beat is no death. */
const BEAT_MS = 400;

/**
 * Says that the activity is alive while the work goes on; without it a cancel would not reach the activity, and a
 * killed worker would be noticed only at the attempt's time-out. `details` are what the next attempt gets to know.
 */
export async function whileBeating<T>(details: () => unknown, work: () => Promise<T>): Promise<T> {
  const context = Context.current();
  const beat = () => context.heartbeat(details());
  beat();
  const timer = setInterval(beat, BEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    beat();
  }
}

/** A worker that shuts down is no person's cancel: the attempt is made again elsewhere. */
export function isWorkerShutdown(): boolean {
  return Context.current().cancellationDetails?.workerShutdown === true;
}
