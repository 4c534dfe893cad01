import { createHmac, randomBytes } from 'node:crypto';
import { executionInfoFromRaw } from '@temporalio/client/lib/helpers.js';
import { ApiError } from './api-error.ts';
import { SEARCH_ATTRIBUTE, WORKFLOW_TYPE } from '../../core/names.ts';
import { summaryOf } from '../../client/list-runs.ts';
import { ask } from '../../client/server-access.ts';
import type { ServerAccess } from '../../client/server-access.ts';
import type { RunSummary } from '../../client/types.ts';

export interface RunFilter {
  readonly agent?: string;
  readonly status?: string;
  readonly endReason?: string;
  readonly requestedBy?: string;
  readonly since?: string;
  readonly until?: string;
  /** Decimals: the least and the most that a run has cost. */
  readonly costFrom?: string;
  readonly costTo?: string;
  readonly currency?: string;
  /** A list filter of Temporal, beside the others. */
  readonly query?: string;
}

export interface RunPage {
  readonly runs: readonly RunSummary[];
  /** Asks for the page after this one; absent on the last. */
  readonly next?: string;
}

/** One page of runs in the server's order: those that go on first, then by when they ended. */
export async function pageOfRuns(access: ServerAccess, filter: RunFilter, page: { readonly limit: number; readonly token?: string }): Promise<RunPage> {
  const nextPageToken = page.token === undefined ? undefined : tokenOf(page.token);
  const { connection, namespace, converter } = access;
  const answer = await ask(access, {}, () => connection.workflowService.listWorkflowExecutions({
    namespace, query: listFilter(filter), pageSize: page.limit, ...(nextPageToken ? { nextPageToken } : {}),
  }));
  const infos = await Promise.all(answer.executions.map((raw) => executionInfoFromRaw(raw, converter, raw, namespace)));
  const next = answer.nextPageToken.length > 0 && infos.length > 0 ? tokenText(answer.nextPageToken) : undefined;
  return { runs: infos.map(summaryOf), ...(next ? { next } : {}) };
}

/** The list filter that a page of runs is, as Temporal's own tools take it. */
export function listFilter({ agent, status, endReason, requestedBy, since, until, costFrom, costTo, currency, query }: RunFilter): string {
  const parts = [
    equals('WorkflowType', WORKFLOW_TYPE),
    // A run that was continued as new is one run: only its latest execution counts.
    'ExecutionStatus != "ContinuedAsNew"',
    agent && equals(SEARCH_ATTRIBUTE.agent, agent),
    status && statusFilter(status),
    endReason && equals(SEARCH_ATTRIBUTE.endReason, endReason),
    requestedBy && equals(SEARCH_ATTRIBUTE.requestedBy, requestedBy),
    since && `StartTime >= ${quoted(since)}`,
    until && `StartTime < ${quoted(until)}`,
    costFrom && `${SEARCH_ATTRIBUTE.cost} >= ${costFrom}`,
    costTo && `${SEARCH_ATTRIBUTE.cost} <= ${costTo}`,
    currency && equals(SEARCH_ATTRIBUTE.currency, currency),
    query && `(${query})`,
  ];
  return parts.filter((part) => part).join(' AND ');
}

/** A run that was killed from outside keeps what it said of itself last: only the server knows that it is over. */
function statusFilter(status: string): string {
  if (status === 'terminated') return equals('ExecutionStatus', 'Terminated');
  if (status === 'failed') return '(ExecutionStatus = "Failed" OR ExecutionStatus = "TimedOut")';
  const own = equals(SEARCH_ATTRIBUTE.status, status);
  return status === 'ended' ? own : `${own} AND ExecutionStatus = "Running"`;
}

function equals(attribute: string, value: string): string {
  return `${attribute} = ${quoted(value)}`;
}

function quoted(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}

/** Signed, since servers answer a token that they did not write as if they were broken. Pages end with this process. */
const SECRET = randomBytes(32);

function tokenText(token: Uint8Array): string {
  return `${Buffer.from(token).toString('base64url')}.${signatureOf(token)}`;
}

function tokenOf(text: string): Uint8Array {
  const [own = '', signature] = text.split('.');
  const token = Buffer.from(own, 'base64url');
  if (signature !== signatureOf(token)) throw new ApiError('usage', 'The page is none that this list has given since the console started: read the list from its beginning.');
  return token;
}

function signatureOf(token: Uint8Array): string {
  return createHmac('sha256', SECRET).update(token).digest('base64url').slice(0, 22);
}
