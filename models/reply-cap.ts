import { wellFormed } from '../core/data-text.ts';
import { utf8Bytes } from '../core/json.ts';
import type { ModelReply, RawCall } from '../core/reply.ts';

/** A larger reply would near Temporal's payload limit once it is read, checked and kept beside its observations. */
export const MAX_REPLY_BYTES = 256 * 1024;
/** A turn runs at most 16 calls, and each of the others costs an action and an observation in history. */
export const MAX_REPLY_CALLS = 128;

/**
 * The reply within its bounds. One that is over them is cut and ends with `length`, as if the provider had stopped
 * there, so that nothing half-written is ever run; provider fields go too, since they belong to the whole.
 */
export function capReply(reply: ModelReply): ModelReply {
  if (replyBytes(reply) <= MAX_REPLY_BYTES && reply.calls.length <= MAX_REPLY_CALLS) return reply;
  const { provider: _, ...kept } = reply;
  const refusal = reply.refusal === undefined ? undefined : cutBytes(reply.refusal, MAX_REPLY_BYTES / 4);
  const text = cutBytes(reply.text, MAX_REPLY_BYTES / 2);
  const left = MAX_REPLY_BYTES - utf8Bytes(text) - utf8Bytes(refusal ?? '');
  return { ...kept, text, ...(refusal === undefined ? {} : { refusal }), calls: cutCalls(reply.calls, left), finish: 'length' };
}

function cutCalls(calls: readonly RawCall[], bytes: number): readonly RawCall[] {
  const kept: RawCall[] = [];
  let left = bytes;
  for (const { name, argumentsText } of calls.slice(0, MAX_REPLY_CALLS)) {
    if (left <= 0) break;
    const call = { name: cutBytes(name, Math.min(left, 1_024)), argumentsText: cutBytes(argumentsText, left) };
    kept.push(call);
    left -= callBytes(call);
  }
  return kept;
}

function replyBytes({ text, calls, refusal, provider }: ModelReply): number {
  const fields = provider === undefined ? 0 : utf8Bytes(JSON.stringify(provider));
  return fields + utf8Bytes(text) + utf8Bytes(refusal ?? '') + calls.reduce((sum, call) => sum + callBytes(call), 0);
}

function callBytes({ name, argumentsText, provider }: RawCall): number {
  return utf8Bytes(name) + utf8Bytes(argumentsText) + (provider === undefined ? 0 : utf8Bytes(JSON.stringify(provider)));
}

/** At most so many bytes of UTF-8; a character that would be parted is left out. */
function cutBytes(text: string, max: number): string {
  if (utf8Bytes(text) <= max) return text;
  const cut = Buffer.from(text).subarray(0, Math.max(0, max)).toString();
  return wellFormed(cut).replace(/\ufffd$/, '');
}
