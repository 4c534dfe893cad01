import type { Limits } from './agent.ts';
import { answerProblem, answerText } from './answer-form.ts';
import { affordableAttempts } from './budget.ts';
import type { Refused, VerbTable } from './change.ts';
import type { LimitsInput, Person } from './run.ts';
import { FRESH_PROGRESS } from './state.ts';
import type { RunState } from './state.ts';

/** Decisions on the run as a whole: its course, its questions, its end. */
export const RUN_VERBS: Pick<VerbTable, 'cancel' | 'pause' | 'resume' | 'resolve' | 'message' | 'redirect' | 'answer'> = {
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

  resume(state, payload) {
    const { note = '', goal } = payload;
    if (state.takenOver) return { said: note, because: `${state.takenOver.by.name} holds the run: it goes on with give-back` };
    if (!state.stopped && !state.paused) return { said: note, because: 'the run is neither paused nor stopped' };
    const going = goingOn(state, payload);
    if ('because' in going) return going;
    return { state: going.state, said: note, text: 'The run goes on.', item: goal === undefined ? {} : { goal } };
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

  redirect(state, { goal, constraints, by }) {
    const next = withInvolved({ ...state, goal: goal ?? state.goal, constraints: constraints ?? state.constraints }, by);
    return {
      state: { ...next, progress: { ...state.progress, idle: 0 } },
      text: 'The run follows this from its next turn on.',
      said: goal ?? `Constraints: ${(constraints ?? []).join('; ')}`,
      item: { ...(goal === undefined ? {} : { goal }), ...(constraints === undefined ? {} : { constraints }) },
    };
  },

  answer(state, payload) {
    const { question } = state;
    const said = answerText(payload);
    const { call } = payload;
    if (!question) return { said, because: 'no question is open' };
    if (call !== undefined && call !== question.call) return { said, because: `question ${call} is not open; ${question.call} is` };
    const problem = answerProblem(question.form, payload);
    if (problem) return { said, because: problem, item: { call: question.call } };
    const { question: _, ...answered } = state;
    return {
      state: answered,
      said,
      text: `Question ${question.call} is answered.`,
      item: { call: question.call },
      more: [{ type: 'observation', call: question.call, tool: 'ask_person', status: 'ok', text: said, seen: [], hash: `answer:${said}`, ms: 0 }],
    };
  },
};

/** How a run that a person lets go on continues, whoever had it: with a fresh count of what was stuck, and room to go. */
export function goingOn(
  state: RunState,
  { note = '', goal, limits, by }: { readonly note?: string; readonly goal?: string; readonly limits?: LimitsInput; readonly by: Person },
): { readonly state: RunState } | Refused {
  if (state.cancel) return { said: note, because: 'the run is being cancelled' };
  if (isAnswered(state)) return { said: note, because: 'the run has already its answer' };
  const otherMoney = budgetMismatch(state, limits);
  if (otherMoney) return { said: note, because: otherMoney };
  const raised = withRaisedLimits(state, limits);
  const still = state.stopped ? stillExhausted(raised) : undefined;
  if (still) return { said: note, because: still };
  const { stopped: _, ending, takenOver: __, ...others } = raised;
  // What ended the turn of a run that was only paused still has to stop it.
  const rest = state.stopped || !ending ? others : { ...others, ending };
  const resumed: RunState = { ...rest, paused: false, countersAtResume: state.counters, progress: FRESH_PROGRESS, goal: goal ?? state.goal };
  return { state: goal === undefined ? resumed : withInvolved(resumed, by) };
}

function withInvolved(state: RunState, { name }: Person): RunState {
  return state.involved.includes(name) ? state : { ...state, involved: [...state.involved, name] };
}

export function isAnswered({ ending }: RunState): boolean {
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
