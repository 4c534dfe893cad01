import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import type { SearchAttributePair } from '@temporalio/common';
import { log, metricMeter, setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { Counters } from '../core/agent.ts';
import { METRIC, SEARCH_ATTRIBUTE } from '../core/names.ts';
import type { RunState } from '../core/state.ts';
import { statusOf } from '../core/stop.ts';

/**
 * What Temporal's own list and Web UI tell of a run. Attributes are written only when they change: each write is an event.
 * The cost grows with every turn, so it comes along when something else has changed, as it always has at the run's end.
 */
export function show(state: RunState): void {
  const status = statusOf(state);
  const wanted = {
    [SEARCH_ATTRIBUTE.agent]: state.agent.name,
    [SEARCH_ATTRIBUTE.status]: status,
    [SEARCH_ATTRIBUTE.endReason]: state.stops.at(-1)?.reason,
    [SEARCH_ATTRIBUTE.requestedBy]: state.requestedBy?.name,
  };
  const { typedSearchAttributes } = workflowInfo();
  const changed = Object.entries(wanted).flatMap(([name, value]) => {
    // An attribute that the server does not know would fail the workflow task for ever.
    if (value === undefined || !state.agent.searchAttributes.includes(name)) return [];
    const key = defineSearchAttributeKey(name, SearchAttributeType.KEYWORD);
    return typedSearchAttributes.get(key) === value ? [] : [{ key, value }];
  });
  if (changed.length > 0) upsertSearchAttributes([...changed, ...costPairs(state)]);
  setCurrentDetails(`${status} · turn ${state.turn} of ${state.limits.turns}\n\n${state.stopped?.text ?? state.goal}`);
}

function costPairs({ agent: { searchAttributes }, usage: { cost } }: RunState): SearchAttributePair[] {
  const isKnown = [SEARCH_ATTRIBUTE.cost, SEARCH_ATTRIBUTE.currency].every((name) => searchAttributes.includes(name));
  if (!cost || !isKnown) return [];
  return [
    { key: defineSearchAttributeKey(SEARCH_ATTRIBUTE.cost, SearchAttributeType.DOUBLE), value: Number(cost.amount) },
    { key: defineSearchAttributeKey(SEARCH_ATTRIBUTE.currency, SearchAttributeType.KEYWORD), value: cost.currency },
  ];
}

/** One line and one count for each time that a loop ended. The SDK keeps both silent during replay. */
export function logStop({ id, agent, stops, usage }: RunState): void {
  const stop = stops.at(-1);
  if (!stop) return;
  log.info('loop ended', { run: id, agent: agent.name, reason: stop.reason, detail: stop.detail, turn: stop.turn, cost: usage.cost });
  metricMeter
    .createCounter(METRIC.loopsEnded)
    .add(1, { agent: agent.name, end_reason: stop.reason, ...(stop.detail ? { detail: stop.detail } : {}) });
}

/** Counts what happened between two states. */
export function countMetrics(before: Counters, after: RunState): void {
  for (const name of Object.keys(before) as (keyof Counters)[]) {
    const more = after.counters[name] - before[name];
    if (more > 0) metricMeter.createCounter(`${METRIC.counterPrefix}${name}`).add(more, { agent: after.agent.name });
  }
}
