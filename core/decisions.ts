import type { Applied, CallToCheck, Moment, Refused, VerbTable } from './change.ts';
import type { CheckResult } from './contract.ts';
import { CALL_VERBS, finishEdit } from './decide-call.ts';
import { finishOrder, HOLDER_VERBS, settleOrders } from './decide-holder.ts';
import { RUN_VERBS } from './decide-run.ts';
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

/** What empties a full inbox, or ends the need for one, is always taken in. */
const LETS_GO_ON: readonly Verb[] = ['cancel', 'resume', 'give-back', 'approve', 'reject', 'answer', 'settle'];

const VERB_TABLE: VerbTable = { ...RUN_VERBS, ...CALL_VERBS, ...HOLDER_VERBS, ...SETTLE_VERB };

/**
 * What a decision changes: at once, in its handler. A decision that comes late or does not fit is refused with the
 * reason and is in the record all the same; the same decision sent twice is applied once.
 */
export function decideVerb<V extends Verb>(state: RunState, decision: MadeDecision<V>): Decided | Pending {
  const { verb, payload } = decision;
  const key = `${verb}:${payload.id}`;
  if (state.decisions.includes(key)) return { state, outcome: earlierOutcome(state, verb, payload.id) };
  if (isFull(state) && !LETS_GO_ON.includes(verb)) return { state, outcome: { applied: false, because: FULL } };
  const remembered = { ...state, decisions: [...state.decisions, key].slice(-REMEMBERED_DECISIONS) };
  if (state.ended) return recorded(remembered, decision, afterTheEnd(state));
  const change = VERB_TABLE[verb](remembered, payload, decision);
  return 'check' in change ? change : recorded(remembered, decision, change);
}

/** The rest of a decision whose arguments have been checked. The run may have moved on meanwhile. */
export function finishVerb(state: RunState, decision: MadeDecision<'edit'> | MadeDecision<'call'>, result: CheckResult): Decided {
  if (state.ended) return recorded(state, decision, afterTheEnd(state));
  const checked = { result, nowMs: decision.nowMs };
  return recorded(state, decision, decision.verb === 'edit' ? finishEdit(state, decision.payload, checked) : finishOrder(state, decision.payload, checked));
}

function afterTheEnd({ stops }: RunState): Refused {
  return { because: `the run has ended (${stops.at(-1)?.reason})` };
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
  const said = append(change.state ?? state, nowMs, item, ...(isRefused ? [] : (change.more ?? [])));
  return { state: settleOrders(said, nowMs), outcome };
}

/** A decision that is sent again is answered as it was the first time. */
function earlierOutcome({ items }: RunState, verb: Verb, id: string): VerbOutcome {
  const item = items.find((one) => one.type === 'person' && one.verb === verb && one.id === id);
  if (item?.type === 'person' && item.refused !== undefined) return refusal(item.refused, item.refusal);
  return { applied: true, text: 'This decision was taken in before.' };
}

function refusal(because: string, kind: RefusalKind | undefined): VerbOutcome {
  return { applied: false, because, ...(kind ? { kind } : {}) };
}

/** What persons may say before the run reads it: far below the limit of one payload, in which all of it travels. */
const MAX_UNREAD_CHARS = 256 * 1024;
const FULL = 'more has been sent than the run can take in at once: let it go on (resume), then send the rest';

function isFull(state: RunState): boolean {
  const unread = itemsFrom(state, state.sent);
  return unread.reduce((sum, item) => sum + unreadChars(item), 0) > MAX_UNREAD_CHARS;
}

function unreadChars(item: Item): number {
  if (item.type === 'held') return PERSON_CHARS + JSON.stringify(item.args ?? {}).length;
  if (item.type !== 'person') return 0;
  return item.text.length + PERSON_CHARS + (item.args ? JSON.stringify(item.args).length : 0);
}

/** Names, ids and times of one decision. */
const PERSON_CHARS = 500;
