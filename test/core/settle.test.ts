import { expect, test } from 'vitest';
import { decideVerb } from '../../core/decisions.ts';
import { readyCalls, recordResult } from '../../core/open-turn.ts';
import { startRun } from '../../core/state.ts';
import type { RunState } from '../../core/state.ts';
import type { CallAction, ObservationItem, ObservationStatus } from '../../core/transcript.ts';
import { pinnedAgent } from '../support/pinned-agent.ts';

const by = { name: 'meera', verified: false };
const call: CallAction = { kind: 'call', id: '1.1', tool: 'refund', args: { id: 'A-1' }, hash: 'h', needsApproval: false };
const stopped = { reason: 'hand_over', turn: 1, detail: 'unknown_outcome', text: 'in doubt', atMs: 0 } as const;

function inDoubt(): RunState {
  const run = startRun({ agent: 'desk', task: 'Refund A-1.' }, pinnedAgent(), { id: 'run', firstRunId: 'first', nowMs: 0 });
  return { ...run, turn: 1, stopped, stops: [stopped], effects: [{ call: '1.1', turn: 1, tool: 'refund', hash: 'h', status: 'unknown', text: 'lost', lost: call }] };
}

function settle(state: RunState, outcome: 'happened' | 'not_happened' | 'retry'): RunState {
  const decided = decideVerb(state, { verb: 'settle', payload: { id: outcome, by, call: '1.1', outcome }, nowMs: 1 });
  if (!('outcome' in decided)) throw new Error('nothing of it has to be checked');
  expect(decided.outcome.applied).toBe(true);
  return decided.state;
}

function retried(status: ObservationStatus, more: Partial<ObservationItem> = {}): RunState {
  const state = settle(inDoubt(), 'retry');
  const [ready] = readyCalls(state);
  if (!ready) throw new Error('the retry may run');
  expect(ready).toMatchObject({ call: { id: '1.p1' }, retryOf: '1.1', by });
  const observation: ObservationItem = { type: 'observation', call: '1.1', tool: 'refund', status, text: 'what came', seen: [], hash: 'r', ms: 1, ...more };
  return recordResult(state, ready, { observation, nowMs: 2 });
}

test('a person who knows ends the doubt, and the run goes on', () => {
  const state = settle(inDoubt(), 'happened');
  expect(state.effects[0]).toMatchObject({ status: 'ok', by });
  expect(state.stopped).toBeUndefined();
});

test('a second try that worked is what became of the first', () => {
  const state = retried('ok');
  expect(state.effects).toHaveLength(1);
  expect(state.effects[0]).toMatchObject({ call: '1.1', status: 'ok', text: 'what came' });
  expect(state.ending).toBeUndefined();
  expect(state.items.at(-1)).toMatchObject({ type: 'observation', call: '1.p1', retryOf: '1.1', by });
});

test.each(['error', 'unknown', 'skipped'] as const)('a second try that ended as %s says nothing of the first: it stays in doubt, and a person is asked again', (status) => {
  const state = retried(status);
  expect(state.effects[0]).toMatchObject({ call: '1.1', status: 'unknown', lost: { id: '1.1' } });
  expect(state.ending).toMatchObject({ reason: 'hand_over', detail: 'unknown_outcome' });
});

test('a second try of a tool that is switched off hands the run over for that reason, still in doubt', () => {
  const state = retried('skipped', { handOver: 'refund is switched off by asha: the bank is down' });
  expect(state.effects[0]).toMatchObject({ status: 'unknown' });
  expect(state.ending).toMatchObject({ detail: 'switched_off' });
});
