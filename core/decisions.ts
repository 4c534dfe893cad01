import { affordableAttempts } from './budget.ts';
import type { Limits } from './agent.ts';
import type { LimitsInput } from './run.ts';
import { append, FRESH_PROGRESS, itemsFrom } from './state.ts';
import type { RunState } from './state.ts';
import type { ItemBody, PersonItem } from './transcript.ts';
import type { Verb, VerbOutcome, VerbPayloads } from './verbs.ts';

/** Ids remembered so that a decision that arrives again is not applied again. */
const REMEMBERED_DECISIONS = 1_000;

export interface Decided {
  readonly state: RunState;
  readonly outcome: VerbOutcome;
}

/**
 * What a decision changes: at once, in its handler. A decision that comes late or does not fit is refused with the
 * reason and is in the record all the same; the same decision sent twice is applied once.
 */
export function decideVerb<V extends Verb>(
  state: RunState,
  decision: { readonly verb: V; readonly payload: VerbPayloads[V]; readonly nowMs: number },
): Decided {
  const { verb, payload, nowMs } = decision;
  const key = `${verb}:${payload.id}`;
  if (state.decisions.includes(key)) return { state, outcome: earlierOutcome(state, verb, payload.id) };
  if (isFull(state) && verb !== 'cancel' && verb !== 'resume') return { state, outcome: { applied: false, because: FULL } };
  const remembered = { ...state, decisions: [...state.decisions, key].slice(-REMEMBERED_DECISIONS) };
  const change = state.ended ? { because: `the run has ended (${state.stops.at(-1)?.reason})` } : VERB_TABLE[verb](remembered, payload);
  const item: PersonItem = {
    type: 'person', verb, by: payload.by, id: payload.id, text: change.said ?? '',
    ...('because' in change ? { refused: change.because } : change.item),
  };
  const before = 'because' in change ? remembered : change.state;
  const outcome: VerbOutcome = 'because' in change ? { applied: false, because: change.because } : { applied: true, text: change.text };
  return { state: append(before, nowMs, item, ...('because' in change ? [] : (change.more ?? []))), outcome };
}

/** A decision that is sent again is answered as it was the first time. */
function earlierOutcome({ items }: RunState, verb: Verb, id: string): VerbOutcome {
  const item = items.find((one) => one.type === 'person' && one.verb === verb && one.id === id);
  if (item?.type === 'person' && item.refused !== undefined) return { applied: false, because: item.refused };
  return { applied: true, text: 'This decision was taken in before.' };
}

/** What persons may say before the run reads it: far below the limit of one payload, in which all of it travels. */
const MAX_UNREAD_CHARS = 256 * 1024;
const FULL = 'more has been sent than the run can take in at once: let it go on (resume), then send the rest';

function isFull(state: RunState): boolean {
  const unread = itemsFrom(state, state.sent);
  return unread.reduce((sum, item) => sum + (item.type === 'person' ? item.text.length + PERSON_CHARS : 0), 0) > MAX_UNREAD_CHARS;
}

/** Names, ids and times of one decision. */
const PERSON_CHARS = 500;

type Change =
  | {
      readonly state: RunState;
      /** What the person is told. */
      readonly text: string;
      /** What the person said, for transcript and model. */
      readonly said?: string;
      readonly item?: Partial<Pick<PersonItem, 'call' | 'goal' | 'constraints'>>;
      readonly more?: readonly ItemBody[];
    }
  | { readonly because: string; readonly said?: string };

type VerbTable = { readonly [V in Verb]: (state: RunState, payload: VerbPayloads[V]) => Change };

const VERB_TABLE: VerbTable = {
  cancel(state, { reason, by }) {
    if (state.cancel) return { said: reason, because: 'the run is already being cancelled' };
    if (isAnswered(state)) return { said: reason, because: 'the run has already answered' };
    const cancel = { reason: 'cancelled', text: `Cancelled by ${by.name}: ${reason}`, by } as const;
    return { state: { ...state, cancel }, said: reason, text: 'The run is cancelled: nothing more is started.' };
  },

  pause(state, { reason = '' }) {
    if (state.stopped) return { said: reason, because: 'the run has already stopped and waits for a person' };
    if (state.paused) return { said: reason, because: 'the run is already paused' };
    return { state: { ...state, paused: true }, said: reason, text: 'The run is paused: calls in flight end, nothing more is started.' };
  },

  resume(state, { note = '', goal, limits }) {
    if (state.cancel) return { said: note, because: 'the run is being cancelled' };
    if (isAnswered(state)) return { said: note, because: 'the run has already its answer' };
    if (!state.stopped && !state.paused) return { said: note, because: 'the run is neither paused nor stopped' };
    const otherMoney = budgetMismatch(state, limits);
    if (otherMoney) return { said: note, because: otherMoney };
    const raised = withRaisedLimits(state, limits);
    const still = state.stopped ? stillExhausted(raised) : undefined;
    if (still) return { said: note, because: still };
    const { stopped: _, ending: __, ...rest } = raised;
    const resumed: RunState = { ...rest, paused: false, countersAtResume: state.counters, progress: FRESH_PROGRESS, goal: goal ?? state.goal };
    return { state: resumed, said: note, text: 'The run goes on.', item: goal === undefined ? {} : { goal } };
  },

  resolve(state, { answer, by }) {
    const said = typeof answer === 'string' ? answer : JSON.stringify(answer);
    if (isAnswered(state)) return { said, because: 'the run has already answered' };
    if (!state.stopped) return { said, because: 'the run has not stopped: it can be resolved once it is handed over, or cancelled now' };
    const ending = { ...state.stopped, text: `Resolved by ${by.name}.`, answer, by };
    return { state: { ...state, ending }, said, text: 'The run is resolved and ends with this answer.' };
  },

  message(state, { text }) {
    return { state: { ...state, progress: { ...state.progress, idle: 0 } }, said: text, text: 'The run reads it before its next turn.' };
  },

  redirect(state, { goal, constraints }) {
    const next = { ...state, goal: goal ?? state.goal, constraints: constraints ?? state.constraints };
    return {
      state: { ...next, progress: { ...state.progress, idle: 0 } },
      text: 'The run follows this from its next turn on.',
      said: goal ?? `Constraints: ${(constraints ?? []).join('; ')}`,
      item: { ...(goal === undefined ? {} : { goal }), ...(constraints === undefined ? {} : { constraints }) },
    };
  },

  answer(state, { call, text }) {
    const { question } = state;
    if (!question) return { said: text, because: 'no question is open' };
    if (call !== undefined && call !== question.call) return { said: text, because: `question ${call} is not open; ${question.call} is` };
    const { question: _, ...answered } = state;
    return {
      state: answered,
      said: text,
      text: `Question ${question.call} is answered.`,
      item: { call: question.call },
      more: [{ type: 'observation', call: question.call, tool: 'ask_person', status: 'ok', text, seen: [], hash: `answer:${text}`, ms: 0 }],
    };
  },
};

function isAnswered({ ending }: RunState): boolean {
  return ending?.answer !== undefined;
}

/** Costs are counted in the currency that was pinned; a budget in another one could not be compared with them. */
function budgetMismatch({ agent }: RunState, raise: LimitsInput | undefined): string | undefined {
  if (raise?.budget?.kind !== 'money') return undefined;
  if (!agent.prices) return `no price is known for ${agent.model}: raise the budget in tokens, for example --budget "400000 tokens"`;
  const { budgetCurrency } = agent.prices;
  if (raise.budget.money.currency === budgetCurrency) return undefined;
  return `this run counts its cost in ${budgetCurrency}: raise the budget in ${budgetCurrency}`;
}

function withRaisedLimits(state: RunState, raise: LimitsInput | undefined): RunState {
  const limits: Limits = {
    ...state.limits,
    ...(raise?.turns === undefined ? {} : { turns: raise.turns }),
    ...(raise?.timeMs === undefined ? {} : { timeMs: raise.timeMs }),
    ...(raise?.budget === undefined ? {} : { budget: raise.budget }),
  };
  return { ...state, limits };
}

/** Going on without room would stop again at once, so the person is told which figure to raise. */
function stillExhausted(state: RunState): string | undefined {
  const { limits, turn, usage } = state;
  if (turn >= limits.turns) return `${turn} of ${limits.turns} turns are used up: raise them with --max-turns ${turn + limits.turns}`;
  if (usage.activeMs >= limits.timeMs) return `the time limit is used up: raise it with --time-limit ${Math.ceil((usage.activeMs + limits.timeMs) / 1000)}s`;
  if (affordableAttempts(state) < 1) return 'the budget has no room for the next model call: raise it with --budget';
  return undefined;
}
