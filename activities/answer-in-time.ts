import { setTimeout as sleep } from 'node:timers/promises';

/** A store that answers does so in milliseconds; one that hangs must not take a model call past its heartbeat (2.5 s). */
const ANSWER_MS = 1_000;

/** @throws Error when the store takes longer than a second */
export async function answerInTime<T>(asked: Promise<T>): Promise<T> {
  const late = sleep(ANSWER_MS, undefined, { ref: false }).then(() => {
    throw new Error(`the store did not answer within ${ANSWER_MS} ms`);
  });
  return Promise.race([asked, late]);
}
