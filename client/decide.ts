import { WorkflowUpdateFailedError, WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isJsonObject } from '../core/json.ts';
import { payloadProblem } from '../core/payload-problem.ts';
import type { Verb, VerbOutcome } from '../core/verbs.ts';
import { RunEndedError, RunNotFoundError, UsageError } from './errors.ts';
import { readTrace } from './read-trace.ts';
import { ask, grpcFailure, translated, type ServerAccess } from './server-access.ts';
import type { DecisionOutcome, DecisionRequest } from './types.ts';

/** A worker that is up applies a decision in milliseconds. */
const UPDATE_MS = 3_000;

/**
 * Brings a person's decision to a run: as an Update, whose answer says what became of it; when no worker takes it in
 * time as a Signal with the same decision id, which waits in the run's history. Applied once, whichever arrives.
 * @throws UsageError, RunNotFoundError, RunEndedError
 */
export async function decide<V extends Verb>(
  access: ServerAccess,
  id: string,
  { verb, decision }: { readonly verb: V; readonly decision: DecisionRequest<V> },
): Promise<DecisionOutcome> {
  const payload = { ...decision, id: decision.id ?? randomUUID() };
  const problem = payloadProblem(verb, payload);
  if (problem) throw new UsageError(`This cannot be sent: ${problem}.`);
  try {
    return (await update(access, id, verb, payload)) ?? (await signal(access, id, verb, payload));
  } catch (error) {
    const first = error instanceof RunEndedError && verb in DECIDED && 'call' in payload ? await whoDecided(access, id, String(payload.call)) : undefined;
    if (first === undefined) throw error;
    return { state: 'refused', because: `${first}, and the run has ended` };
  }
}

const DECIDED: Readonly<Record<string, string>> = { approve: 'approved', edit: 'changed and approved', reject: 'rejected', respond: 'answered' };

/** Whoever comes after the end of a run is told who was first, as they would have been before it. */
async function whoDecided(access: ServerAccess, id: string, call: string): Promise<string | undefined> {
  const { entries } = await readTrace(access, id);
  for (const entry of [...entries].reverse()) {
    if (entry.kind !== 'item' || entry.item.type !== 'person' || entry.item.call !== call || entry.item.refused !== undefined) continue;
    const { by, verb } = entry.item;
    if (DECIDED[verb] !== undefined) return `${by.name} ${DECIDED[verb]} it${entry.atMs === undefined ? '' : ` on ${new Date(entry.atMs).toISOString()}`}`;
  }
  return undefined;
}

/** The server takes two updates of one id for one, whatever they say: a decision's id counts for its verb and call. */
function updateIdOf(verb: Verb, payload: Payload): string {
  return ['call' in payload ? String(payload.call) : '', verb, payload.id].join(' ').trim();
}

type Payload = { readonly id: string };

/** gRPC's FAILED_PRECONDITION and ABORTED: the run's task fails or was lost at this moment, and is tried again. */
const NOT_NOW: readonly (number | undefined)[] = [9, 10];
const PAUSE_MS = 250;

/** `undefined` when nobody took it in time. */
async function update(access: ServerAccess, id: string, verb: Verb, payload: Payload): Promise<DecisionOutcome | undefined> {
  const deadline = Date.now() + UPDATE_MS;
  for (;;) {
    try {
      return await updateOnce(access, { id, verb, payload, deadline });
    } catch (error) {
      if (!NOT_NOW.includes(grpcFailure(error)?.code)) throw error;
      if (Date.now() + PAUSE_MS >= deadline) return undefined;
      await sleep(PAUSE_MS);
    }
  }
}

interface OneUpdate {
  readonly id: string;
  readonly verb: Verb;
  readonly payload: Payload;
  readonly deadline: number;
}

async function updateOnce(access: ServerAccess, { id, verb, payload, deadline }: OneUpdate): Promise<DecisionOutcome | undefined> {
  try {
    const outcome = await access.connection.withDeadline(deadline, () =>
      access.workflows.getHandle(id).executeUpdate<unknown, [Payload]>(verb, { args: [payload], updateId: updateIdOf(verb, payload) }),
    );
    if (isOutcome(outcome))
      return outcome.applied
        ? { state: 'applied', text: outcome.text }
        : { state: 'refused', because: outcome.because, ...(outcome.kind ? { kind: outcome.kind } : {}) };
    return { state: 'applied', text: 'Applied.' };
  } catch (error) {
    if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return undefined;
    if (error instanceof WorkflowUpdateFailedError) {
      throw new UsageError(`The run refused it: ${error.cause?.message ?? error.message}.`, { cause: error });
    }
    throw await endedOr(access, id, error);
  }
}

async function signal(access: ServerAccess, id: string, verb: Verb, payload: Payload): Promise<DecisionOutcome> {
  try {
    await ask(access, { id }, () => access.workflows.getHandle(id).signal(verb, payload));
    return { state: 'delivered' };
  } catch (error) {
    throw await endedOr(access, id, error);
  }
}

/** The server calls a run that has ended "not found" too; a person needs to know which it is. */
async function endedOr(access: ServerAccess, id: string, error: unknown): Promise<unknown> {
  const known = translated(error, id);
  if (!(known instanceof RunNotFoundError) && !/already completed/.test(grpcFailure(error)?.details ?? ''))
    return known;
  const described = await ask(access, { id }, () => access.workflows.getHandle(id).describe()).catch(() => undefined);
  return described && described.status.name !== 'RUNNING' ? new RunEndedError(id, { cause: error }) : known;
}

function isOutcome(value: unknown): value is VerbOutcome {
  if (!isJsonObject(value)) return false;
  return value.applied === true
    ? typeof value.text === 'string'
    : value.applied === false && typeof value.because === 'string';
}
