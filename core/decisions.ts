import type { Applied, CallToCheck, Moment, Refused, VerbTable } from './change.ts';
import type { CheckResult } from './contract.ts';
import { CALL_VERBS, finishEdit } from './decide-call.ts';
import { finishOrder, HOLDER_VERBS, settleOrders } from './decide-holder.ts';
import { cutText } from './data-text.ts';
import { RUN_VERBS } from './decide-run.ts';
import { whoDecided } from './held-calls.ts';
import { utf8Bytes } from './json.ts';
import { SETTLE_VERB } from './settle.ts';
import { append, itemsFrom } from './state.ts';
import type { RunState } from './state.ts';
import type { Item, PersonItem } from './transcript.ts';
import type { Decision, RefusalKind, Verb, VerbOutcome, VerbPayloads } from './verbs.ts';

/** Ids remembered so that a decision that arrives again is not applied again. */
const REMEMBERED_DECISIONS = 1_000;

export interface Decided {
  readonly state: RunState;
  readonly outcome: VerbOutcome;
}

/** The decision waits for a check of arguments that a person wrote; `finishVerb` ends it. */
export interface Pending {
  readonly state: RunState;
  readonly check: CallToCheck;
}

export interface MadeDecision<V extends Verb> extends Moment {
  readonly verb: V;
  readonly payload: VerbPayloads[V];
}

/** What only adds to what the model reads waits until it has read; what decides something is always taken in. */
const WAITS_FOR_ROOM: readonly Verb[] = ['message', 'redirect', 'call', 'todo'];

const VERB_TABLE: VerbTable = { ...RUN_VERBS, ...CALL_VERBS, ...HOLDER_VERBS, ...SETTLE_VERB };

/**
 * What a decision changes: at once, in its handler. A decision that comes late or does not fit is refused with the
 * reason and is in the record all the same; the same decision sent twice is applied once.
 */
export function decideVerb<V extends Verb>(state: RunState, decision: MadeDecision<V>): Decided | Pending {
  const { verb, payload } = decision;
  const key = keyOf(verb, payload);
  if (state.decisions.includes(key)) return { state, outcome: earlierOutcome(state, { verb, payload }) };
  if (state.decisions.includes(`${key}${REFUSED}`)) return { state, outcome: earlierOutcome(state, { verb, payload, refused: 'it was refused when it came first' }) };
  if (isFull(state) && WAITS_FOR_ROOM.includes(verb)) return { state, outcome: { applied: false, because: FULL } };
  const remembered = { ...state, decisions: [...state.decisions, key].slice(-REMEMBERED_DECISIONS) };
  if (state.ended) return recorded(remembered, decision, afterTheEnd(state, payload));
  const change = VERB_TABLE[verb](remembered, payload, decision);
  return 'check' in change ? change : recorded(remembered, decision, change);
}

/** A decision's id counts for its verb and its call: one id on two calls is two decisions. */
function keyOf(verb: Verb, payload: Decision): string {
  const call = callOf(payload);
  return call === undefined ? `${verb}:${payload.id}` : `${verb}:${call}:${payload.id}`;
}

function callOf(payload: Decision): string | undefined {
  return 'call' in payload && typeof payload.call === 'string' ? payload.call : undefined;
}

/** The rest of a decision whose arguments have been checked. The run may have moved on meanwhile. */
export function finishVerb(state: RunState, decision: MadeDecision<'edit'> | MadeDecision<'call'>, result: CheckResult): Decided {
  if (state.ended) return recorded(state, decision, afterTheEnd(state, decision.payload));
  const checked = { result, nowMs: decision.nowMs };
  return recorded(state, decision, decision.verb === 'edit' ? finishEdit(state, decision.payload, checked) : finishOrder(state, decision.payload, checked));
}

function afterTheEnd(state: RunState, payload: Decision): Refused {
  const call = callOf(payload);
  const first = call === undefined ? undefined : whoDecided(state, call);
  const ended = `the run has ended (${state.stops.at(-1)?.reason})`;
  return { because: first === undefined ? ended : `${first}, and ${ended}` };
}

interface Made extends Moment {
  readonly verb: Verb;
  readonly payload: Decision;
}

/** The decision joins the transcript, with what came of it. */
function recorded(state: RunState, { verb, payload, nowMs }: Made, change: Applied | Refused): Decided {
  const isRefused = 'because' in change;
  const item: PersonItem = {
    type: 'person', verb, by: payload.by, id: payload.id, text: change.said ?? '', ...change.item,
    ...(isRefused ? { refused: change.because } : {}),
    ...(isRefused && change.kind ? { refusal: change.kind } : {}),
  };
  const outcome: VerbOutcome = isRefused ? refusal(change.because, change.kind) : { applied: true, text: change.text };
  const isKept = !isFull(state);
  // A flood of refused decisions must not fill the run: its sender is told, and the record keeps what was done.
  const items = isRefused && !isKept ? [] : [isKept ? item : { ...item, text: cutText(item.text, FULL_CHARS) }];
  const said = append(change.state ?? state, nowMs, ...items, ...(isRefused ? [] : (change.more ?? [])));
  return { state: settleOrders(isRefused ? asRefused(said, keyOf(verb, payload)) : said, nowMs), outcome };
}

/** What is kept of a person's words once the run has more of them than it can take in. */
const FULL_CHARS = 2_000;

/** Its item may be left behind at continue-as-new; a repeat must not hear that it was applied. */
function asRefused(state: RunState, key: string): RunState {
  return { ...state, decisions: state.decisions.map((one) => (one === key ? `${key}${REFUSED}` : one)) };
}

const REFUSED = ' refused';

/** A decision that is sent again is answered as it was the first time. */
function earlierOutcome({ items, held }: RunState, { verb, payload, refused }: Pick<Made, 'verb' | 'payload'> & { readonly refused?: string }): VerbOutcome {
  const { id } = payload;
  const call = callOf(payload);
  const item = items.find((one) => one.type === 'person' && one.verb === verb && one.id === id && (call === undefined || one.call === call));
  if (item?.type === 'person' && item.refused !== undefined) return refusal(item.refused, item.refusal);
  if (held.some(({ checking }) => checking?.decision === id)) return { applied: false, because: 'it is still being checked' };
  return refused === undefined ? { applied: true, text: 'This decision was taken in before.' } : { applied: false, because: refused };
}

function refusal(because: string, kind: RefusalKind | undefined): VerbOutcome {
  return { applied: false, because, ...(kind ? { kind } : {}) };
}

/** What may wait to be read: far below the limit of one payload, in which all of it travels. */
const MAX_UNREAD_BYTES = 256 * 1024;
const FULL = 'more has been sent than the run can take in before its next turn: decide what waits or let it go on, then send the rest';

function isFull(state: RunState): boolean {
  return itemsFrom(state, state.sent).reduce((sum, item) => sum + unreadBytes(item), 0) > MAX_UNREAD_BYTES;
}

/** Counted once an item: thousands of messages may come in one task, and each asks anew. */
const counted = new WeakMap<Item, number>();

function unreadBytes(item: Item): number {
  if (item.type !== 'person' && item.type !== 'held') return 0;
  const known = counted.get(item);
  if (known !== undefined) return known;
  const bytes = utf8Bytes(JSON.stringify(item));
  counted.set(item, bytes);
  return bytes;
}
