import { own } from './json.ts';
import { money, nano, nanoOf } from './money.ts';
import type { Step } from './policy.ts';
import { repeatNudge, REPEAT_WINDOW, wasNudgedWhileIdle } from './repeats.ts';
import { doubtCause, handOverCause } from './call-endings.ts';
import { append, count } from './state.ts';
import type { Attempt, EffectRecord, Progress, PromptMeasure, RunState } from './state.ts';
import type { Counters } from './agent.ts';
import type { CallUsage, NudgeItem, ObservationItem, ReplyItem } from './transcript.ts';

/** Results remembered to tell new information from old. */
const KNOWN_RESULTS = 500;

/** What a model call cost, whether or not a reply came of it. */
export function recordUsage(state: RunState, used: CallUsage, replies: 0 | 1): RunState {
  const { usage, measure } = state;
  const cost = usage.cost && used.cost
    ? { cost: money(nanoOf(usage.cost) + (nano(used.cost) ?? 0n), usage.cost.currency) }
    : {};
  return {
    ...state,
    turn: state.turn + replies,
    usage: {
      ...usage,
      ...cost,
      turns: usage.turns + replies,
      modelCalls: usage.modelCalls + used.attempts,
      inputTokens: usage.inputTokens + used.inputTokens,
      outputTokens: usage.outputTokens + used.outputTokens,
      cachedTokens: usage.cachedTokens + used.cachedTokens,
      estimatedTokens: usage.estimatedTokens + used.estimatedTokens,
      activeMs: usage.activeMs + used.ms,
    },
    measure: replies === 1 ? measured(measure, used) : measure,
  };
}

/** Only usage that a provider reported tells how dense prompts are; a reservation would confirm itself. */
function measured(measure: PromptMeasure, used: CallUsage): PromptMeasure {
  if (used.estimatedTokens > 0 || used.promptBytes === 0) return { ...measure, lastInputTokens: used.inputTokens };
  const density = used.inputTokens / used.promptBytes;
  return {
    ...measure,
    tokensPerByte: measure.reported ? Math.max(measure.tokensPerByte, density) : density,
    reported: true,
    lastInputTokens: used.inputTokens,
  };
}

/** The reply joins the transcript before its calls run, so that a person sees what is being done. */
export function recordReply(state: RunState, reply: ReplyItem, nowMs: number): RunState {
  const withReply = append(recordUsage(state, reply.usage, 1), nowMs, reply);
  return count(withReply, replyCounts(reply));
}

function replyCounts({ actions, notes }: ReplyItem): Partial<Counters> {
  const problems = actions.flatMap((action) => (action.kind === 'invalid' ? [action.problem] : []));
  const problemCount = (...kinds: readonly string[]) => problems.filter((problem) => kinds.includes(problem)).length;
  const noteCount = (kind: string) => notes.filter((note) => note.kind === kind).length;
  return {
    unknown_tools: problemCount('unknown_tool'),
    bad_arguments: problemCount('bad_arguments'),
    unseen_ids: problemCount('unseen_id'),
    format_errors: problemCount('format', 'empty'),
    invented_observations: noteCount('invented_observation'),
    no_thought: noteCount('no_thought'),
    repairs: noteCount('repaired'),
    answer_problems: actions.filter((action) => action.kind === 'final_answer' && action.problems.length > 0).length,
  };
}

export interface TurnOutcome {
  readonly reply: ReplyItem;
  readonly steps: readonly Step[];
  /** Observations of the calls that ran, in any order. */
  readonly results: readonly ObservationItem[];
  /** Effects of the turn that are not in the state yet. */
  readonly effects: readonly EffectRecord[];
  readonly nowMs: number;
}

/** Everything that a turn's observations change: transcript, counters, effects, progress, and what follows from them. */
export function recordObservations(state: RunState, outcome: TurnOutcome): RunState {
  const { steps, results, nowMs } = outcome;
  const byCall = Object.fromEntries(results.map((result) => [result.call, result]));
  const observed = steps.flatMap((step) => {
    if ('held' in step || ('asks' in step && step.asks !== undefined)) return [];
    const observation = 'run' in step ? own(byCall, step.run.id) : step.observation;
    return observation ? [observation] : [];
  });
  const appended = append(state, nowMs, ...observed);
  const used = withCallsRun(appended, results);
  const done = { ...used, effects: [...used.effects, ...outcome.effects] };
  const followed = withConsequences(done, outcome);
  return withNudges({ ...followed, progress: progressAfter(followed, outcome, observed) }, nowMs);
}

/** Counts calls that ran side by side: their time is that of the longest. */
export function withCallsRun(state: RunState, results: readonly ObservationItem[]): RunState {
  const longest = results.reduce((most, { ms }) => Math.max(most, ms), 0);
  const usage = {
    ...state.usage,
    toolCalls: state.usage.toolCalls + results.length,
    activeMs: state.usage.activeMs + longest,
  };
  return count({ ...state, usage }, {
    empty_results: results.filter(({ status }) => status === 'empty').length,
    failed_tools: results.filter(({ status }) => status === 'error').length,
  });
}

function withConsequences(state: RunState, { steps, reply, results }: TurnOutcome): RunState {
  const endings = steps.flatMap((step) => ('ending' in step && step.ending ? [step.ending] : []));
  // One that a person has settled while the turn was open is in doubt no more.
  const isSettled = (id: string) => state.effects.some(({ call, status }) => call === id && status !== 'unknown');
  const inDoubt = results.find(({ call, status }) => status === 'unknown' && !isSettled(call));
  const doubt = inDoubt && doubtCause(inDoubt);
  const off = results.map(handOverCause).find((cause) => cause !== undefined);
  const todo = reply.actions.findLast((action) => action.kind === 'update_todo');
  const ending = state.ending ?? endings[0] ?? doubt ?? off;
  return {
    ...state,
    ...(ending ? { ending } : {}),
    ...(todo ? { todo: todo.items } : {}),
  };
}

function progressAfter(state: RunState, outcome: TurnOutcome, observed: readonly ObservationItem[]): Progress {
  const { progress } = state;
  const { reply, results } = outcome;
  const answered = observed.filter(({ by }) => by !== undefined);
  const news = [...results, ...answered].filter((result) => isNews(result, progress));
  const isEmpty = reply.actions.every((action) => action.kind === 'invalid' && action.problem === 'empty');
  return {
    ...progress,
    attempts: [...progress.attempts, ...attemptsOf(state, reply, observed)].slice(-REPEAT_WINDOW),
    known: [...progress.known, ...news.map(({ hash }) => hash)].slice(-KNOWN_RESULTS),
    idle: news.length > 0 || state.question ? 0 : progress.idle + 1,
    empty: isEmpty ? progress.empty + 1 : 0,
    nudged: {
      ...progress.nudged,
      ...(reply.actions.some(isRejectedAnswer) ? { answer_check: progress.nudged.answer_check ?? reply.turn } : {}),
    },
  };
}

/** News is what the world answered and had not answered before; a failure or a refusal of ours is none. */
function isNews({ status, hash }: ObservationItem, { known }: Progress): boolean {
  return (status === 'ok' || status === 'empty' || status === 'unknown') && !known.includes(hash);
}

function isRejectedAnswer(action: ReplyItem['actions'][number]): boolean {
  return action.kind === 'final_answer' && action.problems.length > 0;
}

/** One attempt for each different thing the turn tried; a tool that polls on purpose is no sign of being stuck. */
function attemptsOf(state: RunState, { turn, actions }: ReplyItem, observed: readonly ObservationItem[]): readonly Attempt[] {
  const attempts = actions.flatMap((action): Attempt[] => {
    if (action.kind !== 'call' && action.kind !== 'invalid') return [];
    const tool = action.kind === 'call' ? action.tool : (action.tool ?? 'a reply in the wrong format');
    if (state.agent.tools.some(({ name, polls }) => name === tool && polls)) return [];
    const result = observed.find(({ call }) => call === action.id)?.hash ?? '';
    return [{ turn, tool, hash: action.hash, result }];
  });
  return attempts.filter((one, i) => attempts.findIndex(({ hash }) => hash === one.hash) === i);
}

/** At most one of each: a nudge says what is wrong once, then the guard stops the run. */
function withNudges(state: RunState, nowMs: number): RunState {
  if (state.ending || state.question) return state;
  const nudge = repeatNudge(state) ?? idleNudge(state);
  if (!nudge) return state;
  const { progress } = state;
  const told = { ...state, progress: { ...progress, nudged: { ...progress.nudged, [nudge.guard]: nudge.turn } } };
  return count(append(told, nowMs, nudge), { nudges: 1 });
}

function idleNudge({ progress, limits, turn }: RunState): NudgeItem | undefined {
  if (progress.idle < limits.idleTurns || wasNudgedWhileIdle(progress, turn)) return undefined;
  const text = `${progress.idle} turns in a row brought nothing new. Do one of these now: call a tool that brings new facts, answer with what is known, ask a person, or hand over.`;
  return { type: 'nudge', turn, guard: 'no_progress', text };
}
