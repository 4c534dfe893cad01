import { streamSSE } from 'hono/streaming';
import type { SSEStreamingApi } from 'hono/streaming';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerOf } from './api-error.ts';
import type { RouteCall } from './route.ts';
import type { RunSources } from './run-view.ts';
import { numberAfter, unreadWords } from './unread.ts';

const LOOK_EVERY_MS = 1_000;

type Sources = Pick<RunSources, 'client' | 'access'>;

/**
 * One run's trace as server-sent events, and beside it how the run stands and what persons did a moment ago, which the
 * trace does not tell. A run that is not there is refused before the stream begins.
 */
export async function followRun({ context, track }: Pick<RouteCall, 'context' | 'track'>, sources: Sources, id: string): Promise<Response> {
  await sources.client.show(id);
  return streamSSE(context, (stream) => track(follow(stream, sources, id)));
}

async function follow(stream: SSEStreamingApi, { client, access }: Sources, id: string): Promise<void> {
  const left = new AbortController();
  stream.onAbort(() => left.abort());
  const ended = new AbortController();
  let next = 0;
  const standing = sendStanding(stream, { client, access, id, next: () => next, signal: AbortSignal.any([left.signal, ended.signal]) });
  try {
    for await (const entry of client.follow(id, { signal: left.signal })) {
      next = Math.max(next, numberAfter([entry]));
      await stream.writeSSE({ event: 'entry', data: JSON.stringify(entry) });
    }
    if (!left.signal.aborted) await stream.writeSSE({ event: 'end', data: '{}' });
  } catch (error) {
    await stream.writeSSE({ event: 'error', data: JSON.stringify(answerOf(error).body) });
  } finally {
    ended.abort();
    await standing;
  }
}

interface Standing extends Sources {
  readonly id: string;
  /** Number of the first item that the trace has not told. */
  readonly next: () => number;
  readonly signal: AbortSignal;
}

async function sendStanding(stream: SSEStreamingApi, { client, access, id, next, signal }: Standing): Promise<void> {
  const sent: Record<string, string> = { unread: '[]' };
  const send = async (event: string, value: unknown): Promise<void> => {
    const data = JSON.stringify(value);
    if (data !== sent[event] && !signal.aborted) await stream.writeSSE({ event, data });
    sent[event] = data;
  };
  while (!signal.aborted) {
    const progress = await client.progress(id).catch(() => undefined);
    // `undefined` is news as well: no worker answers any more.
    await send('progress', progress ?? null);
    // Before the trace has told anything, what it lacks cannot be known.
    if (progress && next() > 0) await send('unread', await unreadWords(access, id, next()));
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}
