import type { WorkflowExecutionInfo } from '@temporalio/client';
import { SEARCH_ATTRIBUTE, WORKFLOW_TYPE } from '../core/names.ts';
import { END_REASONS, isWaitingStatus, type EndReason } from '../core/run.ts';
import { money } from '../core/money.ts';
import type { Money } from '../core/money.ts';
import { UsageError } from './errors.ts';
import { ask, type ServerAccess } from './server-access.ts';
import type { ListRequest, RunSummary } from './types.ts';

const NANO_UNITS = 1e9;

/**
 * Runs, newest first. Where the server knows none of our search attributes, agent and status are filtered here, over
 * what the runs were started with.
 */
export async function listRuns(access: ServerAccess, request: ListRequest): Promise<readonly RunSummary[]> {
  const ours = [
    request.agent && equals(SEARCH_ATTRIBUTE.agent, request.agent),
    request.status && equals(SEARCH_ATTRIBUTE.status, request.status),
  ];
  try {
    return await listed(access, {
      ...request,
      filters: ours.filter((filter) => filter !== undefined && filter !== ''),
    });
  } catch (error) {
    if (!(error instanceof UsageError) || ours.every((filter) => filter === undefined)) throw error;
    return listed(access, { ...request, filters: [] });
  }
}

async function listed(
  access: ServerAccess,
  request: ListRequest & { readonly filters: readonly (string | undefined)[] },
): Promise<readonly RunSummary[]> {
  const { query, agent, status, limit, filters } = request;
  const all = [
    equals('WorkflowType', WORKFLOW_TYPE),
    // A run that was continued as new is one run: only its latest execution counts.
    `ExecutionStatus != "ContinuedAsNew"`,
    ...filters,
    ...(query ? [`(${query})`] : []),
  ];
  return ask(access, {}, async () => {
    const found: RunSummary[] = [];
    for await (const info of access.workflows.list({ query: all.join(' AND '), pageSize: Math.min(limit, 1_000) })) {
      const summary = summaryOf(info);
      if (agent !== undefined && summary.agent !== agent) continue;
      if (status !== undefined && summary.status !== status) continue;
      found.push(summary);
      if (found.length >= limit) break;
    }
    // Servers on SQL list runs that go on before those that have ended, whenever they began.
    return found.sort((a, b) => b.startedAtMs - a.startedAtMs);
  });
}

function equals(attribute: string, value: string): string {
  return `${attribute} = "${value.replace(/["\\]/g, '\\$&')}"`;
}

/** What visibility, or a description, says of one run. */
export function summaryOf(
  info: Pick<
    WorkflowExecutionInfo,
    'workflowId' | 'status' | 'startTime' | 'closeTime' | 'memo' | 'typedSearchAttributes' | 'taskQueue'
  >,
): RunSummary {
  const attributes = new Map(info.typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]));
  const word = (name: string): string | undefined => {
    const value = attributes.get(name);
    return typeof value === 'string' ? value : undefined;
  };
  const agent = word(SEARCH_ATTRIBUTE.agent) ?? memoText(info.memo?.['agent']);
  const requestedBy = word(SEARCH_ATTRIBUTE.requestedBy) ?? memoText(info.memo?.['requestedBy']);
  const forkedFrom = memoText(info.memo?.['forkedFrom']);
  const endReason = word(SEARCH_ATTRIBUTE.endReason);
  const cost = costOf(attributes.get(SEARCH_ATTRIBUTE.cost), word(SEARCH_ATTRIBUTE.currency));
  const startedAtMs = info.memo?.['startedAtMs'];
  return {
    id: info.workflowId,
    ...(agent ? { agent } : {}),
    status: statusOf(info.status.name, word(SEARCH_ATTRIBUTE.status)),
    ...(isEndReason(endReason) ? { endReason } : {}),
    ...(requestedBy ? { requestedBy } : {}),
    ...(forkedFrom ? { forkedFrom } : {}),
    ...(cost ? { cost } : {}),
    startedAtMs: typeof startedAtMs === 'number' ? startedAtMs : info.startTime.getTime(),
    ...(info.closeTime ? { closedAtMs: info.closeTime.getTime() } : {}),
    taskQueue: info.taskQueue,
  };
}

function costOf(amount: unknown, currency: string | undefined): Money | undefined {
  if (typeof amount !== 'number' || !Number.isFinite(amount) || currency === undefined) return undefined;
  return money(BigInt(Math.round(amount * NANO_UNITS)), currency);
}

function memoText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function isEndReason(text: string | undefined): text is EndReason {
  return END_REASONS.some((reason) => reason === text);
}

/** Temporal knows best whether a run has closed; how a running one stands is for the run to say. */
function statusOf(temporal: string, own: string | undefined): RunSummary['status'] {
  switch (temporal) {
    case 'RUNNING':
      // Its last steps are still to be made, or wait for a worker.
      if (own === 'ended') return 'ended';
      return isWaitingStatus(own) ? own : 'running';
    case 'TERMINATED':
      return 'terminated';
    case 'FAILED':
    case 'TIMED_OUT':
      return 'failed';
    default:
      return 'ended';
  }
}
