import { ApplicationFailure, Context } from '@temporalio/activity';
import { canonicalJson } from '../core/json.ts';
import { FAILURE } from '../core/names.ts';
import { resultText } from './result-text.ts';
import type { ToolRun } from './run-tool.ts';
import { toolFailure, withoutInternals } from './tool-failure.ts';
import type { Outcome } from './tool-observation.ts';

/** What the other side knows of a call; nothing when it cannot tell. */
export type Ask = () => Promise<{ readonly happened: boolean; readonly result?: unknown } | undefined>;

/** The tool returned: its result as text, or the sentence that says that there is none. */
export function succeeded({ tool, call, input }: ToolRun, result: unknown): Outcome {
  const { effect } = tool.facts;
  const read = resultText(result);
  if (read.kind === 'text') return { status: 'ok', text: read.text };
  // A write that returned has happened, whatever it returned; "nothing" or "error" would invite a second one.
  if (effect !== 'read') return { status: 'ok', text: read.kind === 'empty' ? `${tool.name} was done.` : `${tool.name} was done, but ${read.problem}.` };
  if (read.kind === 'problem') return { status: 'error', text: `${tool.name}: ${read.problem}. Use another tool, or hand over.` };
  return { status: 'empty', text: sentence(() => call.emptyText()) ?? `${tool.name} found nothing for ${argsText(input.args)}.` };
}

/** The attempt was over before the tool began: nothing happened, whatever it does. */
export function notStartedOutcome({ tool }: ToolRun): Outcome {
  if (!isCancelledRun()) {
    if (hasAttemptsLeft(tool.facts.maxAttempts)) throw unavailableFailure(`${tool.name} was not started: the worker is shutting down`);
    return { status: 'error', text: `Not run: the worker shut down before ${tool.name} started, so nothing happened. Try again.` };
  }
  return { status: 'skipped', text: `Not run: the run was cancelled before ${tool.name} started.` };
}

/** The tool gave up because its signal told it to. */
export async function interruptedOutcome(run: ToolRun, ask: Ask): Promise<Outcome> {
  const { name, facts } = run.tool;
  if (facts.effect === 'read' && isCancelledRun()) return { status: 'skipped', text: `Not finished: the run was cancelled while ${name} ran.` };
  const why = interruption();
  return isCancelledRun() ? doubtfulOutcome(run, why, ask) : unfinished(run, { why, isSent: true, ask });
}

/** The tool threw. */
export async function failedOutcome(run: ToolRun, error: unknown, ask: Ask): Promise<Outcome> {
  const failure = toolFailure(error);
  const own = sentence(() => cleaned(run.call.errorText(error)));
  if (failure.kind === 'expected') {
    return { status: 'error', text: own ?? `${run.tool.name} failed: ${withoutEnd(failure.text)}. Check the arguments, try another way, or hand over.` };
  }
  return unfinished(run, { why: withoutEnd(failure.text), isSent: failure.isSent, ask, ...(own ? { own } : {}) });
}

interface Unfinished {
  readonly why: string;
  /** Whether the other side may have got the request. */
  readonly isSent: boolean;
  readonly ask: Ask;
  /** The tool author's sentence for this error. */
  readonly own?: string;
}

/** The other side did not answer: another attempt where one can do no harm, else what is known is said. */
async function unfinished(run: ToolRun, { why, isSent, ask, own }: Unfinished): Promise<Outcome> {
  const { name, facts } = run.tool;
  if (facts.effect !== 'once' && hasAttemptsLeft(facts.maxAttempts)) throw unavailableFailure(why);
  if (facts.effect === 'read') return { status: 'error', text: own ?? `${name} failed: ${why}. Try again later, use another tool, or hand over.` };
  // An earlier attempt may have arrived even where this one cannot have.
  const neverSent = !isSent && Context.current().info.attempt === 1;
  if (neverSent) return { status: 'error', text: `Not run: ${name} could not reach the other side (${why}), so nothing happened. Try again later, or hand over.` };
  return doubtfulOutcome(run, why, ask);
}

/** An effect that may have happened: the tool's own look-up decides; without one, a person. */
export async function doubtfulOutcome(run: ToolRun, why: string, ask: Ask): Promise<Outcome> {
  const { name } = run.tool;
  const found = await ask();
  if (found?.happened === true) {
    const read = resultText(found.result);
    return { status: 'ok', text: read.kind === 'text' ? read.text : `${name} was done: the other side has it.` };
  }
  if (found?.happened === false) return { status: 'error', text: `${name} did not happen: ${why}, and the other side does not have it. It may be tried again.` };
  return { status: 'unknown', text: `The result of ${name} was lost (${why}): it may have happened. Do not do it again; a person must find out.` };
}

/** The store of whole observations did not answer. */
export function outcomeOfStoreFailure(error: unknown): Outcome {
  const text = withoutEnd(toolFailure(error).text);
  if (hasAttemptsLeft(Number.POSITIVE_INFINITY)) throw unavailableFailure(text);
  return { status: 'error', text: `The kept observations cannot be read now (${text}). Call the tool again instead.` };
}

function unavailableFailure(text: string): ApplicationFailure {
  return ApplicationFailure.create({ type: FAILURE.toolUnavailable, message: text, details: [text] });
}

/** The server's own policy for this activity counts; the tool's facts are its source. */
function hasAttemptsLeft(maxAttempts: number): boolean {
  const { attempt, retryPolicy, isLocal } = Context.current().info;
  // What a local read does not get, a regular one tries again.
  if (isLocal) return true;
  return attempt < (retryPolicy?.maximumAttempts ?? maxAttempts);
}

/** A person's cancel, or that of the run's end; a worker that stops, or an activity that is paused or reset, is none. */
function isCancelledRun(): boolean {
  const { cancellationSignal, cancellationDetails } = Context.current();
  if (!cancellationSignal.aborted) return false;
  return cancellationDetails === undefined || cancellationDetails.cancelRequested;
}

function interruption(): string {
  const { cancellationSignal, cancellationDetails } = Context.current();
  if (!cancellationSignal.aborted) return 'it took longer than its time-out';
  if (isCancelledRun()) return 'the run was cancelled while it ran';
  return cancellationDetails?.workerShutdown === true ? 'the worker was shut down while it ran' : 'it was interrupted';
}

/** A sentence of the tool's author; a function that throws, or gives no text, leaves the default. */
function sentence(write: () => string | undefined): string | undefined {
  try {
    const text: unknown = write();
    return typeof text === 'string' && text.trim() !== '' ? text : undefined;
  } catch {
    return undefined;
  }
}

/** An author's sentence usually repeats the error's message. */
function cleaned(text: string | undefined): string | undefined {
  return typeof text === 'string' ? withoutInternals(text) : undefined;
}

const ARGS_CHARS = 200;

function argsText(args: ToolRun['input']['args']): string {
  const text = canonicalJson(args);
  return text.length > ARGS_CHARS ? `${text.slice(0, ARGS_CHARS)}…` : text;
}

function withoutEnd(text: string): string {
  return text.replace(/[.!\s]{1,5}$/, '');
}
