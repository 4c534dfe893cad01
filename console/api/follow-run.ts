import { streamSSE } from 'hono/streaming';
import type { SSEStreamingApi } from 'hono/streaming';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CaseworkerClient } from '../../client/types.ts';
import { answerOf } from './api-error.ts';
import type { RouteCall } from './route.ts';

const LOOK_EVERY_MS = 1_000;

/**
 * One run's trace as server-sent events, and beside it how the run stands, which no event of history tells. A run that
 * is not there is refused before the stream begins.
 */
export async function followRun({ context, track }: Pick<RouteCall, 'context' | 'track'>, client: CaseworkerClient, id: string): Promise<Response> {
  await client.show(id);
  return streamSSE(context, (stream) => track(follow(stream, client, id)));
}

async function follow(stream: SSEStreamingApi, client: CaseworkerClient, id: string): Promise<void> {
  const left = new AbortController();
  stream.onAbort(() => left.abort());
  const ended = new AbortController();
  const standing = sendStanding(stream, { client, id, signal: AbortSignal.any([left.signal, ended.signal]) });
  try {
    for await (const entry of client.follow(id, { signal: left.signal })) await stream.writeSSE({ event: 'entry', data: JSON.stringify(entry) });
    if (!left.signal.aborted) await stream.writeSSE({ event: 'end', data: '{}' });
  } catch (error) {
    await stream.writeSSE({ event: 'error', data: JSON.stringify(answerOf(error).body) });
  } finally {
    ended.abort();
    await standing;
  }
}

interface Standing {
  readonly client: CaseworkerClient;
  readonly id: string;
  readonly signal: AbortSignal;
}

async function sendStanding(stream: SSEStreamingApi, { client, id, signal }: Standing): Promise<void> {
  let sent = '';
  while (!signal.aborted) {
    const progress = await client.progress(id).catch(() => undefined);
    // `undefined` is news as well: no worker answers any more.
    const data = JSON.stringify(progress ?? null);
    if (data !== sent && !signal.aborted) await stream.writeSSE({ event: 'progress', data });
    sent = data;
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}
