import { streamSSE } from 'hono/streaming';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerOf } from './api-error.ts';
import type { RouteCall } from './route.ts';

export interface Watched {
  readonly event: string;
  readonly read: () => Promise<unknown>;
}

/** A person sees a change within about this time. */
const LOOK_EVERY_MS = 1_000;
/** Looking takes at most this share of the time: a long inbox is looked at less often. */
const SHARE = 5;
/** Proxies close streams on which nothing comes for a minute. */
const BEAT_MS = 15_000;

/**
 * Server-sent events with the whole value, now and each time that it has changed. A value that cannot be read is an
 * `error` event with the same shape as an error answer, and the stream goes on: the server may come back.
 */
export function streamChanges({ context, track }: Pick<RouteCall, 'context' | 'track'>, { event, read }: Watched): Response {
  return streamSSE(context, async (stream) => {
    let sent = '';
    let beatMs = Date.now();
    const left = new AbortController();
    stream.onAbort(() => left.abort());
    while (!left.signal.aborted) {
      const began = Date.now();
      const [name, data] = await track(read()).then((value) => [event, JSON.stringify(value)] as const, (error: unknown) => ['error', JSON.stringify(answerOf(error).body)] as const);
      if (`${name}:${data}` !== sent) {
        await stream.writeSSE({ event: name, data });
        sent = `${name}:${data}`;
      } else if (began - beatMs >= BEAT_MS) {
        await stream.writeSSE({ event: 'beat', data: '{}' });
        beatMs = began;
      }
      // A server that is gone took long to say nothing: whoever waits for it is to see at once that it is back.
      const restMs = name === event ? (Date.now() - began) * SHARE : 0;
      await sleep(Math.max(LOOK_EVERY_MS, restMs), undefined, { signal: left.signal }).catch(() => undefined);
    }
  });
}
