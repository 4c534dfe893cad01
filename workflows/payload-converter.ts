import { defaultPayloadConverter } from '@temporalio/workflow';
import type { PayloadConverter } from '@temporalio/workflow';

/**
 * Temporal's own JSON, but for one thing: what cannot be read is a value, where the SDK throws. Any Temporal client can
 * signal bytes that are no JSON; the throw would fail the workflow task, and the server would send it again for ever,
 * while the run looks alive. The value has a field that no payload of ours has, so it is refused as any odd one.
 */
export const payloadConverter: PayloadConverter = {
  toPayload: (value, context, hint) => defaultPayloadConverter.toPayload(value, context, hint),
  fromPayload: (payload, context, hint) => {
    try {
      return defaultPayloadConverter.fromPayload(payload, context, hint);
    } catch (error) {
      return unreadable(error);
    }
  },
};

/** The type is a claim of whoever sent it; what reads it checks the value. */
function unreadable<T>(error: unknown): T {
  const value: unknown = { unreadable: error instanceof Error ? error.message.slice(0, 200) : 'not readable' };
  return value as T;
}
