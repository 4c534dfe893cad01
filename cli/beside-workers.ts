import { setTimeout as sleep } from 'node:timers/promises';
import { command } from './command-name.ts';
import type { Output } from './output.ts';
import type { Session } from './session.ts';

/** Soon enough for somebody who looks at a run that stands still; one small request each time. */
const LOOK_EVERY_MS = 3_000;

/**
 * Does what watches runs, and says meanwhile when no worker polls any more, once, and when one is back. A worker of this
 * process lives as long as the watching: with it nothing is said.
 */
export async function besideWorkers<T>(session: Session, out: Output, watch: () => Promise<T>): Promise<T> {
  if (session.worker) return watch();
  const over = new AbortController();
  const telling = tellOfWorkers(session, out, over.signal);
  try {
    return await watch();
  } finally {
    over.abort();
    // A request that is being tried again would throw where nobody hears it once the connection is closed.
    await telling;
  }
}

async function tellOfWorkers(session: Session, out: Output, over: AbortSignal): Promise<void> {
  let isServed = true;
  while (await pause(over)) {
    const before: boolean = isServed;
    // A server that does not answer now says nothing about workers; the watching itself tells when it stays away.
    isServed = await session.isServedElsewhere().catch(() => before);
    if (isServed !== before && !over.aborted) out.say(isServed ? 'A worker is up again.' : noWorkerText());
  }
}

/** False when the watching is over. */
function pause(over: AbortSignal): Promise<boolean> {
  return sleep(LOOK_EVERY_MS, true, { signal: over }).catch(() => false);
}

/** The same of one run and of many, whatever they wait for. */
export function noWorkerText(): string {
  return `No worker is up: what has not ended is kept and goes on as soon as one is: ${command('dev')}`;
}
