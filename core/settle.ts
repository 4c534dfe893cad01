import { decisionProblem } from './approvals.ts';
import type { Applied, Refused, VerbTable } from './change.ts';
import { orderId } from './decide-holder.ts';
import { goingOn } from './decide-run.ts';
import { isHoldable } from './held-calls.ts';
import { pendingTwin } from './pending-calls.ts';
import type { EffectRecord, RunState } from './state.ts';
import type { CallAction, ObservationItem } from './transcript.ts';
import type { VerbPayloads } from './verbs.ts';

type Settle = VerbPayloads['settle'];

/** A person says what became of a call whose result was lost, or has it tried again under its own key. */
export const SETTLE_VERB: Pick<VerbTable, 'settle'> = {
  settle(state, payload) {
    const change = settled(state, payload);
    const item = { call: payload.call, outcome: payload.outcome };
    return 'because' in change ? { ...change, item } : { ...change, item, state: released(change.state, payload) };
  },
};

function settled(state: RunState, payload: Settle): Applied | Refused {
  const effect = state.effects.find(({ call }) => call === payload.call);
  if (!effect) return { because: `no call ${payload.call} had an effect in this run` };
  if (effect.status !== 'unknown') return { because: `what became of ${effect.tool} (${effect.call}) is known: ${effect.status}, ${effect.text.slice(0, 200)}` };
  if (state.orders.some(({ retryOf }) => retryOf === effect.call)) return { because: `${effect.tool} (${effect.call}) is being tried again` };
  return payload.outcome === 'retry' ? triedAgain(state, effect, payload) : told(state, effect, payload);
}

function told(state: RunState, effect: EffectRecord, { outcome, result, by }: Settle): Applied {
  const happened = outcome === 'happened';
  const text = result === undefined ? undefined : typeof result === 'string' ? result : JSON.stringify(result);
  const words = `${effect.tool} (${effect.call}) ${happened ? 'happened' : 'did not happen'}`;
  const { lost: _, ...rest } = effect;
  const known: EffectRecord = { ...rest, status: happened ? 'ok' : 'error', text: text ?? (happened ? 'It happened.' : 'It did not happen.'), by };
  return { state: withEffect(state, known), said: text === undefined ? words : `${words}: ${text}`, text: `It is noted that ${words}.` };
}

/** The call runs once more, as the person's, under the key of the first: the other side can still take both for one. */
function triedAgain(state: RunState, effect: EffectRecord, { by }: Settle): Applied | Refused {
  const { lost, approval } = effect;
  if (!lost) return { because: `the arguments of ${effect.call} are not kept any more: say what became of it instead` };
  if (state.cancel) return { because: 'the run is being cancelled' };
  const problem = isHoldable(lost) ? decisionProblem(state, { call: lost }, { by, verb: 'approve' }) : undefined;
  if (problem) return { because: problem, kind: 'not_allowed' };
  const orderCount = state.orderCount + 1;
  const call: CallAction = { ...lost, id: orderId(state.turn, orderCount) };
  const twin = pendingTwin(state, call);
  if (twin) return { because: `the same call waits already (${twin}): decide that one first` };
  const orders = [...state.orders, { call, by, retryOf: effect.call, ...(approval ? { approval: { ...approval, by } } : {}) }];
  return { state: { ...state, orders, orderCount }, said: `Try ${effect.tool} (${effect.call}) again.`, text: `${effect.tool} runs again as ${call.id}, under the key of ${effect.call}.` };
}

/** A run that only waited to hear this goes on, if it has room to. */
function released(state: RunState, { by }: Settle): RunState {
  const isLast = !state.effects.some(({ call, status }) => status === 'unknown' && !state.orders.some(({ retryOf }) => retryOf === call));
  if (state.takenOver || state.stopped?.detail !== 'unknown_outcome' || !isLast) return state;
  const going = goingOn(state, { by });
  return 'because' in going ? state : going.state;
}

/**
 * A second try that worked is what became of the first. Any other says nothing of it: not even that the second never
 * left. The call stays in doubt, and a person is asked again.
 */
export function afterRetry(state: RunState, retryOf: string, { status, text, by }: ObservationItem): RunState {
  const effect = state.effects.find(({ call }) => call === retryOf);
  if (!effect) return state;
  if (status === 'ok' || status === 'empty') {
    const { lost: _, ...rest } = effect;
    return withEffect(state, { ...rest, status, text, ...(by ? { by } : {}) });
  }
  return withEffect(state, { ...effect, text: `${effect.text.slice(0, DOUBT_CHARS)} Tried again: ${text.slice(0, DOUBT_CHARS)}` });
}

const DOUBT_CHARS = 500;

function withEffect(state: RunState, changed: EffectRecord): RunState {
  return { ...state, effects: state.effects.map((effect) => (effect.call === changed.call ? changed : effect)) };
}
