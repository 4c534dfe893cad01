import type { Attempt, Progress, RunState } from './state.ts';
import type { NudgeItem } from './transcript.ts';

/** Attempts that the repeat guard looks back on. */
export const REPEAT_WINDOW = 12;
/** Longest cycle that counts as going in circles: A-B-C-D-A-B-C-D. */
const LONGEST_CYCLE = 4;
/** Equal attempts at which the run is told, once. */
const NUDGE_AT = 2;

/**
 * The name of what is repeated when the run is stuck: the same attempt with the same result `repeats` times, or a cycle
 * gone round twice, and a nudge was given before and is still in the window.
 */
export function isStuckRepeating(progress: Progress, repeats: number, turn: number): string | undefined {
  if (!wasNudged(progress, turn)) return undefined;
  const repeated = mostRepeated(progress.attempts);
  if (repeated && repeated.times >= repeats) return `${repeated.tool} gave the same result ${repeated.times} times`;
  return cycleText(progress.attempts);
}

/** The nudge for a repeat, due when an attempt of this turn came back as before and the run has not been told yet. */
export function repeatNudge(state: RunState): NudgeItem | undefined {
  const { progress, turn } = state;
  if (wasNudged(progress, turn)) return undefined;
  const repeated = mostRepeated(progress.attempts);
  const what =
    repeated && repeated.times >= NUDGE_AT
      ? `${repeated.tool} was asked the same ${repeated.times} times and gave the same result`
      : cycleText(progress.attempts);
  if (!what) return undefined;
  const text = `${what}. Asking again changes nothing: use what is known, try something else, or hand over.`;
  return { type: 'nudge', turn, guard: 'repeating', text };
}

function wasNudged({ nudged, attempts }: Progress, turn: number): boolean {
  const oldest = attempts[0]?.turn ?? turn;
  return nudged.repeating !== undefined && nudged.repeating >= oldest;
}

/** One nudge for one stretch of turns without anything new, whichever guard gave it. */
export function wasNudgedWhileIdle({ nudged, idle }: Progress, turn: number): boolean {
  const last = Math.max(nudged.repeating ?? 0, nudged.no_progress ?? 0);
  return last > 0 && last > turn - idle;
}

/** Among the attempts of the newest turn, the one that was made most often within the window. */
function mostRepeated(attempts: readonly Attempt[]): { readonly tool: string; readonly times: number } | undefined {
  const newest = attempts.filter(({ turn }) => turn === attempts.at(-1)?.turn);
  const counted = newest.map((attempt) => ({
    tool: attempt.tool,
    times: attempts.filter((other) => same(attempt, other)).length,
  }));
  return counted.reduce<(typeof counted)[number] | undefined>(
    (most, next) => (most && most.times >= next.times ? most : next),
    undefined,
  );
}

function cycleText(attempts: readonly Attempt[]): string | undefined {
  for (let length = 2; length <= LONGEST_CYCLE; length += 1) {
    const last = attempts.slice(-2 * length);
    if (last.length < 2 * length) return undefined;
    const [round, again] = [last.slice(0, length), last.slice(length)];
    if (round.every((attempt, i) => again[i] && same(attempt, again[i]))) {
      return `the calls went round in a circle (${round.map(({ tool }) => tool).join(', ')})`;
    }
  }
  return undefined;
}

function same(a: Attempt, b: Attempt): boolean {
  return a.hash === b.hash && a.result === b.result;
}
