import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common';
import { createHash, randomInt } from 'node:crypto';
import { SEARCH_ATTRIBUTE, WORKFLOW_TYPE } from '../core/names.ts';
import type { RunInput, RunStatus } from '../core/run.ts';
import { RunExistsError, UsageError } from './errors.ts';
import { ask, type ServerAccess } from './server-access.ts';
import { startProblem } from './start-problem.ts';
import type { StartedRun, StartRequest } from './types.ts';

/** What `list` shows on servers that know none of our search attributes. */
export interface RunMemo {
  readonly agent: string;
  readonly startedAtMs: number;
  /** Tells this run from one that was asked something else; the task itself may be long. */
  readonly asked: string;
  readonly requestedBy?: string;
  readonly forkedFrom?: string;
}

/** A made id that is taken is made anew this often: with six characters even the second time is a rarity. */
const ID_ATTEMPTS = 3;

/**
 * Starts a run once: an id that was used before is refused, whether that run goes on or has ended.
 * @throws UsageError before anything is sent, RunExistsError
 */
export async function startRun(access: ServerAccess, request: StartRequest): Promise<StartedRun> {
  const problem = startProblem(request);
  if (problem) throw new UsageError(problem);
  if (request.id !== undefined) return startWithId(access, request, request.id);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startWithId(access, request, madeId(request.agent));
    } catch (error) {
      if (!(error instanceof RunExistsError) || attempt === ID_ATTEMPTS) throw error;
    }
  }
}

/** No vowels and nothing that reads like something else: an id is said on the telephone. */
const ID_LETTERS = '23456789bcdfghjkmnpqrstvwxz';

function madeId(agent: string): string {
  const tail = Array.from({ length: 6 }, () => ID_LETTERS[randomInt(ID_LETTERS.length)]).join('');
  return `${agent}-${tail}`;
}

async function startWithId(access: ServerAccess, request: StartRequest, id: string): Promise<StartedRun> {
  try {
    return await startWith(access, request, { id, attributes: searchAttributes(request) });
  } catch (error) {
    // A server that does not know the attributes refuses the start; the run goes without, and is listed by its memo.
    if (error instanceof UsageError) return startWith(access, request, { id, attributes: [] });
    throw error;
  }
}

/** Set from the start, so that `list` finds a run that no worker has taken yet. The run itself keeps them up to date. */
function searchAttributes({ agent, requestedBy }: StartRequest): readonly SearchAttributePair[] {
  const keyword = (name: string, value: string): SearchAttributePair => ({
    key: defineSearchAttributeKey(name, 'KEYWORD'),
    value,
  });
  return [
    keyword(SEARCH_ATTRIBUTE.agent, agent),
    keyword(SEARCH_ATTRIBUTE.status, 'running' satisfies RunStatus),
    ...(requestedBy ? [keyword(SEARCH_ATTRIBUTE.requestedBy, requestedBy.name)] : []),
  ];
}

async function startWith(
  access: ServerAccess,
  request: StartRequest,
  { id, attributes }: { readonly id: string; readonly attributes: readonly SearchAttributePair[] },
): Promise<StartedRun> {
  const { id: _, ...input } = request;
  const memo: RunMemo = {
    agent: request.agent,
    startedAtMs: Date.now(),
    asked: askedHash(request),
    ...(request.requestedBy ? { requestedBy: request.requestedBy.name } : {}),
    ...(request.fork ? { forkedFrom: `${request.fork.parent.id} at turn ${request.fork.turn}` } : {}),
  };
  const handle = await ask(access, { id }, () =>
    access.workflows.start<(input: RunInput) => Promise<unknown>>(WORKFLOW_TYPE, {
      workflowId: id,
      taskQueue: access.taskQueue,
      args: [input],
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      workflowIdConflictPolicy: 'FAIL',
      // A killed worker's task is given to the next one after this time, not after the default 10 s.
      workflowTaskTimeout: '2s',
      memo: { ...memo },
      staticSummary: summaryOf(request),
      ...(attributes.length > 0 ? { typedSearchAttributes: [...attributes] } : {}),
    }),
  ).catch(async (error: unknown) => {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    throw new RunExistsError(id, { cause: error, isAnother: await isAnother(access, request, id) });
  });
  return { id, firstRunId: handle.firstExecutionRunId };
}

/** Another program may have saved the same text with other line ends, or accents in another form. */
function askedHash({ agent, task }: StartRequest): string {
  return createHash('sha256').update(JSON.stringify([agent, task.normalize().replaceAll('\r\n', '\n')])).digest('hex').slice(0, 16);
}

/** Only where it is known: an older build, or another client, noted nothing of it. */
async function isAnother(access: ServerAccess, request: StartRequest, id: string): Promise<boolean> {
  const asked = await ask(access, { id }, async () => (await access.workflows.getHandle(id).describe()).memo?.['asked']).catch(() => undefined);
  return typeof asked === 'string' && asked !== askedHash(request);
}

/** Temporal's limit for a summary is 400 bytes; a character has four at most. */
const SUMMARY_CHARACTERS = 95;

function summaryOf({ agent, task }: StartRequest): string {
  // Through bytes and back: a cut surrogate pair becomes a replacement character, which protobuf can carry.
  const wellFormed = Buffer.from(`${agent}: ${task.slice(0, 2 * SUMMARY_CHARACTERS)}`).toString();
  const characters = [...wellFormed.replace(/\s+/g, ' ')];
  return characters.slice(0, SUMMARY_CHARACTERS).join('');
}
