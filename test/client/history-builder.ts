import { defaultPayloadConverter } from '@temporalio/common';
import * as proto from '@temporalio/proto';
import type { HistoryEvent } from '../../client/history-events.ts';
import { NO_COUNTS } from '../../core/agent.ts';
import type { Usage, RunResult } from '../../core/run.ts';
import type { Item, ObservationItem, ReplyItem, TaskItem } from '../../core/transcript.ts';

/** Builds histories by hand, as the server would write them: one event a call, a second apart. */
export function historyBuilder(startMs = 1_000_000) {
  const events: HistoryEvent[] = [];
  const add = (attributes: Readonly<Record<string, object>>): number => {
    const eventId = events.length + 1;
    const eventTime = { seconds: startMs / 1_000 + eventId };
    events.push(proto.temporal.api.history.v1.HistoryEvent.fromObject({ eventId, eventTime, ...attributes }));
    return eventId;
  };
  return {
    events,
    scheduled: (type: string, input: unknown) =>
      add({
        activityTaskScheduledEventAttributes: {
          activityId: String(events.length),
          activityType: { name: type },
          input: payloads(input),
        },
      }),
    started: (scheduledEventId: number, attempt = 1, lastFailure?: string) =>
      add({
        activityTaskStartedEventAttributes: {
          scheduledEventId,
          attempt,
          ...(lastFailure ? { lastFailure: failure(lastFailure) } : {}),
        },
      }),
    completed: (scheduledEventId: number, result: unknown) =>
      add({ activityTaskCompletedEventAttributes: { scheduledEventId, result: payloads(result) } }),
    failed: (scheduledEventId: number, message: string) =>
      add({ activityTaskFailedEventAttributes: { scheduledEventId, failure: failure(message) } }),
    ended: (result: unknown) => add({ workflowExecutionCompletedEventAttributes: { result: payloads(result) } }),
    terminated: (reason: string) => add({ workflowExecutionTerminatedEventAttributes: { reason } }),
  };
}

function payloads(value: unknown) {
  return { payloads: [defaultPayloadConverter.toPayload(value) ?? {}] };
}

function failure(message: string) {
  return { message, applicationFailureInfo: { type: 'Model.RateLimit' } };
}

export const TASK: TaskItem = {
  type: 'task',
  goal: 'What is the fee of order 88213?',
  constraints: [],
  agent: { name: 'order-desk', version: '1', hash: 'abc', form: 'text', model: 'offline' },
  budget: { kind: 'tokens', tokens: 200_000 },
};

export function reply(turn: number, thought = `thought ${turn}`): ReplyItem {
  return {
    type: 'reply',
    turn,
    thought,
    notes: [],
    actions: [
      {
        id: `${turn}.1`,
        kind: 'call',
        tool: 'get_order',
        args: { order_id: '88213' },
        hash: 'h',
        needsApproval: false,
      },
    ],
    usage: {
      model: 'offline',
      inputTokens: 100,
      outputTokens: 10,
      cachedTokens: 0,
      estimatedTokens: 0,
      attempts: 1,
      ms: 20,
      promptBytes: 400,
    },
  };
}

export function observation(call: string, text = 'fee 25'): ObservationItem {
  return { type: 'observation', call, tool: 'get_order', status: 'ok', text, seen: [], hash: 'h', ms: 3 };
}

export const at = <T extends Item>(item: T, atMs: number): T => ({ ...item, atMs });

export const USAGE: Usage = {
  turns: 1,
  modelCalls: 1,
  toolCalls: 1,
  inputTokens: 100,
  outputTokens: 10,
  cachedTokens: 0,
  estimatedTokens: 0,
  activeMs: 23,
  waitingMs: 0,
};

export const RESULT: RunResult = {
  endReason: 'final_answer',
  answer: '₹25',
  usage: USAGE,
  stops: [],
  counters: NO_COUNTS,
};
