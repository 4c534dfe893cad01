import { RunExistsError } from '../client/errors.ts';
import { mapSome } from '../client/map-some.ts';
import type { CaseworkerClient, StartRequest } from '../client/types.ts';
import { isWaitingStatus } from '../core/run.ts';
import { besideWorkers, noWorkerText } from './beside-workers.ts';
import { command } from './command-name.ts';
import type { Execution } from './execute.ts';
import { EXIT, exitCodeOfResult, exitCodeOfStop, type ExitCode } from './exit-codes.ts';
import { createOutput, type Output } from './output.ts';
import { oneLine } from './plain-text.ts';
import { readTasks, type TaskRow } from './read-tasks.ts';
import { documentOf, LAST_LOOK_MS } from './report-run.ts';
import type { Session } from './session.ts';
import { answerText } from './ending-text.ts';
import { waitsAs, watchRun, type Watched } from './watch-run.ts';
import { endReasonText, statusWords } from './words.ts';

export interface RunEach {
  readonly request: Omit<StartRequest, 'task' | 'id'>;
  readonly file: string;
  readonly idColumn: string;
  readonly taskColumn: string;
  readonly detach: boolean;
  readonly waitMs?: number;
}

/** Runs watched at a time: each holds a request to the server open, of which a connection carries only so many. */
const WATCHED_AT_ONCE = 20;

/** One run a row. Rows whose run exists are not started again, so the same file can be given until all is done. */
export async function runEach(execution: Execution, each: RunEach): Promise<ExitCode> {
  const { out, interrupt } = execution;
  const all = await readTasks(each.file, { id: each.idColumn, task: each.taskColumn });
  const session = await execution.open({ worker: each.detach ? 'none' : 'if_none_polls', agent: each.request.agent });
  const rows = await startMissing(session.client, out, { request: each.request, rows: all });
  const started = rows.length < all.length ? EXIT.conflict : EXIT.ok;
  if (each.detach) {
    if (!(await session.isServedElsewhere().catch(() => true))) out.say(noWorkerText());
    return started;
  }

  const timeUp = each.waitMs === undefined ? [] : [AbortSignal.timeout(each.waitMs)];
  const signal = AbortSignal.any([interrupt.signal, ...timeUp]);
  const outcomes = await besideWorkers(session, out, { watch: () => watchRows(session, out, { rows, signal }) });
  if (out.format === 'json')
    out.value(outcomes.map(({ id, watched }) => documentOf({ id, ...session.webUiOf(id) }, watched)));
  tellWaiting(out, outcomes);
  const open = rows.length - outcomes.length;
  if (open > 0) out.say(`${await goOnText(session, open)}\nThe same command again watches them; see them: ${command('list')}`);
  if (interrupt.signal.aborted) return EXIT.interrupted;
  return open > 0 ? EXIT.timeout : worstOf([started, ...outcomes.map(({ watched }) => codeOf(watched))]);
}

interface Outcome {
  readonly id: string;
  readonly watched: Watched;
}

/** Tells of each row's run once it has ended or waits; what comes back is in the rows' order. What the signal cuts short is left out. */
async function watchRows(
  session: Session,
  out: Output,
  { rows, signal }: { readonly rows: readonly TaskRow[]; readonly signal: AbortSignal },
): Promise<readonly Outcome[]> {
  const outcomes = await mapSome(rows, WATCHED_AT_ONCE, async ({ id }): Promise<readonly Outcome[]> => {
    const watched = await outcomeOf(session.client, id, signal);
    if (signal.aborted && watched.kind !== 'ended' && watched.kind !== 'waiting') return [];
    if (out.format === 'text') out.lines([rowText(id, watched, out)]);
    if (out.format === 'jsonl') out.value(documentOf({ id, ...session.webUiOf(id) }, watched));
    return [{ id, watched }];
  });
  return outcomes.flat();
}

/** A row says how its run stands; what persons can do about all of them stands in one place. */
function tellWaiting(out: Output, outcomes: readonly Outcome[]): void {
  const waiting = outcomes.filter(({ watched }) => watched.kind === 'waiting').length;
  if (waiting > 0) out.say(`${waiting === 1 ? '1 run waits' : `${waiting} runs wait`} for a person: ${command('inbox')}`);
}

async function goOnText(session: Session, open: number): Promise<string> {
  const isServed = await session.isServedElsewhere(undefined, AbortSignal.timeout(LAST_LOOK_MS)).catch(() => false);
  const [runs, go] = open === 1 ? ['1 run', 'goes'] : [`${open} runs`, 'go'];
  return `${runs} ${go} on as ${isServed ? 'long as a worker is up.' : `soon as a worker is up: ${command('dev')}`}`;
}

interface Start {
  readonly row: TaskRow;
  readonly is: 'started' | 'there' | 'another';
}

/** The rows that have a run now. A row whose id is that of a run that was asked something else has none: its answer would be no answer. */
async function startMissing(
  client: CaseworkerClient,
  out: Output,
  { request, rows }: Pick<RunEach, 'request'> & { readonly rows: readonly TaskRow[] },
): Promise<readonly TaskRow[]> {
  const starts = await mapSome(rows, WATCHED_AT_ONCE, async (row): Promise<Start> => {
    try {
      await client.start({ ...request, ...row });
      return { row, is: 'started' };
    } catch (error) {
      if (!(error instanceof RunExistsError)) throw error;
      return { row, is: error.isAnother ? 'another' : 'there' };
    }
  });
  const those = (is: Start['is']) => starts.filter((start) => start.is === is).map(({ row }) => row);
  const there = those('there').length;
  out.say(`${those('started').length} of ${rows.length} runs started, ${there} ${there === 1 ? 'was' : 'were'} there already.`);
  const others = those('another');
  for (const { id } of others) {
    out.say(`${id}: not started, since the run with this id is of another agent or has another task. Give the row an id of its own; that run: ${command('show', id)}`);
  }
  return rows.filter((row) => !others.includes(row));
}

/** How a run stands, once it has ended or waits. It is watched in silence: traces of many runs at once help nobody. */
async function outcomeOf(client: CaseworkerClient, id: string, signal: AbortSignal): Promise<Watched> {
  const shown = await client.show(id);
  if (shown.result) return { kind: 'ended', result: shown.result };
  if (shown.progress && isWaitingStatus(shown.progress.status)) return waitsAs(shown.progress.status, shown.progress.stops.at(-1));
  return watchRun(client, { ...createOutput('json'), value: () => undefined }, { id, signal });
}

function rowText(id: string, watched: Watched, out: Output): string {
  const what = outcomeText(watched);
  return `${id}  ${oneLine(what, Math.max(40, out.style.width - id.length - 2))}`;
}

function outcomeText(watched: Watched): string {
  switch (watched.kind) {
    case 'ended': {
      const { answer, endReason } = watched.result;
      return answer === undefined ? endReasonText(endReason) : `answered: ${answerText(answer)}`;
    }
    case 'waiting':
      return watched.stop ? `waits: ${endReasonText(watched.stop.reason)}` : statusWords(watched.status);
    case 'closed':
      return `closed without a result: ${watched.how}`;
    default:
      return 'running';
  }
}

function codeOf(watched: Watched): ExitCode {
  if (watched.kind === 'ended') return exitCodeOfResult(watched.result);
  return watched.kind === 'waiting' && watched.stop ? exitCodeOfStop(watched.stop) : EXIT.noAnswer;
}

function worstOf(codes: readonly ExitCode[]): ExitCode {
  if (codes.includes(EXIT.unreachable)) return EXIT.unreachable;
  if (codes.includes(EXIT.conflict)) return EXIT.conflict;
  return codes.every((code) => code === EXIT.ok) ? EXIT.ok : EXIT.noAnswer;
}
