import { Context } from '@temporalio/activity';

/** Several beats within the shortest heartbeat time-out, so that one late beat is no death. */
const BEAT_MS = 400;

/**
 * Says that the activity is alive while the work goes on; without it a cancel would not reach the activity, and a
 * killed worker would be noticed only at the attempt's time-out. `details` are what the next attempt gets to know: they
 * are said when the work fails, too, and at once by an attempt that follows others. A first one that is over before its
 * first beat has nothing to say: silence counts as one attempt, which may have been billed.
 */
export async function whileTelling<T>(details: () => unknown, work: () => Promise<T>): Promise<T> {
  const context = Context.current();
  const tell = () => context.heartbeat(details());
  if (context.info.attempt > 1) tell();
  try {
    return await beating(tell, work);
  } catch (error) {
    tell();
    throw error;
  }
}

/** The same with nothing to tell: work that is over before the first beat costs the server none. */
export function whileBeating<T>(work: () => Promise<T>): Promise<T> {
  const context = Context.current();
  return beating(() => context.heartbeat(), work);
}

async function beating<T>(beat: () => void, work: () => Promise<T>): Promise<T> {
  const timer = setInterval(beat, BEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** A worker that shuts down is no person's cancel: the attempt is made again elsewhere. */
export function isWorkerShutdown(): boolean {
  return Context.current().cancellationDetails?.workerShutdown === true;
}
