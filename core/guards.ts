import { affordableAttempts, budgetLeft } from './budget.ts';
import { durationText } from './duration.ts';
import { decimal } from './money.ts';
import { isStuckRepeating, wasNudgedWhileIdle } from './repeats.ts';
import type { RunState } from './state.ts';
import type { StopCause } from './stop-cause.ts';

/** A guard looks at the state and says why the run must stop, or nothing. */
export type Guard = (state: RunState) => StopCause | undefined;

/** Replies in a row with nothing in them before the run stops: two are asked again. */
const EMPTY_REPLIES = 3;

const finalAnswer: Guard = ({ ending }) => (ending?.reason === 'final_answer' ? ending : undefined);

const cancelled: Guard = ({ cancel }) => cancel;

/** Whoever takes a run over gets the package too. */
const takenOver: Guard = ({ takenOver: hold }) =>
  hold && { reason: 'hand_over', detail: 'taken_over', text: `${hold.by.name} took the run over.` };

const resolved: Guard = ({ ending }) => (ending?.answer === undefined ? undefined : ending);

/** A hand-over, or a world that is permanently broken. */
const ended: Guard = ({ ending }) => ending;

/** The agent's own rules on what has happened since a person last had the run. */
const counterRules: Guard = ({ agent, counters, countersAtResume }) => {
  const rule = agent.handOverWhen.find(({ counter, atLeast }) => counters[counter] - countersAtResume[counter] >= atLeast);
  return rule ? { reason: 'hand_over', detail: 'rule', text: rule.reason } : undefined;
};

const stepLimit: Guard = ({ turn, limits }) =>
  turn >= limits.turns
    ? { reason: 'step_limit', text: `The step limit of ${limits.turns} turns is used up.` }
    : undefined;

/** Checked before the call that would break it: the worst case of the next call must fit what is left. */
const budget: Guard = (state) => {
  if (affordableAttempts(state) > 0) return undefined;
  return { reason: 'budget', text: `The next model call could cost more than what is left of the budget (${leftText(state)}).` };
};

const timeLimit: Guard = ({ usage, limits }) =>
  usage.activeMs >= limits.timeMs
    ? { reason: 'time_limit', text: `The time limit of ${durationText(limits.timeMs)} of active time is used up.` }
    : undefined;

const repeating: Guard = ({ progress, limits, turn }) => {
  const stuck = isStuckRepeating(progress, limits.repeats, turn);
  return stuck ? { reason: 'repeating', text: `The run repeated itself after it had been told: ${stuck}.` } : undefined;
};

const emptyReplies: Guard = ({ progress }) =>
  progress.empty >= EMPTY_REPLIES
    ? { reason: 'no_progress', detail: 'empty_response', text: `The model's last ${progress.empty} replies were empty.` }
    : undefined;

const noProgress: Guard = ({ progress, limits, turn }) => {
  if (progress.idle <= limits.idleTurns || !wasNudgedWhileIdle(progress, turn)) return undefined;
  return { reason: 'no_progress', text: `${progress.idle} turns in a row brought nothing new, the last after a reminder.` };
};

/** In the order in which they are asked: an answer that is there is never thrown away for a limit. */
export const GUARDS: readonly Guard[] = [
  finalAnswer, cancelled, takenOver, ended, counterRules, timeLimit, stepLimit, budget, emptyReplies, repeating, noProgress,
];

export function firstStop(state: RunState): StopCause | undefined {
  return firstHit(GUARDS, state);
}

/** What ends a run that has stopped and waits: a cancel, or a person's own answer. Its limits no longer matter. */
export function firstEnd(state: RunState): StopCause | undefined {
  return firstHit([cancelled, resolved], state);
}

function firstHit(guards: readonly Guard[], state: RunState): StopCause | undefined {
  for (const guard of guards) {
    const cause = guard(state);
    if (cause) return cause;
  }
  return undefined;
}

function leftText(state: RunState): string {
  const { budget: limit } = state.limits;
  const left = budgetLeft(state);
  return limit.kind === 'money' ? `${decimal(left)} ${limit.money.currency}` : `${left} tokens`;
}
