import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CancelledFailure, Context } from '@temporalio/activity';
import type { ActInput } from '../core/contract.ts';
import { effectKeyText } from '../core/effect-key.ts';
import type { ToolContext } from '../tools/define-tool.ts';
import type { PreparedCall, Tool } from '../tools/tool.ts';
import { toolFailure } from './tool-failure.ts';
import { doubtfulOutcome, failedOutcome, interruptedOutcome, notStartedOutcome, succeeded } from './tool-outcome.ts';
import type { Ask } from './tool-outcome.ts';
import type { Outcome } from './tool-observation.ts';

export interface ToolRun {
  readonly input: ActInput;
  readonly tool: Tool;
  readonly call: PreparedCall;
}

/**
 * One attempt of a call. The tool is told by its signal when the run is cancelled, the worker stops or the time-out is
 * near, and is waited for: what it did is known only when it says so.
 */
export async function runTool(run: ToolRun): Promise<Outcome> {
  const { cancellationSignal } = Context.current();
  if (cancellationSignal.aborted) return notStartedOutcome(run);
  const deadline = deadlineSignal();
  const signal = AbortSignal.any([cancellationSignal, deadline.signal]);
  try {
    return succeeded(run, await run.call.run(toolContext(run.input, signal)));
  } catch (error) {
    return signal.aborted && isInterruption(error, signal) ? interruptedOutcome(run, asker(run)) : failedOutcome(run, error, asker(run));
  } finally {
    deadline.clear();
  }
}

/** Shortest and longest time that a tool gets between its signal and the end of its attempt, to say what it did. */
const MARGIN_MS = { least: 20, most: 2_000 } as const;

function deadlineSignal(): { readonly signal: AbortSignal; clear(): void } {
  const { startToCloseTimeoutMs } = Context.current().info;
  const margin = Math.min(MARGIN_MS.most, Math.max(MARGIN_MS.least, startToCloseTimeoutMs / 10));
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new DOMException('The time-out of this call is near.', 'TimeoutError')),
    Math.max(1, startToCloseTimeoutMs - margin),
  );
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
}

/** Whether an error only passes on that the signal was aborted; a connection that broke just then has the same cause. */
function isInterruption(error: unknown, signal: AbortSignal): boolean {
  const reason: unknown = signal.reason;
  return error === reason || error instanceof CancelledFailure || toolFailure(error).kind === 'unavailable';
}

/** What the other side knows a call by: the business identity, or one made of the run and the call, the same on every attempt. */
export function idempotencyKey({ key, firstRunId, call }: Pick<ActInput, 'key' | 'firstRunId' | 'call'>): string {
  return key ?? createHash('sha256').update(effectKeyText(firstRunId, call)).digest('hex');
}

function toolContext(input: ActInput, signal: AbortSignal): ToolContext {
  const { call, tool } = input;
  const context = Context.current();
  return {
    signal,
    idempotencyKey: idempotencyKey(input),
    heartbeat: () => {
      if (!context.info.isLocal) context.heartbeat();
    },
    log: (message) => {
      context.log.info(message, { tool, call });
    },
  };
}

export interface Lost {
  readonly why: string;
  /** When the attempt that was lost can no longer be under way; absent when nobody knows. */
  readonly overMs: number | undefined;
}

/** A call of which nobody reported the end: the tool's look-up decides, else its outcome is unknown. */
export function lostOutcome(run: ToolRun, { why, overMs }: Lost): Promise<Outcome> {
  return doubtfulOutcome(run, why, onceItIsOver(asker(run), overMs));
}

/**
 * "It did not happen" holds only when it no longer can: a worker that is cut off, and not dead, may send the call until
 * its time-out. So a no is waited out and asked for again, and where that takes too long it is no answer.
 */
function onceItIsOver(ask: Ask, overMs: number | undefined): Ask {
  return async () => {
    const found = await ask();
    if (found?.happened !== false) return found;
    if (overMs === undefined) return undefined;
    const { info, cancellationSignal } = Context.current();
    const leftMs = overMs - Date.now();
    if (leftMs <= 0) return found;
    if (leftMs + LOOKUP_MS > info.startToCloseTimeoutMs) return undefined;
    const waited = await sleep(leftMs, true, { signal: cancellationSignal }).catch(() => false);
    return waited ? ask() : undefined;
  };
}

/** How long a tool's `lookup` may take; it runs where the call itself was cut short, so it has a clock of its own. */
const LOOKUP_MS = 5_000;

/** Asks the tool what became of the call; nothing when it has no way to know. */
function asker(run: ToolRun): Ask {
  return async () => {
    if (!run.tool.hasLookup) return undefined;
    try {
      return await run.call.lookup(toolContext(run.input, AbortSignal.timeout(LOOKUP_MS)));
    } catch (error) {
      Context.current().log.warn('a look-up of a lost result failed', { tool: run.tool.name, call: run.input.call, error: String(error) });
      return undefined;
    }
  };
}
