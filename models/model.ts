import type { FailureType } from '../core/names.ts';
import type { ModelReply, Prompt } from '../core/reply.ts';

/** One way to speak to a model. An adapter makes exactly one HTTP request a call: retries are Temporal's. */
export interface Model {
  /** @throws ModelFailure for everything that is not a reply. */
  complete(request: ModelRequest): Promise<ModelReply>;
}

export interface ModelRequest {
  readonly model: string;
  readonly prompt: Prompt;
  readonly maxOutputTokens: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The world's failure, typed by the failure table. */
export class ModelFailure extends Error {
  readonly type: FailureType;
  readonly retryable: boolean;
  /** Whether the provider may charge for the lost call: a 429 is free, a reset in mid-reply is not known. */
  readonly billing: 'none' | 'unknown';
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(facts: {
    readonly type: FailureType;
    readonly message: string;
    readonly retryable: boolean;
    readonly billing: 'none' | 'unknown';
    readonly status?: number;
    readonly retryAfterMs?: number;
  }) {
    super(facts.message);
    this.name = 'ModelFailure';
    this.type = facts.type;
    this.retryable = facts.retryable;
    this.billing = facts.billing;
    this.status = facts.status;
    this.retryAfterMs = facts.retryAfterMs;
  }
}
