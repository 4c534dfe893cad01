import { setTimeout as sleep } from 'node:timers/promises';
import { command } from './command-name.ts';
import type { Output } from './output.ts';
import type { Session } from './session.ts';

/** Soon enough for somebody who looks at a run that stands still; one small request each time. */
const LOOK_EVERY_MS = 3_000;

/** One may fall into the moment between two polls. */
const EMPTY_LOOKS = 2;
/** A server that has just come back knows no worker until each has tried again, some ten seconds later. */
const LOOKS_AFTER_OUTAGE = 4;

type Served = Pick<Session, 'isServedElsewhere'> & { readonly worker?: unknown };

export interface Beside<T> {
  readonly watch: () => Promise<T>;
  /** The only run that is watched; without it those of the session's task queue are. */
  readonly run?: string;
  readonly lookEveryMs?: number;
}

/**
 * Does what watches runs, and says meanwhile when no worker polls for them any more, once, and when one is back. A worker
 * of this process lives as long as the watching: with it nothing is said.
 */
export async function besideWorkers<T>(session: Served, out: Pick<Output, 'say'>, beside: Beside<T>): Promise<T> {
  if (session.worker) return beside.watch();
  const over = new AbortController();
  const telling = tellOfWorkers(session, out, { ...beside, over: over.signal });
  try {
    return await beside.watch();
  } finally {
    over.abort();
    // A request that is being tried again would throw where nobody hears it once the connection is closed.
    await telling;
  }
}

async function tellOfWorkers(
  session: Served,
  out: Pick<Output, 'say'>,
  { run, lookEveryMs = LOOK_EVERY_MS, over }: Omit<Beside<unknown>, 'watch'> & { readonly over: AbortSignal },
): Promise<void> {
  const whose = run === undefined ? undefined : { run };
  let isServed = true;
  let empty = 0;
  while (await sleep(lookEveryMs, true, { signal: over }).catch(() => false)) {
    // A signal of its own: what each look hangs on it goes with it.
    const found = await session.isServedElsewhere(whose, AbortSignal.any([over])).catch(() => undefined);
    if (over.aborted) return;
    empty = found === undefined ? -LOOKS_AFTER_OUTAGE : found ? 0 : empty + 1;
    const now: boolean = found === true || (isServed && empty < EMPTY_LOOKS);
    // A server that does not answer now says nothing about workers; the watching itself tells when it stays away.
    if (found !== undefined && now !== isServed) out.say(now ? 'A worker is up again.' : noWorkerText());
    if (found !== undefined) isServed = now;
  }
}

/** The same of one run and of many, whatever they wait for. */
export function noWorkerText(): string {
  return `No worker is up: what has not ended is kept and goes on as soon as one is: ${command('dev')}`;
}
