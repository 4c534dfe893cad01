import { randomUUID } from 'node:crypto';
import { currentGoal } from '../core/current-goal.ts';
import type { Person } from '../core/run.ts';
import type { Item } from '../core/transcript.ts';
import { UsageError } from './errors.ts';
import { readTrace } from './read-trace.ts';
import type { ServerAccess } from './server-access.ts';
import { startRun } from './start-run.ts';
import type { ForkRequest, StartedRun, Trace } from './types.ts';

/**
 * Starts a new run that begins where another one stood after a turn. Nothing of the parent changes, and nothing that
 * the copied turns did is done again. Needs no worker to be prepared.
 * @throws UsageError when the turn is not there or not finished, RunNotFoundError, RunExistsError
 */
export async function forkRun(access: ServerAccess, parentId: string, request: ForkRequest): Promise<StartedRun> {
  const { atTurn, goal, id, requestedBy, limits } = request;
  const trace = await readTrace(access, parentId);
  const { task, copied } = prefix(trace, atTurn);
  const then = currentGoal([task, ...copied]);
  return startRun(access, {
    agent: task.agent.name,
    task: goal ?? then.goal,
    constraints: then.constraints,
    form: task.agent.form,
    ...(id === undefined ? {} : { id }),
    ...(requestedBy ? { requestedBy } : {}),
    ...(limits ? { limits } : {}),
    fork: { parent: { id: parentId, ...(trace.firstRunId ? { firstRunId: trace.firstRunId } : {}), ...(task.by ? { requestedBy: task.by.name } : {}) }, turn: atTurn, items: [...copied, ...ownGoal(request, copied)] },
  });
}

/** The copied turns may name a goal that a person set in the parent: behind them the fork's own one has the last word. */
function ownGoal({ goal, requestedBy }: ForkRequest, copied: readonly Item[]): readonly Item[] {
  const named = currentGoal(copied).goal;
  if (goal === undefined || named === '' || named === goal) return [];
  return [{ type: 'person', verb: 'redirect', by: requestedBy ?? UNNAMED, id: randomUUID(), text: goal, goal }];
}

const UNNAMED: Person = { name: 'whoever made this fork', verified: false };

type TaskItem = Extract<Item, { type: 'task' }>;

function prefix({ id, entries }: Trace, atTurn: number): { readonly task: TaskItem; readonly copied: readonly Item[] } {
  const items: Item[] = [];
  for (const entry of entries) {
    if (entry.kind === 'missing' || entry.kind === 'unknown_item') {
      if (!isWhole(items, atTurn)) throw new UsageError(`Part of "${id}" before the end of turn ${atTurn} cannot be read any more, so it cannot be copied.`);
      break;
    }
    if (entry.kind === 'item') items.push(entry.item);
  }
  const [task, ...rest] = items;
  const end = lastOf(rest, atTurn);
  if (task?.type !== 'task' || end === undefined) throw new UsageError(`"${id}" has no finished turn ${atTurn}; ${finishedText(rest)}.`);
  return { task, copied: rest.slice(0, end + 1) };
}

function finishedText(items: readonly Item[]): string {
  const turns = items.flatMap((item) => (item.type === 'reply' && lastOf(items, item.turn) !== undefined ? [item.turn] : []));
  return turns.length === 0 ? 'none of it is finished yet' : `those that are finished: ${turns[0]}${turns.length > 1 ? ` to ${turns.at(-1)}` : ''}`;
}

function isWhole(items: readonly Item[], turn: number): boolean {
  return items.some((item) => item.type === 'reply' && item.turn > turn);
}

/** Where the last result of a turn stands, or what became of one; nothing when an action of it has no result yet. */
function lastOf(items: readonly Item[], turn: number): number | undefined {
  const reply = items.find((item) => item.type === 'reply' && item.turn === turn);
  if (reply?.type !== 'reply') return undefined;
  const next = items.findIndex((item) => item.type === 'reply' && item.turn > turn);
  const own = next < 0 ? items : items.slice(0, next);
  const seen = new Set(own.flatMap((item) => (item.type === 'observation' ? [item.call] : [])));
  if (reply.actions.some(({ id }) => !seen.has(id))) return undefined;
  return own.findLastIndex((item) => item.type === 'observation' || (item.type === 'person' && item.outcome !== undefined && item.refused === undefined));
}
