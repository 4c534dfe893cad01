import { setTimeout as sleep } from 'node:timers/promises';
import { RunNotFoundError, ServerUnreachableError } from './errors.ts';
import { createDecoder, type HistoryEvent } from './history-events.ts';
import { createHistoryReader, type Fact, type HistoryReader } from './history-items.ts';
import { pollHistory, type Page } from './read-history.ts';
import { pendingFailures, snapshotTrace } from './read-trace.ts';
import type { ServerAccess } from './server-access.ts';
import { entryKey, foldTrace, type TraceSources } from './trace.ts';
import type { FollowOptions, TraceEntry } from './types.ts';

/** A failed attempt that waits for its next one leaves no event: the server is asked about such this often. */
const LOOK_EVERY_MS = 1_000;
/** A server that restarts is back within this time; one that is not is reported. */
const GIVE_UP_MS = 60_000;
const PAUSE_MS = 500;

/**
 * A run's trace while it happens. A connection that breaks is taken up again where it broke: nothing is told twice,
 * nothing is left out, and no observation comes before what a person has said until then. Ends with the run, or when the
 * signal is aborted.
 */
export async function* followTrace(
  access: ServerAccess,
  id: string,
  options: FollowOptions = {},
): AsyncGenerator<TraceEntry> {
  const told = new Set((options.known ?? []).map(entryKey));
  const { sources, latest } = await snapshotTrace(access, id);
  const facts = [...sources.facts];
  yield* untold(told, { ...sources, facts });
  if (!latest) return;
  const left = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, left.signal]) : left.signal;
  try {
    for await (const more of newFacts(access, { id, ...latest }, signal)) {
      facts.push(...more);
      yield* untold(told, { ...sources, facts });
    }
  } finally {
    // A reader that stops early leaves a long poll open, which would keep the process alive.
    left.abort();
  }
}

function* untold(told: Set<string>, sources: TraceSources): Generator<TraceEntry> {
  const early = comeEarly(sources.facts);
  for (const entry of foldTrace(sources)) {
    const key = entryKey(entry);
    if (told.has(key) || early.has(key)) continue;
    told.add(key);
    yield entry;
  }
}

/**
 * Observations that history has before the word of a person that led to them: the word itself comes with the next items,
 * which are on their way unless another call of the turn still runs. A run that has closed brings no more of them.
 */
function comeEarly(facts: readonly Fact[]): ReadonlySet<string> {
  const early = new Set<string>();
  let hasSaid = false;
  for (const fact of facts) {
    if (fact.kind === 'end' || fact.kind === 'closed') return new Set();
    if (fact.kind === 'said') hasSaid = true;
    if (fact.kind === 'loose' && fact.item.type === 'observation' && hasSaid) early.add(entryKey({ kind: 'item', item: fact.item }));
    if (fact.kind === 'items') {
      hasSaid = false;
      early.clear();
    }
  }
  return early;
}

interface Position {
  readonly id: string;
  readonly runId: string;
  readonly reader: HistoryReader;
  readonly lastEventId: number;
}

/** Facts of the latest execution after `from`, and of those that continue it. */
async function* newFacts(access: ServerAccess, from: Position, signal: AbortSignal): AsyncGenerator<readonly Fact[]> {
  let position: Position | undefined = from;
  while (position && !signal.aborted) {
    let next: string | undefined;
    for await (const events of newEvents(access, position, signal)) {
      yield events.length > 0 ? await position.reader.read(events) : await lookedAt(access, position);
      next = events.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ?? next;
    }
    const reader = createHistoryReader(createDecoder(access.converter, access.namespace, from.id));
    position = next ? { id: from.id, runId: next, reader, lastEventId: 0 } : undefined;
  }
}

async function lookedAt(access: ServerAccess, position: Position): Promise<readonly Fact[]> {
  try {
    return await pendingFailures(access, position.id, position.reader);
  } catch (error) {
    if (error instanceof ServerUnreachableError || error instanceof RunNotFoundError) return [];
    throw error;
  }
}

/** Batches of events after `from` until its execution closes; an empty batch each time that nothing came for a while. */
async function* newEvents(
  access: ServerAccess,
  from: Position,
  signal: AbortSignal,
): AsyncGenerator<readonly HistoryEvent[]> {
  let last = from.lastEventId;
  let token: Uint8Array | undefined;
  for (;;) {
    const page: Page | undefined = yield* pageOrLooks(patientPoll(access, { ...from, token }, signal), signal);
    if (!page) return;
    const events = page.events.filter((event) => Number(event.eventId) > last);
    last = Number(events.at(-1)?.eventId ?? last);
    if (events.length > 0) yield events;
    if (!page.next) return;
    token = page.next;
  }
}

/** Waits for a page and yields an empty batch now and then meanwhile; no page when the signal is aborted. */
async function* pageOrLooks(
  page: Promise<Page | undefined>,
  signal: AbortSignal,
): AsyncGenerator<readonly HistoryEvent[], Page | undefined> {
  const outcome = page.then((value) => ({ value }));
  // The outcome is awaited below; when the caller leaves in between, its failure must not go unheard.
  outcome.catch(() => undefined);
  for (;;) {
    const come = await within(outcome, LOOK_EVERY_MS);
    if (come) return come.value;
    if (signal.aborted) return undefined;
    yield [];
  }
}

/** What a promise brings, or nothing when it takes longer than that. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** One poll, tried again while the server is away; no page when the signal is aborted. */
async function patientPoll(
  access: ServerAccess,
  from: { readonly id: string; readonly runId: string; readonly token: Uint8Array | undefined },
  signal: AbortSignal,
): Promise<Page | undefined> {
  const deadline = Date.now() + GIVE_UP_MS;
  let token = from.token;
  while (!signal.aborted) {
    try {
      return await pollHistory(access, { ...from, token }, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!(error instanceof ServerUnreachableError) || Date.now() > deadline) throw error;
      // A server that was restarted may not know the page any more; events that were read are left out by their number.
      token = undefined;
      await pause(PAUSE_MS, signal);
    }
  }
  return undefined;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  // An abort only ends the pause early: the loop around it looks at the signal itself.
  return sleep(ms, undefined, { signal }).catch(() => undefined);
}
