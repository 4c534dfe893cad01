import type { DataConverter } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import type { ReplayHistoriesIterable } from '@temporalio/worker';

/** One history on this build: it goes on as it began, or says why it would break. */
export interface Replayed {
  readonly id: string;
  readonly executionId: string;
  readonly problem?: string;
}

export interface VerifyOptions {
  /** Path of the bundle of the build that is asked about. */
  readonly workflowBundle: { readonly codePath: string };
  readonly dataConverter?: DataConverter;
  readonly histories: AsyncIterable<{ readonly id: string; readonly history: unknown }>;
}

/**
 * Replays histories on this build without touching the runs: each decision that the build would make is compared with
 * the one that is in the history. Needs no server beside what gives the histories.
 */
export async function* verify({ workflowBundle, dataConverter, histories }: VerifyOptions): AsyncGenerator<Replayed> {
  const inputs: ReplayHistoriesIterable = (async function* () {
    for await (const { id, history } of histories) yield { workflowId: id, history };
  })();
  const options = { workflowBundle, reuseV8Context: true, ...(dataConverter ? { dataConverter } : {}) };
  for await (const { workflowId, runId, error } of Worker.runReplayHistories(options, inputs)) {
    yield { id: workflowId, executionId: runId, ...(error ? { problem: error.message } : {}) };
  }
}
