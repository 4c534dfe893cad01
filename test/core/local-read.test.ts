import { describe, expect, test } from 'vitest';
import type { ToolFacts } from '../../core/agent.ts';
import { runsLocally } from '../../core/local-read.ts';
import type { ReadyCall } from '../../core/open-turn.ts';
import { append, startRun } from '../../core/state.ts';
import type { RunState } from '../../core/state.ts';
import type { CallAction } from '../../core/transcript.ts';
import { pinnedAgent, toolFacts } from '../support/pinned-agent.ts';

const call: CallAction = { kind: 'call', id: '1.1', tool: 'get_order', args: { id: '88213' }, hash: 'h', needsApproval: false };
const ready: ReadyCall = { call };
const by = { name: 'asha', verified: false };

function state(changes: Parameters<typeof pinnedAgent>[0] = { localReads: true }): RunState {
  return startRun({ agent: 'desk', task: 'Look.' }, pinnedAgent(changes), { id: 'run', firstRunId: 'first', nowMs: 0 });
}

function facts(changes: Partial<ToolFacts> = {}): ToolFacts {
  return toolFacts({ name: 'get_order', timeoutMs: 5_000, ...changes });
}

function after(ms: number): RunState {
  return append(state(), 1, { type: 'observation', call: '1.1', tool: 'get_order', status: 'ok', text: '', seen: [], hash: '', ms });
}

describe('made within the workflow task', () => {
  test('a read whose time-out is at most 5 s', () => {
    expect(runsLocally(state(), ready, facts())).toBe(true);
    expect(runsLocally(state(), ready, facts({ timeoutMs: 5_001 }))).toBe(false);
  });

  test('what the author says goes before the time-out', () => {
    expect(runsLocally(state(), ready, facts({ local: false }))).toBe(false);
    expect(runsLocally(state(), ready, facts({ local: true, timeoutMs: 600_000 }))).toBe(true);
  });

  test('a tool whose newest call was quick', () => {
    expect(runsLocally(after(799), ready, facts())).toBe(true);
    expect(runsLocally(after(800), ready, facts())).toBe(false);
  });
});

describe('an activity of its own', () => {
  test.each(['idempotent', 'once'] as const)('whatever its author says, a call with the effect "%s"', (effect) => {
    expect(runsLocally(state(), ready, facts({ effect, local: true }))).toBe(false);
  });

  test('a read that may be tried only once', () => {
    expect(runsLocally(state(), ready, facts({ maxAttempts: 1 }))).toBe(false);
  });

  test('a read that a person has approved, or makes', () => {
    expect(runsLocally(state(), { call, approval: { by, atMs: 1, decision: 'd', argsHash: 'a' } }, facts())).toBe(false);
    expect(runsLocally(state(), { call, by }, facts())).toBe(false);
  });

  test('every read of a run that was pinned before there were local ones: its history tells otherwise', () => {
    expect(runsLocally(state({}), ready, facts({ local: true }))).toBe(false);
  });
});
