import type { NotifyEvent } from '../core/contract.ts';
import type { EndReason, HandOver, HeldView, OpenQuestion, RunStatus } from '../core/run.ts';

/** What persons are told of a run. */
export interface Notification {
  /** Something waits for a person; it is about to expire; the run has ended. */
  readonly event: NotifyEvent;
  readonly run: string;
  readonly agent: string;
  readonly status: RunStatus;
  /** Calls that wait for a decision, with the exact arguments. */
  readonly held: readonly HeldView[];
  readonly question?: OpenQuestion;
  /** What was done, what is in doubt, what remains: where the run was handed over. */
  readonly handOver?: HandOver;
  readonly endReason?: EndReason;
  /** The command that answers this. */
  readonly next: string;
}

/**
 * Brings a notification to persons: a mail, a chat message, a ticket. May be called twice for one event, when a worker
 * dies. One that throws is tried again a few times; the run does not wait for it.
 */
export type Notify = (notification: Notification, context: { readonly signal: AbortSignal; log(message: string): void }) => unknown;
