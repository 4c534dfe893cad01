import { randomUUID } from 'node:crypto';
import proto from '@temporalio/proto';
import type { temporal } from '@temporalio/proto';
import { ownQueue } from '../caseworker/own-queue.ts';
import { collectSamples, measures } from '../figures.ts';
import { cpuMs } from '../process-figures.ts';
import { startTcpMeter } from '../tcp-meter.ts';
import type { Part, PartContext } from './part.ts';

type Event = temporal.api.history.v1.IHistoryEvent;
const { HistoryEvent } = proto.temporal.api.history.v1;

const UNITS = { 'ms a turn': 'ms', 'worker CPU a turn': 'ms', 'gRPC a turn': 'kB', 'history a turn': 'kB', 'events a turn': '' };
type Figures = Readonly<Record<keyof typeof UNITS, number | undefined>>;

/** The turns that are set against each other, around the 20th and up to the 200th. */
const WINDOWS = { early: [10, 30], late: [180, 200] } as const;
const SHORT_WINDOWS = { early: [2, 4], late: [6, 8] } as const;

/** Does a turn late in a long run cost what an early one costs? */
export const flat: Part = async (context) => {
  const samples = collectSamples();
  const windows = context.isShort ? SHORT_WINDOWS : WINDOWS;
  const [early, late] = [nameOf(windows.early), nameOf(windows.late)];
  for (let round = 1; round <= context.rounds; round += 1) {
    context.report(`flat: round ${round} of ${context.rounds}`);
    const found = await measured(context, [windows.early, windows.late]);
    for (const [i, name] of [early, late].entries()) for (const [figure, value] of Object.entries(found[i] ?? {})) samples.add(name, figure, value);
  }
  return { measures: measures(samples, { part: 'flat', units: UNITS, against: (subject) => (subject === late ? [early] : []) }) };
};

function nameOf([from, to]: readonly [number, number]): string {
  return `turns ${from + 1} to ${to}`;
}

async function measured({ ground }: PartContext, windows: readonly (readonly [number, number])[]): Promise<readonly Figures[]> {
  const meter = await startTcpMeter(ground.place.cluster.address);
  const queue = ownQueue(ground);
  const worker = await queue.startWorker({ address: meter.address });
  await (await queue.start({ key: `warm-${randomUUID()}`, turns: 10 })).result();
  const key = `flat-${randomUUID()}`;
  const run = await queue.start({ key, turns: windows.at(-1)?.[1] ?? 0 });
  const found: Omit<Figures, 'history a turn' | 'events a turn'>[] = [];
  for (const [from, to] of windows) {
    const look = async (count: number) => {
      const seen = await ground.model.until(key, (requests) => requests.length > count);
      return { atMs: seen[count]?.atMs ?? NaN, cpu: cpuMs(worker.pid), bytes: meter.bytes() };
    };
    const [before, after] = [await look(from), await look(to)];
    const turns = to - from;
    const cpu = before.cpu === undefined || after.cpu === undefined ? undefined : (after.cpu - before.cpu) / turns;
    found.push({ 'ms a turn': (after.atMs - before.atMs) / turns, 'worker CPU a turn': cpu, 'gRPC a turn': (after.bytes - before.bytes) / turns / 1_000 });
  }
  await run.result();
  await worker.stop();
  await meter.close();
  const events = await allEvents(ground, key);
  return windows.map((window, i) => ({ ...(found[i] ?? { 'ms a turn': NaN, 'worker CPU a turn': NaN, 'gRPC a turn': NaN }), ...historyOf(events, window) }));
}

async function allEvents({ client: { workflow } }: PartContext['ground'], id: string): Promise<readonly Event[]> {
  const { raw } = await workflow.getHandle(id).describe();
  const all: Event[] = [];
  for (let runId = raw.workflowExecutionInfo?.firstRunId; runId; ) {
    const { events } = await workflow.getHandle(id, runId).fetchHistory();
    all.push(...(events ?? []));
    runId = events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
  }
  return all;
}

/** A turn is everything from the moment that its model call is scheduled to the next one's. */
function historyOf(events: readonly Event[], [from, to]: readonly [number, number]): Pick<Figures, 'history a turn' | 'events a turn'> {
  const starts = events.flatMap((event, i) => (event.activityTaskScheduledEventAttributes?.activityType?.name === 'think' ? [i] : []));
  const within = events.slice(starts[from], starts[to]);
  const bytes = within.reduce((sum, event) => sum + HistoryEvent.encode(event).finish().length, 0);
  return { 'history a turn': bytes / (to - from) / 1_000, 'events a turn': within.length / (to - from) };
}
