import { describe, expect, test } from 'vitest';
import { exitCodeOf, exitCodeOfResult } from '../../cli/exit-codes.ts';
import {
  NotAllowedError,
  RunEndedError,
  RunExistsError,
  RunNotFoundError,
  ServerUnreachableError,
  UsageError,
} from '../../client/errors.ts';
import type { RunResult } from '../../core/run.ts';
import { RESULT } from '../client/history-builder.ts';

const { answer: _, ...UNANSWERED } = RESULT;

function stopped(endReason: RunResult['endReason'], detail?: string): RunResult {
  return {
    ...UNANSWERED,
    endReason,
    stops: [{ reason: endReason, turn: 1, text: '', atMs: 1, ...(detail ? { detail } : {}) }],
  };
}

describe('what a script learns from the exit code', () => {
  test("an answer is 0, the model's or a person's", () => {
    expect(exitCodeOfResult(RESULT)).toBe(0);
    expect(
      exitCodeOfResult({ ...stopped('step_limit'), answer: 'mine', resolvedBy: { name: 'R', verified: false } }),
    ).toBe(0);
  });

  test('an ending without an answer is 3, whatever the reason', () => {
    for (const reason of ['step_limit', 'budget', 'cancelled', 'hand_over'] as const)
      expect(exitCodeOfResult(stopped(reason))).toBe(3);
    expect(exitCodeOfResult(stopped('error', 'Model.Auth'))).toBe(3);
  });

  test('a model that does not answer is 7', () => {
    expect(exitCodeOfResult(stopped('error', 'Model.Unavailable'))).toBe(7);
    expect(exitCodeOfResult(stopped('error', 'Model.Timeout'))).toBe(7);
  });

  test('each kind of error has its own code, and an unforeseen one is 1', () => {
    expect(
      [
        new UsageError('x'),
        new RunNotFoundError('x'),
        new NotAllowedError('x'),
        new RunExistsError('x'),
        new RunEndedError('x'),
        new ServerUnreachableError('x'),
        new Error('x'),
        'x',
      ].map(exitCodeOf),
    ).toEqual([2, 4, 5, 6, 6, 7, 1, 1]);
  });
});
