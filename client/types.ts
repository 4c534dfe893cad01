import type { Budget, Form } from '../core/agent.ts';
import type { JsonObject } from '../core/json.ts';
import type { EndReason, Person, RunProgress, RunResult, RunStatus } from '../core/run.ts';
import type { Item } from '../core/transcript.ts';

export interface StartRequest {
  readonly agent: string;
  readonly task: string;
  /** The run's id; made when absent. A second start with the same id is refused with RunExistsError. */
  readonly id?: string;
  readonly constraints?: readonly string[];
  readonly requestedBy?: Person;
  readonly form?: Form;
  readonly limits?: { readonly turns?: number; readonly budget?: Budget; readonly timeMs?: number };
}

/** What Temporal's visibility says of a run. */
export interface RunSummary {
  readonly id: string;
  readonly agent?: string;
  readonly status: RunStatus | 'terminated' | 'failed';
  readonly endReason?: EndReason;
  readonly requestedBy?: string;
  readonly startedAtMs: number;
  readonly closedAtMs?: number;
}

/** A trace: items in order, each with its number; `missing` where neither history nor archive has them any more. */
export type TraceEntry =
  | { readonly kind: 'item'; readonly number?: number; readonly atMs?: number; readonly item: Item }
  | { readonly kind: 'call_started'; readonly call: string; readonly tool: string; readonly args: JsonObject; readonly atMs: number; readonly attempt: number }
  | { readonly kind: 'missing'; readonly from: number; readonly to: number; readonly why: string }
  | { readonly kind: 'end'; readonly atMs: number; readonly result: RunResult };

export interface Trace {
  readonly id: string;
  readonly entries: readonly TraceEntry[];
}

/** What became of a person's decision. `delivered`: a signal was left, no worker has applied it yet. */
export type DecisionOutcome =
  | { readonly state: 'applied'; readonly text: string }
  | { readonly state: 'refused'; readonly because: string }
  | { readonly state: 'delivered' };

export interface ShownRun {
  readonly summary: RunSummary;
  readonly progress?: RunProgress;
  readonly result?: RunResult;
}
