import { NO_COUNTS } from './agent.ts';
import type { RunInput, RunResult } from './run.ts';

/** The result of a run whose agent could not be pinned: nothing was done, and the reason names the fix. */
export function notStarted(input: Partial<RunInput> | null | undefined, problem: string, nowMs: number): RunResult {
  const goal = typeof input?.task === 'string' ? input.task.slice(0, 2_000) : '';
  const usage = {
    turns: 0, modelCalls: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0, estimatedTokens: 0,
    activeMs: 0, waitingMs: 0,
  };
  return {
    endReason: 'error',
    handOver: {
      goal,
      constraints: [],
      reason: problem,
      done: [],
      inDoubt: [],
      remains: [goal],
      facts: [],
      spent: usage,
      next: 'caseworker run AGENT "task"',
    },
    usage,
    stops: [{ reason: 'error', turn: 0, detail: 'not_started', text: problem, atMs: nowMs }],
    counters: NO_COUNTS,
  };
}
