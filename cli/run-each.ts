import { RunExistsError } from '../client/errors.ts';
import type { CaseworkerClient, StartRequest } from '../client/types.ts';
import { besideWorkers, noWorkerText } from './beside-workers.ts';
import { command } from './command-name.ts';
import type { Execution } from './execute.ts';
import { EXIT, exitCodeOfResult, exitCodeOfStop, type ExitCode } from './exit-codes.ts';
import { createOutput, type Output } from './output.ts';
import { oneLine } from './plain-text.ts';
import { readTasks, type TaskRow } from './read-tasks.ts';
import { documentOf } from './report-run.ts';
import type { Session } from './session.ts';
import { answerText } from './ending-text.ts';
import { watchRun, type Watched } from './watch-run.ts';
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
  const rows = await readTasks(each.file, { id: each.idColumn, task: each.taskColumn });
  const session = await execution.open({ worker: each.detach ? 'none' : 'if_none_polls', agent: each.request.agent });
  const started = await startMissing(session.client, each.request, rows);
  out.say(`${started} of ${rows.length} runs started, ${rows.length - started} were there already.`);
  if (each.detach) {
    if (!(await session.isServedElsewhere().catch(() => true))) out.say(noWorkerText());
    return EXIT.ok;
  }

  const timeUp = each.waitMs === undefined ? [] : [AbortSignal.timeout(each.waitMs)];
  const signal = AbortSignal.any([interrupt.signal, ...timeUp]);
  const outcomes = await besideWorkers(session, out, () => watchRows(session, out, { rows, signal }));
  if (out.format === 'json')
    out.value(outcomes.map(({ id, watched }) => documentOf({ id, ...session.webUiOf(id) }, watched)));
  const open = rows.length - outcomes.length;
  if (open > 0) out.say(`${await goOnText(session, open)}\nThe same command again watches them; see them: ${command('list')}`);
  if (interrupt.signal.aborted) return EXIT.interrupted;
  return open > 0 ? EXIT.timeout : worstOf(outcomes.map(({ watched }) => codeOf(watched)));
}

interface Outcome {
  readonly id: string;
  readonly watched: Watched;
}

/** Tells of each row's run once it has ended or waits. What the signal cuts short is left out. */
async function watchRows(
  session: Session,
  out: Output,
  { rows, signal }: { readonly rows: readonly TaskRow[]; readonly signal: AbortSignal },
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  await inParallel(rows, WATCHED_AT_ONCE, async ({ id }) => {
    const watched = await outcomeOf(session.client, id, signal);
    if (signal.aborted && watched.kind !== 'ended' && watched.kind !== 'waiting') return;
    outcomes.push({ id, watched });
    if (out.format === 'text') out.lines([rowText(id, watched, out)]);
    if (out.format === 'jsonl') out.value(documentOf({ id, ...session.webUiOf(id) }, watched));
  });
  return outcomes;
}

async function goOnText(session: Session, open: number): Promise<string> {
  const isServed = await session.isServedElsewhere().catch(() => false);
  const [runs, go] = open === 1 ? ['1 run', 'goes'] : [`${open} runs`, 'go'];
  return `${runs} ${go} on as ${isServed ? 'long as a worker is up.' : `soon as a worker is up: ${command('dev')}`}`;
}

async function startMissing(
  client: CaseworkerClient,
  request: RunEach['request'],
  rows: readonly TaskRow[],
): Promise<number> {
  let started = 0;
  await inParallel(rows, WATCHED_AT_ONCE, async ({ id, task }) => {
    try {
      await client.start({ ...request, id, task });
      started += 1;
    } catch (error) {
      if (!(error instanceof RunExistsError)) throw error;
    }
  });
  return started;
}

/** How a run stands, once it has ended or waits. It is watched in silence: traces of many runs at once help nobody. */
async function outcomeOf(client: CaseworkerClient, id: string, signal: AbortSignal): Promise<Watched> {
  const shown = await client.show(id);
  if (shown.result) return { kind: 'ended', result: shown.result };
  if (shown.progress && shown.progress.status !== 'running') {
    const stop = shown.progress.stops.at(-1);
    return { kind: 'waiting', status: shown.progress.status, ...(stop ? { stop } : {}) };
  }
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
  return codes.every((code) => code === EXIT.ok) ? EXIT.ok : EXIT.noAnswer;
}

async function inParallel<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const one = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, one));
}
