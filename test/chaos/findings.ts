import type { Client } from '@temporalio/client';
import type { CaseworkerClient, EffectLine, ShownRun, TraceEntry } from '../../client/types.ts';
import { failedWorkflowTasks } from '../support/histories.ts';
import type { History } from '../support/histories.ts';
import type { Auditor, LedgerLine } from './auditor.ts';
import type { Case } from './cases.ts';
import type { Flights } from './flights.ts';
import type { ModelFront } from './model-front.ts';
import type { Persons, SentDecision } from './persons.ts';
import type { Runs } from './runs.ts';

/** What was found afterwards: figures, and each thing that must never be. */
export interface Findings {
  readonly runs: number;
  readonly answered: number;
  readonly idempotentRuns: number;
  readonly idempotentAnswered: number;
  readonly withAPerson: number;
  /** Why each run that did not answer stopped. */
  readonly unanswered: readonly string[];
  readonly effects: Readonly<Record<string, number>>;
  readonly ledgerLines: number;
  readonly twice: number;
  readonly lost: number;
  /** Calls that came again under a key that the other side knew. */
  readonly repeats: number;
  readonly replies: number;
  readonly turns: number;
  readonly inFlight: number;
  readonly executions: number;
  readonly decisions: Readonly<Record<string, number>>;
  readonly violations: readonly string[];
}

export interface FindingsParts {
  readonly client: CaseworkerClient;
  readonly temporal: Client;
  readonly auditor: Auditor;
  readonly front: ModelFront;
  readonly runs: Runs;
  readonly persons: Persons;
  readonly flights: Flights;
}

/** With tools that may be sent again at least this part of the runs must have answered; of a few, all but one. */
const LEAST_ANSWERED = 0.95;

interface Seen {
  readonly one: Case;
  readonly shown: ShownRun;
  readonly effects: readonly EffectLine[];
  readonly entries: readonly TraceEntry[];
  readonly failedTasks: readonly string[];
  /** Model calls that took more than one attempt, with what the server last knew of those before. */
  readonly lostThinks: readonly string[];
  readonly executions: number;
}

export async function findings(parts: FindingsParts): Promise<Findings> {
  const { client, temporal, auditor, front, runs, persons, flights } = parts;
  const seen: Seen[] = [];
  for (const one of runs.cases()) {
    const [shown, { effects }, { entries }, chain] = await Promise.all([
      client.show(one.id), client.effects(one.id), client.trace(one.id), taskFailures(temporal, one.id),
    ]);
    seen.push({ one, shown, effects, entries, ...chain });
  }
  const ledger = auditor.ledger();
  const replies = front.replies();
  const answered = seen.filter(isAnswered);
  const idempotent = seen.filter(({ one }) => one.isIdempotent);
  const idempotentAnswered = idempotent.filter(isAnswered).length;
  const twice = doneTwice(ledger);
  const lost = seen.flatMap((run) => lostEffects(run, ledger));
  return {
    runs: seen.length,
    answered: answered.length,
    idempotentRuns: idempotent.length,
    idempotentAnswered,
    withAPerson: seen.filter(({ shown }) => shown.result === undefined).length,
    unanswered: seen.filter((run) => !isAnswered(run)).map(whyUnanswered),
    effects: counted(seen.flatMap(({ effects }) => effects.map(({ outcome }) => outcome))),
    ledgerLines: ledger.length,
    twice: twice.length,
    lost: lost.length,
    repeats: auditor.repeats(),
    replies: sum([...replies.values()]),
    turns: sum(seen.map(turnsOf)),
    inFlight: sum(seen.map(({ one }) => flights.lost(one.id))),
    executions: sum(seen.map(({ executions }) => executions)),
    decisions: counted(persons.sent().map(({ outcome }) => outcome)),
    violations: [
      ...twice.map((effect) => `twice: ${effect}`),
      ...lost.map((effect) => `lost: ${effect}`),
      ...seen.flatMap((run) => bookkeeping(run, ledger)),
      ...seen.flatMap(notApproved),
      ...seen.flatMap(withoutReason),
      ...seen.flatMap(({ one, failedTasks }) => failedTasks.map((failure) => `failed workflow task in ${one.id}: ${failure}`)),
      ...seen.flatMap((run) => tooManyReplies(run, { front, flights })),
      ...seen.flatMap((run) => decisionProblems(run, persons.sent())),
      ...(idempotentAnswered < Math.min(idempotent.length * LEAST_ANSWERED, idempotent.length - 1) ? [`only ${idempotentAnswered} of ${idempotent.length} runs with idempotent tools answered`] : []),
    ],
  };
}

async function taskFailures({ workflow }: Client, id: string): Promise<Pick<Seen, 'failedTasks' | 'lostThinks' | 'executions'>> {
  const failedTasks: string[] = [];
  const lostThinks: string[] = [];
  let executions = 0;
  let runId: string | undefined;
  do {
    const history = await workflow.getHandle(id, runId).fetchHistory();
    failedTasks.push(...failedWorkflowTasks(history));
    lostThinks.unshift(...repeatedThinks(history));
    executions += 1;
    runId = history.events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined;
  } while (runId !== undefined);
  return { failedTasks, lostThinks, executions };
}

function repeatedThinks({ events }: History): readonly string[] {
  const ids = new Map((events ?? []).map(({ eventId, activityTaskScheduledEventAttributes: scheduled }) => [String(eventId), scheduled?.activityId ?? '']));
  return (events ?? []).flatMap(({ activityTaskStartedEventAttributes: started }) => {
    const id = ids.get(String(started?.scheduledEventId)) ?? '';
    if (!started?.lastFailure || !id.startsWith('think')) return [];
    return [`${id} attempt ${started.attempt} after: ${started.lastFailure.message}`];
  });
}

function isAnswered({ shown }: Seen): boolean {
  return shown.result?.endReason === 'final_answer';
}

function whyUnanswered({ one, shown }: Seen): string {
  const stop = (shown.result?.stops ?? shown.progress?.stops ?? []).at(-1);
  return `${one.id}: ${stop ? `${stop.reason} (${stop.detail ?? '-'}) ${stop.text.slice(0, 200)}` : shown.summary.status}`;
}

function turnsOf({ shown }: Seen): number {
  return shown.result?.usage.turns ?? shown.progress?.usage.turns ?? 0;
}

function doneTwice(ledger: readonly LedgerLine[]): readonly string[] {
  const times = Object.entries(counted(ledger.map(({ effect }) => effect)));
  return times.flatMap(([effect, count]) => (count > 1 ? [`${effect} is in the ledger ${count} times`] : []));
}

/** What a run that answered was asked to do, or what a run says was done, and the world does not know. */
function lostEffects(run: Seen, ledger: readonly LedgerLine[]): readonly string[] {
  const done = new Set(ledger.map(({ effect }) => effect));
  const promised = isAnswered(run) ? run.one.effects : [];
  const told = run.effects.flatMap(({ outcome, args }) => (outcome === 'ok' ? [effectOf(args)] : []));
  return [...new Set([...promised, ...told])].filter((effect) => !done.has(effect)).map((effect) => `${effect} of ${run.one.id}: ${whatBecameOf(effect, run)}`);
}

/** What the trace says of the calls that name an effect. */
function whatBecameOf(effect: string, { entries }: Seen): string {
  const items = entries.flatMap((entry) => (entry.kind === 'item' ? [entry.item] : []));
  const calls = items.flatMap((item) => (item.type === 'reply' ? item.actions : [])).filter((action) => JSON.stringify(action).includes(`"${effect}"`)).map(({ id }) => id);
  return items.flatMap((item) => (item.type === 'observation' && calls.includes(item.call) ? [`${item.call} ${item.status} ${item.text.slice(0, 200)}`] : [])).join('; ');
}

/** Each line of the ledger has exactly one line in the run's record, done or in doubt. */
function bookkeeping({ one, effects }: Seen, ledger: readonly LedgerLine[]): readonly string[] {
  return ledger.filter(({ effect }) => effect.startsWith(`${one.id}-e`)).flatMap(({ effect }) => {
    const lines = effects.filter((line) => effectOf(line.args) === effect && (line.outcome === 'ok' || line.outcome === 'unknown'));
    return lines.length === 1 ? [] : [`${effect} has ${lines.length} lines in the record of effects: ${JSON.stringify(effects.filter((line) => effectOf(line.args) === effect))}`];
  });
}

function effectOf(args: EffectLine['args']): string {
  return typeof args.effect === 'string' ? args.effect : '';
}

/** What needs a person's yes has one in the record. */
function notApproved({ one, effects }: Seen): readonly string[] {
  return effects.filter(({ tool, outcome, approvedBy }) => tool === 'sign' && outcome !== 'held' && !approvedBy).map(({ call }) => `${call} of ${one.id} ran without a yes in the record`);
}

/** A run that neither ended nor waits for a person with a reason is stuck. */
function withoutReason({ one, shown }: Seen): readonly string[] {
  const { result, progress, summary } = shown;
  if (result?.endReason !== undefined) return [];
  if (progress?.status === 'handed_over' || progress?.status === 'waiting_outcome') {
    return progress.stops.at(-1)?.text ? [] : [`${one.id} waits without a reason`];
  }
  return [`${one.id} neither ended nor waits: ${progress?.status ?? summary.status}, turn ${progress?.turn ?? '?'}`];
}

/** A reply that was recorded is never asked for again; only what was in flight at a fault may be. */
function tooManyReplies(run: Seen, { front, flights }: Pick<FindingsParts, 'front' | 'flights'>): readonly string[] {
  const { id } = run.one;
  const replies = front.replies().get(id) ?? 0;
  const lost = flights.lost(id);
  if (replies <= turnsOf(run) + lost) return [];
  const said = `${id} got ${replies} model replies for ${turnsOf(run)} turns and ${lost} calls in flight`;
  return [`${said}: ${asked(id, { front, flights })}; ${run.lostThinks.join(', ')}`];
}

/** Who asked for each reply and when, and who of them was killed: whether a dead worker was to blame, or a starved one. */
function asked(run: string, { front, flights }: Pick<FindingsParts, 'front' | 'flights'>): string {
  const calls = front.calls(run);
  const since = (ms: number) => `${((ms - (calls[0]?.atMs ?? ms)) / 1_000).toFixed(1)} s`;
  return calls.map(({ worker, atMs, answeredMs }) => {
    const killedMs = flights.killedMs(worker);
    return `${worker} at ${since(atMs)} ${answeredMs === undefined ? 'in vain' : `until ${since(answeredMs)}`}${killedMs === undefined ? '' : `, killed at ${since(killedMs)}`}`;
  }).join('; ');
}

function decisionProblems({ one, entries }: Seen, sent: readonly SentDecision[]): readonly string[] {
  const applied = counted(entries.flatMap((entry) => (entry.kind === 'item' && entry.item.type === 'person' ? [entry.item.id] : [])));
  return sent.filter(({ run }) => run === one.id).flatMap(({ id, outcome }) => {
    const times = applied[id] ?? 0;
    if (times > 1) return [`decision ${id} is ${times} times in the trace of ${one.id}`];
    return outcome === 'applied' && times === 0 ? [`decision ${id} was applied and is not in the trace of ${one.id}`] : [];
  });
}

function counted(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
