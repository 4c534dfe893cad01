import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A store that answers does so in milliseconds; one that hangs must not take a model call past its heartbeat (2.5 s).
 * @throws Error when the store takes longer
 */
export async function answerInTime<T>(asked: Promise<T>, ms: number): Promise<T> {
  const late = sleep(ms, undefined, { ref: false }).then(() => {
    throw new Error(`the store did not answer within ${ms} ms`);
  });
  return Promise.race([asked, late]);
}
