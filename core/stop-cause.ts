import type { JsonObject } from './json.ts';
import type { EndReason, Person } from './run.ts';

/** Why the loop should stop, before it has. */
export interface StopCause {
  readonly reason: EndReason;
  /** Finer cause, one word. */
  readonly detail?: string;
  /** One sentence for a person. */
  readonly text: string;
  readonly answer?: string | JsonObject;
  readonly by?: Person;
  /** Queue that a hand-over names. */
  readonly queue?: string;
  /** Tool that cannot be called; absent where all of the agent is off. */
  readonly tool?: string;
}
