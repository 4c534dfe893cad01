import { inOrderOfCalls } from '../core/in-order-of-calls.ts';
import { BUILT_IN } from '../core/names.ts';
import type { DoubtView, HandOver, HeldView, OpenQuestion, Person, RunProgress, RunStatus } from '../core/run.ts';
import type { HeldItem, Item, ObservationItem, PersonItem, ReplyItem } from '../core/transcript.ts';
import { itemOf } from './trace-item.ts';
import type { TraceEntry } from './types.ts';

/** What a run wants of persons. */
export interface Standing {
  readonly status: RunStatus;
  readonly source: 'run' | 'record';
  /** Since when the run as a whole waits; absent while only calls or a question of it do. */
  readonly sinceMs?: number;
  readonly held: readonly HeldView[];
  readonly doubts: readonly DoubtView[];
  readonly question?: OpenQuestion;
  readonly heldBy?: Person;
  readonly handOver?: HandOver;
  /** Why it stopped, in one sentence. */
  readonly reason?: string;
}

/** As the run itself says. */
export function standingOfRun(progress: RunProgress): Standing {
  const { status, held = [], doubts = [], question, takenOverBy, takenOverAtMs, pausedAtMs, handOver, stops } = progress;
  const stop = STOPPED.includes(status) ? stops.at(-1) : undefined;
  const sinceMs = takenOverAtMs ?? pausedAtMs ?? stop?.atMs;
  return {
    status, source: 'run', held, doubts,
    ...(sinceMs === undefined ? {} : { sinceMs }),
    ...(stop ? { reason: stop.text } : {}),
    ...(question ? { question } : {}),
    ...(takenOverBy ? { heldBy: takenOverBy } : {}),
    ...(handOver ? { handOver } : {}),
  };
}

/** Statuses of a run whose loop has stopped. */
const STOPPED: readonly RunStatus[] = ['handed_over', 'taken_over', 'waiting_outcome'];

/**
 * As the record tells it, for runs that nobody answers for: the newest of what persons were told, and what has changed
 * since. What the run knew and no event of its history holds is not in it. `status` is that of the server's own list.
 */
export function standingOfRecord(entries: readonly TraceEntry[], status: RunStatus): Standing {
  const known = inOrderOfCalls(entries, itemOf).reduce(takeIn, NOTHING);
  const { held, question, doubts, calls: _, ...rest } = known;
  return { status, source: 'record', ...rest, held: [...held.values()], doubts: [...doubts.values()], ...(question ? { question } : {}) };
}

interface Known extends Pick<Standing, 'sinceMs' | 'heldBy' | 'handOver' | 'reason'> {
  readonly held: ReadonlyMap<string, HeldView>;
  readonly doubts: ReadonlyMap<string, DoubtView>;
  readonly question?: OpenQuestion;
  /** Calls so far: a held item has no arguments of its own where they are those of its reply. */
  readonly calls: ReadonlyMap<string, Pick<HeldView, 'args' | 'effect'>>;
}

const NOTHING: Known = { held: new Map(), doubts: new Map(), calls: new Map() };

function takeIn(known: Known, entry: TraceEntry): Known {
  if (entry.kind === 'waiting') {
    const told = (entry.held ?? []).map((view) => [view.call, view] as const);
    return { ...known, held: new Map([...known.held, ...told]), ...(entry.question ? { question: entry.question } : {}) };
  }
  return entry.kind === 'item' ? withItem(known, entry.item, entry.atMs ?? 0) : known;
}

function withItem(known: Known, item: Item, atMs: number): Known {
  switch (item.type) {
    case 'reply': return withReply(known, item, atMs);
    case 'held': return { ...known, held: new Map([...known.held, [item.call, viewOf(item, { atMs, calls: known.calls })]]) };
    case 'observation': return withObservation(known, item);
    case 'stop': return { ...withoutQuestion(known), sinceMs: atMs, reason: item.text, ...(item.handOver ? { handOver: item.handOver } : {}) };
    case 'person': return item.refused === undefined ? withDecision(known, item, atMs) : known;
    default: return known;
  }
}

/** A reply means that the run goes on. */
function withReply(known: Known, { actions }: ReplyItem, atMs: number): Known {
  const calls = actions.flatMap((action) => (action.kind === 'call' ? [[action.id, { args: action.args, ...(action.effect ? { effect: action.effect } : {}) }] as const] : []));
  const ask = actions.find((action) => action.kind === 'ask_person');
  return {
    held: known.held, doubts: known.doubts, calls: new Map([...known.calls, ...calls]),
    ...(ask ? { question: { call: ask.id, question: ask.question, askedAtMs: atMs, ...(ask.form ? { form: ask.form } : {}) } } : {}),
  };
}

function viewOf({ call, tool, facts, deadlineMs, args, orderedBy }: HeldItem, { atMs, calls }: Pick<Known, 'calls'> & { readonly atMs: number }): HeldView {
  const asked = calls.get(call);
  return {
    call, tool, args: args ?? asked?.args ?? {}, ...facts, ...(asked?.effect ? { effect: asked.effect } : {}), heldAtMs: atMs, deadlineMs, roles: [], fourEyes: false, fromRecord: true,
    ...(orderedBy ? { orderedBy } : {}),
  };
}

function withObservation(known: Known, { call, tool, status, text }: ObservationItem): Known {
  const doubts = new Map(known.doubts);
  if (status === 'unknown') doubts.set(call, { call, tool, text, ...argsOf(known, call) });
  const rest = tool === BUILT_IN.askPerson && known.question?.call === call ? withoutQuestion(known) : known;
  return { ...rest, held: without(known.held, call), doubts };
}

function argsOf({ calls }: Known, call: string): Pick<DoubtView, 'args'> {
  const asked = calls.get(call);
  return asked ? { args: asked.args } : {};
}

function withDecision(known: Known, { verb, call = '', by }: PersonItem, atMs: number): Known {
  switch (verb) {
    case 'approve': case 'reject': case 'respond': return { ...known, held: without(known.held, call) };
    // A change that needs somebody else's yes is held anew, and its item stands before that of the decision.
    case 'edit': return known;
    case 'settle': return { ...known, doubts: without(known.doubts, call) };
    case 'pause': return { ...known, sinceMs: atMs };
    case 'take-over': return { ...known, heldBy: by, sinceMs: atMs };
    case 'resume': case 'give-back': return goingOn(known);
    default: return known;
  }
}

function goingOn({ sinceMs: _, heldBy: __, handOver: ___, reason: ____, ...rest }: Known): Known {
  return rest;
}

function withoutQuestion({ question: _, ...rest }: Known): Known {
  return rest;
}

function without<T>(map: ReadonlyMap<string, T>, key: string): ReadonlyMap<string, T> {
  return new Map([...map].filter(([other]) => other !== key));
}
