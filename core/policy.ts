import { isHoldable } from './held-calls.ts';
import type { OpenQuestion } from './run.ts';
import type { EffectRecord, HeldCall, RunState } from './state.ts';
import type { StopCause } from './stop-cause.ts';
import type { Action, CallAction, ObservationItem, ObservationStatus, ReplyItem } from './transcript.ts';

/** Calls of one turn that may run side by side; the rest are answered `skipped`. */
export const MAX_CALLS_A_TURN = 16;

/** What becomes of one action of a reply: it runs, it waits for a person, or its observation is already certain. */
export type Step =
  | { readonly run: CallAction }
  /** Runs only with a person's yes. */
  | { readonly held: HeldCall['call'] }
  | { readonly observation: ObservationItem; readonly ending?: StopCause; readonly asks?: Omit<OpenQuestion, 'askedAtMs'> };

/**
 * Decides every action of a reply, in the model's order, before anything runs. Pure: what needs Node (schemas, hashes,
 * rules, evidence) was decided by `think` and is in the action.
 */
export function planTurn(state: RunState, reply: ReplyItem): readonly Step[] {
  const steps: Step[] = [];
  for (const action of reply.actions) steps.push(decide(action, { state, reply, before: steps }));
  return steps.some(handsOver) ? steps.map(notHeld) : steps;
}

function handsOver(step: Step): boolean {
  return 'ending' in step && step.ending?.reason === 'hand_over';
}

/** The person who gets the run decides what it still needs; asking somebody for one call of it would hold that up. */
function notHeld(step: Step): Step {
  if (!('held' in step)) return step;
  return observe(step.held, 'skipped', 'Not run: it needs a person\'s approval, and the run was handed over in the same reply.');
}

interface Situation {
  readonly state: RunState;
  readonly reply: ReplyItem;
  /** Steps already decided in this turn. */
  readonly before: readonly Step[];
}

function decide(action: Action, situation: Situation): Step {
  if (situation.before.some(handsOver)) return observe(action, 'skipped', 'Not run: the run was handed over to a person before this action.');
  switch (action.kind) {
    case 'invalid': return decideInvalid(action);
    case 'final_answer': return decideAnswer(action, situation);
    case 'ask_person': return decideQuestion(action, situation);
    case 'update_todo': return observe(action, 'ok', 'The to-do list is noted.');
    case 'hand_over': return {
      ...observe(action, 'ok', 'Handed over to a person.'),
      ending: {
        reason: 'hand_over', detail: 'model', text: action.reason, ...(action.queue ? { queue: action.queue } : {}),
      },
    };
    case 'call': return decideCall(action, situation);
  }
}

function decideQuestion(action: Extract<Action, { kind: 'ask_person' }>, { before }: Situation): Step {
  const alreadyAsks = before.some((step) => 'asks' in step && step.asks !== undefined);
  if (alreadyAsks) return observe(action, 'skipped', 'Not asked: one question at a time. Ask again once the first is answered.');
  return { ...observe(action, 'ok', 'The question waits for a person.'), asks: { call: action.id, question: action.question, ...(action.form ? { form: action.form } : {}) } };
}

/** A refusal or a filter is the provider's last word: asking again costs money and changes nothing. */
function decideInvalid(action: Extract<Action, { kind: 'invalid' }>): Step {
  const step = observe(action, 'error', action.text);
  if (action.problem !== 'refused' && action.problem !== 'withheld') return step;
  return { ...step, ending: { reason: 'hand_over', detail: action.problem, text: action.text } };
}

function decideAnswer(action: Extract<Action, { kind: 'final_answer' }>, { state, reply }: Situation): Step {
  if (reply.actions.length > 1) {
    return observe(action, 'skipped', 'Not taken as the answer: it came together with other actions. Read their results, then answer alone.');
  }
  if (state.takenOver) return observe(action, 'skipped', `Not taken as the answer: ${state.takenOver.by.name} took the run over before it came.`);
  const blocking = action.problems.filter(({ kind }) => kind !== 'not_found');
  const nudged = state.progress.nudged.answer_check !== undefined;
  if (blocking.length === 0 && (action.problems.length === 0 || nudged)) {
    return { ...observe(action, 'ok', 'This is the answer.'), ending: answered(action) };
  }
  const text = problemsText(action.problems);
  if (!nudged) return observe(action, 'error', text);
  return { ...observe(action, 'error', text), ending: { reason: 'hand_over', detail: 'answer_check', text } };
}

/** An id that was looked for and not found may be named, but never without the mark. */
function answered({ answer, problems }: Extract<Action, { kind: 'final_answer' }>): StopCause {
  const missing = problems.filter(({ kind }) => kind === 'not_found').map(({ value }) => value);
  const marked = missing.length > 0 && typeof answer === 'string' ? `${answer}\n(not found: ${missing.join(', ')})` : answer;
  return { reason: 'final_answer', text: 'The run answered.', answer: marked };
}

const PROBLEM_TEXT = {
  id: 'the id %s is nowhere in the evidence of this run',
  amount: 'the amount %s is neither in the evidence nor the result of a tool',
  effect: 'it says "%s", but no call that does this has succeeded',
  not_found: 'every look-up of %s found nothing',
} as const;

function problemsText(problems: Extract<Action, { kind: 'final_answer' }>['problems']): string {
  const each = problems.map(({ kind, value }) => PROBLEM_TEXT[kind].replace('%s', () => value));
  return `The answer was not accepted: ${each.join('; ')}. Look it up or compute it with a tool, say that it is not known, or hand over.`;
}

function decideCall(action: CallAction, { state, before }: Situation): Step {
  // The reply may have come in the very task in which a person said stop: nothing starts after that.
  if (state.cancel) return observe(action, 'skipped', 'Not run: the run was cancelled before this call.');
  if (state.paused) return observe(action, 'skipped', 'Not run: a person paused the run before this call. Ask again if it is still needed.');
  if (state.takenOver) return observe(action, 'skipped', `Not run: ${state.takenOver.by.name} took the run over before this call.`);
  const running = before.flatMap((step) => ('run' in step ? [step.run] : 'held' in step ? [step.held] : []));
  if (running.length >= MAX_CALLS_A_TURN) {
    return observe(action, 'skipped', `Not run: at most ${MAX_CALLS_A_TURN} calls a turn. Ask again for those that are still needed.`);
  }
  if (action.handOver) {
    const ending: StopCause = { reason: 'hand_over', detail: action.handOverDetail ?? 'rule', text: action.handOver };
    return { ...observe(action, 'skipped', `Not run: ${action.handOver}`), ending };
  }
  return decideEffect(action, state, running) ?? decideApproval(action, state) ?? { run: action };
}

/** A call with an effect runs once, whatever turn it is asked in. */
function decideEffect(action: CallAction, state: RunState, running: readonly CallAction[]): Step | undefined {
  const effect = state.agent.tools.find(({ name }) => name === action.tool)?.effect;
  if (effect === undefined || effect === 'read') return undefined;
  const twin = running.find((other) => isSameEffect(other, action));
  if (twin) return observe(action, 'skipped', `Not run: the same call is already made in this turn (${twin.id}).`);
  const earlier = earlierEffect(state, action);
  return earlier ? observe(action, 'skipped', alreadyDone(earlier, action)) : undefined;
}

const MAY_HAVE_HAPPENED: readonly ObservationStatus[] = ['ok', 'empty', 'unknown'];

/** The call with this effect that was already made, or may have been. */
export function earlierEffect({ effects }: RunState, action: EffectIdentity): EffectRecord | undefined {
  return effects.find((earlier) => MAY_HAVE_HAPPENED.includes(earlier.status) && isSameEffect(earlier, action));
}

/** Whatever the loop or the model says, what needs a person's yes never runs without it. */
function decideApproval(action: CallAction, { agent }: RunState): Step | undefined {
  if (!action.needsApproval) return undefined;
  if (agent.approvals && isHoldable(action)) return { held: action };
  const text = `${action.tool} needs a person's approval, which this run cannot get: a person takes it from here.`;
  return { ...observe(action, 'skipped', `Not run: ${text}`), ending: { reason: 'hand_over', detail: 'approval', text } };
}

export type EffectIdentity = Pick<EffectRecord, 'tool' | 'hash' | 'key'>;

export function isSameEffect(a: EffectIdentity, b: EffectIdentity): boolean {
  return a.tool === b.tool && (a.hash === b.hash || (a.key !== undefined && a.key === b.key));
}

/** What a person is shown who would have an effect a second time. */
export function repeatedText({ status, turn, call }: EffectRecord): string {
  return status === 'unknown'
    ? `the same call was made at turn ${turn} (${call}) and nobody knows what became of it`
    : `already done at turn ${turn} (${call})`;
}

function alreadyDone(earlier: EffectRecord, action: CallAction): string {
  const when = `at turn ${earlier.turn} (${earlier.call})`;
  if (earlier.status === 'unknown') return `Not run again: the same call was made ${when} and its outcome is not known yet. A person must find out.`;
  if (earlier.hash !== action.hash) return `Not run: already done ${when} with other arguments. Doing it again needs a person. Its outcome was: ${earlier.text}`;
  return `Not run again: already done ${when}. Its outcome was: ${earlier.text}`;
}

function observe(action: Action, status: ObservationStatus, text: string): { readonly observation: ObservationItem } {
  const tool = 'tool' in action && action.tool ? action.tool : action.kind;
  return { observation: { type: 'observation', call: action.id, tool, status, text, seen: [], hash: `${status}:${text}`, ms: 0 } };
}
