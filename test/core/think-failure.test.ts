import { describe, expect, test } from 'vitest';
import { reservation } from '../../core/budget.ts';
import { recordLostThink } from '../../core/think-failure.ts';
import type { LostThink } from '../../core/think-failure.ts';
import { startRun } from '../../core/state.ts';
import { pinnedAgent } from '../support/pinned-agent.ts';

const start = startRun({ agent: 'desk', task: 'Look at order 88213.' }, pinnedAgent(), { id: 'run', firstRunId: 'first', nowMs: 0 });
const { inputTokens, outputTokens } = reservation(start);
const chargedFor = (lost: LostThink) => {
  const { usage } = recordLostThink(start, lost, 0);
  return { modelCalls: usage.modelCalls, reservations: (usage.inputTokens + usage.outputTokens) / (inputTokens + outputTokens), activeMs: usage.activeMs };
};
const allowed = { attempts: 3, timeoutMs: 1_000 };

describe('a model call that is cancelled is charged', () => {
  test('with the earlier attempts that the activity tells of, lost ones in full', () => {
    expect(chargedFor({ kind: 'cancelled', details: { attempts: 3, unknownBilling: 2, ms: 900 } })).toEqual({ modelCalls: 3, reservations: 2, activeMs: 900 });
  });

  test('with the one that was running when only its heartbeat is left', () => {
    expect(chargedFor({ kind: 'cancelled', details: { attempts: 1, unknownBilling: 1, ms: 300, isRunning: true } })).toEqual({ modelCalls: 2, reservations: 2, activeMs: 300 });
  });

  test('once, or as often as it can have been made, where nothing tells', () => {
    expect(chargedFor({ kind: 'cancelled' })).toMatchObject({ modelCalls: 1, reservations: 1 });
    for (const details of [null, 'x', { attempts: -1 }, { attempts: 1, unknownBilling: Number.NaN, ms: 0 }]) {
      expect(chargedFor({ kind: 'cancelled', details, attempts: 2 })).toMatchObject({ modelCalls: 2, reservations: 2 });
    }
  });
});

describe('a model call that vanished is charged', () => {
  const lost = { kind: 'lost', type: 'Model.Timeout', text: 'gone', allowed } as const;

  test('with what its failure tells', () => {
    expect(chargedFor({ ...lost, details: { attempts: 3, unknownBilling: 1, ms: 20 } })).toMatchObject({ modelCalls: 3, reservations: 1 });
  });

  test('with the attempt that was running, when its heartbeat is the last that came', () => {
    expect(chargedFor({ ...lost, details: { attempts: 2, unknownBilling: 0, ms: 20, isRunning: true } })).toMatchObject({ modelCalls: 3, reservations: 1 });
  });

  test('with every attempt that was allowed, where nothing tells', () => {
    expect(chargedFor({ ...lost, details: undefined })).toMatchObject({ modelCalls: 3, reservations: 3, activeMs: 1_000 });
  });
});

describe('a prompt that is larger than the run knew', () => {
  const promptBytes = reservation(start).promptBytes + 500;
  const larger = { kind: 'lost', type: 'Caseworker.OverAllowance', text: 'larger', details: { attempts: 0, unknownBilling: 0, ms: 0, promptBytes }, allowed } as const;

  test('is measured and asked once more: what is reserved then is its real size, and nothing is charged', () => {
    const again = recordLostThink(start, larger, 0);
    expect(again.ending).toBeUndefined();
    expect(reservation(again).promptBytes).toBe(promptBytes);
    expect(again.usage).toEqual(start.usage);
    expect(again.agent.promptBytes).toBe(start.agent.promptBytes + 500);
  });

  test('ends the run when it is larger still at the same turn, or when nobody says how large it is', () => {
    const again = recordLostThink(start, larger, 0);
    const twice = recordLostThink(again, { ...larger, details: { ...larger.details, promptBytes: promptBytes + 1 } }, 0);
    expect(twice.ending).toMatchObject({ reason: 'error', detail: 'Caseworker.OverAllowance' });
    const untold = recordLostThink(start, { ...larger, details: { attempts: 0, unknownBilling: 0, ms: 0 } }, 0);
    expect(untold.ending).toMatchObject({ reason: 'error' });
  });

  test('may be corrected again at a later turn', () => {
    const later = { ...recordLostThink(start, larger, 0), turn: 1 };
    expect(recordLostThink(later, { ...larger, details: { ...larger.details, promptBytes: promptBytes + 1 } }, 0).ending).toBeUndefined();
  });
});
