import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';
import type { BlobStore, ThinkFailureDetails, ThinkInput, ThinkResult } from '../core/contract.ts';
import { evidenceOf } from '../core/evidence.ts';
import { readFunctionReply } from '../core/function-form.ts';
import { FAILURE } from '../core/names.ts';
import type { FailureType } from '../core/names.ts';
import { promptBytes, renderPrompt } from '../core/prompt.ts';
import type { ModelReply } from '../core/reply.ts';
import { readTextReply } from '../core/text-form.ts';
import type { ReplyNote } from '../core/transcript.ts';
import { ModelFailure } from '../models/model.ts';
import type { Model } from '../models/model.ts';
import type { Registry } from '../tools/registry.ts';
import { withElsewhere } from './approval-facts.ts';
import { checkReply } from './check-reply.ts';
import { createEffectBook } from './effect-book.ts';
import { isWorkerShutdown, whileTelling } from './heartbeats.ts';
import { knownTranscript } from './known-transcript.ts';
import { lostAttempts } from './lost-attempts.ts';
import type { LostAttempts } from './lost-attempts.ts';
import { callUsage } from './call-usage.ts';
import { offReason } from './switches.ts';
import type { KnownTranscript, TranscriptCache } from './transcript-cache.ts';

export interface ThinkParts {
  readonly registry: Registry;
  /** The way to speak to a model of this name. */
  readonly modelFor: (name: string) => Promise<Model>;
  readonly cache: TranscriptCache;
  readonly blobs: BlobStore;
}

/**
 * One model call: prompt, request, reply read and checked. A reply that is odd comes back as data; only the world's
 * failures are thrown, typed, with what the lost attempts may have cost in their details.
 */
export function createThink({ registry, modelFor, cache, blobs }: ThinkParts): (input: ThinkInput) => Promise<ThinkResult> {
  const book = createEffectBook(blobs);
  return async (input) => {
    const lost = lostAttempts();
    const transcript = await knownTranscript(cache, input);
    const { agent, items, first } = transcript;
    const switched = offReason(blobs, agent.name);
    const prompt = renderPrompt(agent, items, first);
    const bytes = promptBytes(prompt);
    const off = await switched;
    if (off !== undefined) throw notSent(FAILURE.switchedOff, off);
    if (bytes > input.allowance.promptBytes) throw overAllowance(bytes, input);

    const timeLeftMs = input.allowance.timeLeftMs - lost.ms;
    if (timeLeftMs <= 0) throw outOfTime(lost);
    const startMs = performance.now();
    const model = await modelFor(agent.model);
    const reply = await complete({ lost, startMs, timeLeftMs }, (signal) =>
      model.complete({
        model: agent.model,
        prompt,
        maxOutputTokens: input.allowance.outputTokens,
        timeoutMs: Math.min(input.allowance.timeoutMs, timeLeftMs),
        signal,
      }),
    );
    const ms = Math.round(performance.now() - startMs);
    const { actions, ...checked } = check(registry, { reply, transcript, turn: input.turn, firstRunId: input.firstRunId });
    return {
      type: 'reply',
      turn: input.turn,
      ...checked,
      actions: await Promise.all(actions.map((action) => withElsewhere(action, input.firstRunId, book))),
      usage: callUsage(reply, { agent, allowance: input.allowance, lost, ms, promptBytes: bytes }),
      ...(reply.provider ? { provider: reply.provider } : {}),
    };
  };
}

interface Attempt {
  readonly lost: LostAttempts;
  readonly startMs: number;
  readonly timeLeftMs: number;
}

async function complete(attempt: Attempt, request: (signal: AbortSignal) => Promise<ModelReply>): Promise<ModelReply> {
  // The last beat of an attempt that never comes back says that one was running, which may have been billed.
  let details: ThinkFailureDetails & { readonly isRunning?: true } = { ...attempt.lost, isRunning: true };
  const { cancellationSignal } = Context.current();
  return whileTelling(() => details, async () => {
    try {
      return await request(cancellationSignal);
    } catch (error) {
      const unknown = error instanceof ModelFailure && error.billing === 'none' ? 0 : 1;
      details = {
        attempts: attempt.lost.attempts + 1,
        unknownBilling: attempt.lost.unknownBilling + unknown,
        ms: attempt.lost.ms + Math.round(performance.now() - attempt.startMs),
        ...(error instanceof ModelFailure && error.status !== undefined ? { status: error.status } : {}),
      };
      const isOutOfTime = details.ms - attempt.lost.ms >= attempt.timeLeftMs;
      throw isOutOfTime ? outOfTime(details) : asFailure(error, details);
    }
  });
}

function asFailure(error: unknown, details: ThinkFailureDetails): unknown {
  const { cancellationSignal } = Context.current();
  if (cancellationSignal.aborted && !isWorkerShutdown()) return cancelled(cancellationSignal.reason, details);
  if (error instanceof ModelFailure) {
    const { type, message, retryable, retryAfterMs } = error;
    return ApplicationFailure.create({
      type, message, nonRetryable: !retryable, details: [details],
      ...(retryAfterMs === undefined ? {} : { nextRetryDelay: retryAfterMs }),
    });
  }
  if (isWorkerShutdown()) return ApplicationFailure.create({ type: FAILURE.modelUnavailable, message: 'The worker was shut down.', details: [details] });
  return error;
}

/** What a cancelled call may have cost goes with the cancellation, for a workflow that waits for it. */
function cancelled(reason: unknown, details: ThinkFailureDetails): unknown {
  return reason instanceof CancelledFailure ? new CancelledFailure(reason.message, [details]) : reason;
}

/** The run's time is used up: another attempt would have none. */
function outOfTime(details: ThinkFailureDetails): ApplicationFailure {
  return ApplicationFailure.create({
    type: FAILURE.modelTimeout, message: "The model did not answer within what was left of the run's time.", nonRetryable: true, details: [details],
  });
}

function overAllowance(bytes: number, { allowance }: ThinkInput): ApplicationFailure {
  const message = `The prompt has ${bytes} bytes, more than the ${allowance.promptBytes} that the budget was checked for.`;
  return notSent(FAILURE.overAllowance, message, { promptBytes: bytes });
}

/** No request was made, so nothing is charged. */
function notSent(type: FailureType, message: string, more: Pick<ThinkFailureDetails, 'promptBytes'> = {}): ApplicationFailure {
  return ApplicationFailure.create({
    type,
    message,
    nonRetryable: true,
    details: [{ attempts: 0, unknownBilling: 0, ms: 0, ...more } satisfies ThinkFailureDetails],
  });
}

interface Unchecked {
  readonly reply: ModelReply;
  readonly transcript: KnownTranscript;
  readonly turn: number;
  readonly firstRunId: string;
}

function check(registry: Registry, { reply, transcript, turn, firstRunId }: Unchecked): Pick<ThinkResult, 'thought' | 'actions' | 'notes'> {
  const { agent, items } = transcript;
  const read = agent.form === 'text' ? readTextReply(reply, agent.tools) : readFunctionReply(reply, agent.tools);
  const definition = registry.findAgent(agent.name, agent.version);
  const { actions, notes } = checkReply(read, { turn, agent, evidence: evidenceOf(items, agent.tools), items, firstRunId, ...(definition ? { definition } : {}) });
  const dropped = reply.dropped.map((name): ReplyNote => ({ kind: 'dropped_parameter', text: `the server does not take ${name}` }));
  return { ...(read.thought === undefined ? {} : { thought: read.thought }), actions, notes: [...notes, ...dropped] };
}
