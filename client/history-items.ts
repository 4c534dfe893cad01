import { ACTIVITY } from '../core/names.ts';
import { isJsonObject, type JsonObject } from '../core/json.ts';
import { isWaitingStatus } from '../core/run.ts';
import type { HandOver, RunResult } from '../core/run.ts';
import type { Item } from '../core/transcript.ts';
import type { Decoder, Failure, HistoryEvent } from './history-events.ts';
import { timestampMs } from './history-events.ts';
import { createLocalReads } from './local-reads.ts';
import { isRunResult, parseItem, type UnknownItem } from './parse-item.ts';
import { heldViewsIn, questionIn } from './parse-waiting.ts';
import type { FailedAttempt, TraceEntry, WaitingEntry } from './types.ts';

/** What one event of history tells of a run. */
export type Fact =
  /** Items with their numbers, from `base` on. */
  | {
      readonly kind: 'items';
      readonly base: number;
      readonly items: readonly (Item | UnknownItem)[];
      readonly atMs: number;
    }
  /** An item whose number is not known yet: it comes again, numbered, with the next delta. */
  | { readonly kind: 'loose'; readonly item: Item; readonly atMs: number }
  /** A person has said something: its item comes, numbered, with the next delta. */
  | { readonly kind: 'said'; readonly atMs: number }
  /** The run waits; `after` is the number of the last item before that. */
  | (WaitingEntry & { readonly after: number })
  | Extract<TraceEntry, { kind: 'call_started' | 'attempt_failed' | 'end' | 'closed' }>;

/** An activity that was scheduled in this execution. */
interface Scheduled {
  readonly activityId: string;
  readonly type: string;
  readonly input: unknown;
  readonly attempt: number;
  /** Attempts that were made before it was scheduled: within a workflow task. */
  readonly before: number;
}

/** Reads one execution's events, in order, in as many batches as they come. */
export interface HistoryReader {
  read(events: readonly HistoryEvent[]): Promise<readonly Fact[]>;
  /** Activities that have been scheduled and have not come back. */
  readonly openActivities: number;
  /** The failed attempt that a pending activity (of `describe`, not of history) speaks of. */
  pending(activity: PendingActivity): Promise<readonly Fact[]>;
}

export interface PendingActivity {
  readonly activityId?: string | null;
  readonly attempt?: number | null;
  readonly lastFailure?: Failure | null;
  readonly lastAttemptCompleteTime?: Parameters<typeof timestampMs>[0];
  readonly nextAttemptScheduleTime?: Parameters<typeof timestampMs>[0];
}

export function createHistoryReader(decoder: Decoder): HistoryReader {
  const open = new Map<string, Scheduled>();
  const local = createLocalReads(decoder);
  const missed = new Set<string>();

  async function readEvent(event: HistoryEvent): Promise<readonly Fact[]> {
    const atMs = timestampMs(event.eventTime);
    if (event.activityTaskScheduledEventAttributes) return scheduled(event, atMs);
    if (event.activityTaskStartedEventAttributes) return started(event, atMs);
    if (event.activityTaskCompletedEventAttributes) return completed(event, atMs);
    if (event.activityTaskFailedEventAttributes) {
      const { scheduledEventId, failure } = event.activityTaskFailedEventAttributes;
      return givenUp(String(scheduledEventId), failure, atMs);
    }
    if (event.activityTaskTimedOutEventAttributes) {
      const { scheduledEventId, failure } = event.activityTaskTimedOutEventAttributes;
      return givenUp(String(scheduledEventId), failure, atMs);
    }
    if (event.markerRecordedEventAttributes) return readLocally(event, atMs);
    if (event.workflowExecutionUpdateAcceptedEventAttributes ?? event.workflowExecutionSignaledEventAttributes) return [{ kind: 'said', atMs }];
    if (event.activityTaskCanceledEventAttributes)
      open.delete(String(event.activityTaskCanceledEventAttributes.scheduledEventId));
    return closing(decoder, event, atMs);
  }

  async function scheduled(event: HistoryEvent, atMs: number): Promise<readonly Fact[]> {
    const attributes = event.activityTaskScheduledEventAttributes;
    const activityId = attributes?.activityId ?? '';
    const type = attributes?.activityType?.name ?? '';
    const input = await decoder.activityValue(activityId, attributes?.input);
    const before = missed.has(callOf(input)?.call ?? '') ? 1 : 0;
    open.set(String(event.eventId), { activityId, type, input, attempt: 1, before });
    return factsOfInput(type, input, atMs);
  }

  /** The call and its end in one event; one that missed is scheduled next. */
  async function readLocally(event: HistoryEvent, atMs: number): Promise<readonly Fact[]> {
    const read = await local.read(event);
    if (!read) return [];
    const { call, tool, args, item, missed: why } = read;
    const facts: Fact[] = [{ kind: 'call_started', call, tool, args, atMs, attempt: 1 }];
    if (item) facts.push({ kind: 'loose', item, atMs });
    if (why !== undefined) {
      missed.add(call);
      facts.push({ kind: 'attempt_failed', of: { kind: 'call', call, tool }, attempt: 1, message: why, atMs, last: false });
    }
    return facts;
  }

  async function started(event: HistoryEvent, atMs: number): Promise<readonly Fact[]> {
    const attributes = event.activityTaskStartedEventAttributes;
    const key = String(attributes?.scheduledEventId);
    const activity = open.get(key);
    const attempt = attributes?.attempt ?? 1;
    if (!activity || attempt <= 1) return [];
    open.set(key, { ...activity, attempt });
    const failure = await decoder.failure(activity.activityId, attributes?.lastFailure);
    return failedAttempt(activity, { attempt: attempt - 1, ...failure, atMs, last: false });
  }

  async function completed(event: HistoryEvent, atMs: number): Promise<readonly Fact[]> {
    const attributes = event.activityTaskCompletedEventAttributes;
    const key = String(attributes?.scheduledEventId);
    const activity = open.get(key);
    open.delete(key);
    if (!activity || !speaksOf(activity)) return [];
    const item = parseItem(await decoder.activityValue(activity.activityId, attributes?.result));
    if (item.type === 'reply') local.noteReply(item);
    return item.type === 'reply' || item.type === 'observation' ? [{ kind: 'loose', item, atMs }] : [];
  }

  async function givenUp(key: string, failure: Failure | null | undefined, atMs: number): Promise<readonly Fact[]> {
    const activity = open.get(key);
    open.delete(key);
    if (!activity) return [];
    const decoded = await decoder.failure(activity.activityId, failure);
    return failedAttempt(activity, { attempt: activity.attempt, ...decoded, atMs, last: true });
  }

  return {
    async read(events) {
      const facts: Fact[] = [];
      for (const event of events) facts.push(...(await readEvent(event)));
      return facts;
    },
    get openActivities() {
      return open.size;
    },
    async pending({ activityId, attempt, lastFailure, lastAttemptCompleteTime, nextAttemptScheduleTime }) {
      const activity = [...open.values()].find((one) => one.activityId === activityId);
      if (!activity || !lastFailure || !attempt || attempt <= 1) return [];
      const failure = await decoder.failure(activity.activityId, lastFailure);
      const retryAtMs = nextAttemptScheduleTime ? { retryAtMs: timestampMs(nextAttemptScheduleTime) } : {};
      const atMs = timestampMs(lastAttemptCompleteTime);
      return failedAttempt(activity, { attempt: attempt - 1, ...failure, atMs, ...retryAtMs, last: false });
    },
  };
}

/** What an activity was sent: the model's new items, a call, a waiting run's items, an archive's. */
function factsOfInput(type: string, input: unknown, atMs: number): readonly Fact[] {
  if (!isJsonObject(input)) return [];
  switch (type) {
    case ACTIVITY.think:
      return numbered(input.base, input.delta, atMs);
    case ACTIVITY.notify:
      return [...numbered(input.base, input.items, atMs), ...waiting(input, atMs)];
    case ACTIVITY.archive:
      return numbered(input.base, input.items, atMs);
    default: {
      const call = callOf(input);
      return call ? [{ kind: 'call_started', ...call, atMs, attempt: 1 }] : [];
    }
  }
}

function numbered(base: unknown, items: unknown, atMs: number): readonly Fact[] {
  if (typeof base !== 'number' || !Array.isArray(items) || items.length === 0) return [];
  return [{ kind: 'items', base, items: items.map(parseItem), atMs }];
}

function waiting(input: JsonObject, atMs: number): readonly Fact[] {
  if (!isWaitingStatus(input.status) || typeof input.base !== 'number' || !Array.isArray(input.items)) return [];
  const handOver = isHandOver(input.handOver) ? { handOver: input.handOver } : {};
  const question = questionIn(input.question);
  const told = { ...(question ? { question } : {}), ...(Array.isArray(input.held) ? { held: heldViewsIn(input.held) } : {}) };
  return [{ kind: 'waiting', status: input.status, ...handOver, ...told, after: input.base + input.items.length - 1, atMs }];
}

function isHandOver(value: unknown): value is HandOver {
  return (
    isJsonObject(value) &&
    typeof value.goal === 'string' &&
    typeof value.reason === 'string' &&
    Array.isArray(value.done)
  );
}

function callOf(
  input: unknown,
): { readonly call: string; readonly tool: string; readonly args: JsonObject } | undefined {
  if (!isJsonObject(input) || typeof input.call !== 'string' || typeof input.tool !== 'string') return undefined;
  return { call: input.call, tool: input.tool, args: isJsonObject(input.args) ? input.args : {} };
}

function speaksOf({ type, input }: Scheduled): FailedAttempt['of'] | undefined {
  if (type === ACTIVITY.think && isJsonObject(input) && typeof input.turn === 'number')
    return { kind: 'model', turn: input.turn };
  const call = callOf(input);
  return call && { kind: 'call', call: call.call, tool: call.tool };
}

function failedAttempt(activity: Scheduled, failed: Omit<FailedAttempt, 'kind' | 'of'>): readonly Fact[] {
  const of = speaksOf(activity);
  return of ? [{ kind: 'attempt_failed', of, ...failed, attempt: failed.attempt + activity.before }] : [];
}

async function closing(decoder: Decoder, event: HistoryEvent, atMs: number): Promise<readonly Fact[]> {
  if (event.workflowExecutionCompletedEventAttributes) {
    const result = await decoder.workflowValue(event.workflowExecutionCompletedEventAttributes.result);
    return isRunResult(result)
      ? [end(result, atMs)]
      : [{ kind: 'closed', how: 'failed', message: 'its result cannot be read', atMs }];
  }
  if (event.workflowExecutionFailedEventAttributes) {
    const { failure } = event.workflowExecutionFailedEventAttributes;
    return [{ kind: 'closed', how: 'failed', ...(failure?.message ? { message: failure.message } : {}), atMs }];
  }
  if (event.workflowExecutionTerminatedEventAttributes) {
    const { reason } = event.workflowExecutionTerminatedEventAttributes;
    return [{ kind: 'closed', how: 'terminated', ...(reason ? { message: reason } : {}), atMs }];
  }
  if (event.workflowExecutionTimedOutEventAttributes) return [{ kind: 'closed', how: 'timed_out', atMs }];
  if (event.workflowExecutionCanceledEventAttributes) return [{ kind: 'closed', how: 'cancelled', atMs }];
  return [];
}

function end(result: RunResult, atMs: number): Fact {
  return { kind: 'end', result, atMs };
}
