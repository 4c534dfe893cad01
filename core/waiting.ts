import { append } from './state.ts';
import type { RunState } from './state.ts';

/** Whether no turn may begin until a person acts: stopped, paused, taken over, or with an open question. */
export function isWaiting({ stopped, paused, question, takenOver }: RunState): boolean {
  return stopped !== undefined || takenOver !== undefined || paused || question !== undefined;
}

/** When the wait is over although nobody came, in milliseconds since the epoch; a pause has no end. */
export function waitEndsMs({ stopped, question, limits }: RunState): number | undefined {
  const since = stopped?.atMs ?? question?.askedAtMs;
  return since === undefined ? undefined : since + limits.waitMs;
}

/** Nobody came in time. A question becomes a hand-over; a stopped run ends with its reason (see `agentRun`). */
export function recordSilence(state: RunState, nowMs: number): RunState {
  if (!state.question || state.stopped) return state;
  const { question, ...rest } = state;
  const text = `Nobody answered the question in time: ${question.question}`;
  const observed = append(rest, nowMs, {
    type: 'observation', call: question.call, tool: 'ask_person', status: 'skipped', text: 'Nobody answered in time.',
    seen: [], hash: 'skipped', ms: 0,
  });
  return { ...observed, ending: { reason: 'hand_over', detail: 'no_answer', text } };
}

export function recordWait(state: RunState, ms: number): RunState {
  return { ...state, usage: { ...state.usage, waitingMs: state.usage.waitingMs + ms } };
}
