import type { LoadedDataConverter } from '@temporalio/common';
import {
  decodeArrayFromPayloads,
  decodeOptionalFailureToOptionalError,
} from '@temporalio/common/lib/internal-non-workflow/index.js';
import type { temporal } from '@temporalio/proto';
import { UnreadableError } from './errors.ts';

export type HistoryEvent = temporal.api.history.v1.IHistoryEvent;
export type Failure = temporal.api.failure.v1.IFailure;
type Payloads = temporal.api.common.v1.IPayloads;

/** Reads what workers wrote into history: a codec may bind its keys to the workflow and the activity. */
export interface Decoder {
  /** First value of a workflow's payloads. */
  workflowValue(payloads: Payloads | null | undefined): Promise<unknown>;
  /** First value of an activity's payloads. */
  activityValue(activityId: string, payloads: Payloads | null | undefined): Promise<unknown>;
  /** First value of a local activity's payloads. */
  localValue(activityId: string, payloads: Payloads | null | undefined): Promise<unknown>;
  failure(
    activityId: string,
    failure: Failure | null | undefined,
  ): Promise<{ readonly message: string; readonly type?: string }>;
}

export function createDecoder(converter: LoadedDataConverter, namespace: string, workflowId: string): Decoder {
  const activity = (activityId: string) =>
    ({ type: 'activity', namespace, workflowId, activityId, isLocal: false }) as const;
  return {
    workflowValue: (payloads) => first(converter, payloads, { type: 'workflow', namespace, workflowId }),
    activityValue: (activityId, payloads) => first(converter, payloads, activity(activityId)),
    localValue: (activityId, payloads) => first(converter, payloads, { ...activity(activityId), isLocal: true }),
    failure: async (activityId, failure) => {
      const error = await decodeOptionalFailureToOptionalError(converter, failure, activity(activityId));
      const type = error && 'type' in error && typeof error.type === 'string' ? error.type : undefined;
      return { message: error?.message ?? 'no reason given', ...(type ? { type } : {}) };
    },
  };
}

async function first(
  converter: LoadedDataConverter,
  payloads: Payloads | null | undefined,
  context: Parameters<typeof decodeArrayFromPayloads>[2],
): Promise<unknown> {
  try {
    const [value] = await decodeArrayFromPayloads(converter, payloads?.payloads, context);
    return value;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const fix = 'Set the data converter (codec and keys) that the workers use';
    throw new UnreadableError(`The run's data cannot be decoded: ${why}. ${fix}.`, { cause: error });
  }
}

/** Milliseconds since the epoch of a protobuf timestamp; 0 when absent. */
export function timestampMs(
  time: { readonly seconds?: unknown; readonly nanos?: number | null } | null | undefined,
): number {
  return Math.floor(Number(time?.seconds ?? 0) * 1_000 + (time?.nanos ?? 0) / 1_000_000);
}
