import {
  allHandlersFinished, CancellationScope, condition, continueAsNew, setHandler, workflowInfo,
} from '@temporalio/workflow';
import type { Counters } from '../core/agent.ts';
import { carried as lightened, withMarks } from '../core/compaction.ts';
import { forkRun } from '../core/fork.ts';
import { firstEnd, firstStop } from '../core/guards.ts';
import { nextDueMs } from '../core/held-calls.ts';
import { notStarted } from '../core/not-started.ts';
import { hasOpenCalls, openTurn } from '../core/open-turn.ts';
import { planTurn } from '../core/policy.ts';
import { recordReply } from '../core/record.ts';
import { runInputProblem } from '../core/run-input-problem.ts';
import type { RunInput, RunResult } from '../core/run.ts';
import { fromCarried, nextNumber, startRun } from '../core/state.ts';
import type { RunState } from '../core/state.ts';
import { endsWith, progressOf, recordStop, resultOf } from '../core/stop.ts';
import { recordLostThink } from '../core/think-failure.ts';
import { transcriptPage } from '../core/transcript-page.ts';
import { isWaiting, recordSilence, recordWait, waitEndsMs } from '../core/waiting.ts';
import { remindOrExpire, workOff } from './calls.ts';
import { progressQuery, transcriptQuery } from './messages.ts';
import { listenToPeople } from './people.ts';
import type { People, StateHolder } from './people.ts';
import { logStop, show } from './presence.ts';
import { archiveItems, notifyPersons, pin, tellOfEnd, think } from './steps.ts';
import type { ThinkOutcome } from './steps.ts';

export interface AgentRunInput extends RunInput {
  /** State of the execution that continued as this one. */
  readonly carried?: RunState;
}

/**
 * One run: thought, action, observation, until a guard ends the loop or hands the run to a person. The end of a run is
 * always a value; what throws here is our own bug, and the task then waits for a fixed worker.
 */
export async function agentRun(input: AgentRunInput): Promise<RunResult> {
  const people = listenToPeople();
  // Temporal's cancel arrives as a decision (see `people`), never as an exception in the middle of a turn.
  return CancellationScope.nonCancellable(() => loop(input, people));
}

async function loop(input: AgentRunInput, people: People): Promise<RunResult> {
  const started = await start(input);
  if ('endReason' in started) return started;
  let state = started;
  const run: StateHolder = {
    get: () => state,
    set: (next) => {
      state = next;
    },
  };
  people.listen(run);
  setHandler(progressQuery, () => progressOf(state));
  setHandler(transcriptQuery, ({ from }) => transcriptPage(state, from));

  for (;;) {
    if (hasOpenCalls(state)) {
      await workOff(run, people, historyIsLong);
      if (run.get().open) return continueRun(input, run);
    }
    const cause = state.stopped ? firstEnd(state) : firstStop(state);
    if (cause) {
      state = recordStop(state, cause, Date.now());
      logStop(state);
      if (endsWith(state, cause)) return finish(run);
    }
    show(state);

    if (historyIsLong(run)) return continueRun(input, run);
    if (isWaiting(state)) {
      if ((await waitForPerson(run)) === 'over') return finish(run);
      continue;
    }

    state = withMarks(state, Date.now());
    const before = { counters: state.counters, sent: nextNumber(state) };
    recordTurn(run, before, await people.interruptible('think', () => think(state)));
  }
}

async function start(input: AgentRunInput): Promise<RunState | RunResult> {
  const { workflowId, firstExecutionRunId, continuedFromExecutionRunId } = workflowInfo();
  // Only an execution of our own carries a state; a caller could forge limits with one.
  if (continuedFromExecutionRunId !== undefined && input.carried) return fromCarried(input.carried);
  const problem = runInputProblem(input);
  if (problem !== undefined) return notStarted(input, problem, Date.now());
  const pinned = await pin(input);
  if (!pinned.ok) return notStarted(input, pinned.problem, Date.now());
  const state = startRun(input, pinned.agent, { id: workflowId, firstRunId: firstExecutionRunId, nowMs: Date.now() });
  return input.fork ? forkRun(state, input.fork, Date.now()) : state;
}

/** A model reply and what is to become of its calls; `workOff` runs them. Decisions may have changed the state since it was asked for. */
function recordTurn(run: StateHolder, { counters, sent }: { readonly counters: Counters; readonly sent: number }, outcome: ThinkOutcome): void {
  if (outcome.kind !== 'reply') {
    run.set(recordLostThink(run.get(), outcome, Date.now()));
    return;
  }
  const { reply } = outcome;
  run.set({ ...recordReply(run.get(), reply, Date.now()), sent });
  run.set(openTurn(run.get(), planTurn(run.get(), reply), { before: counters, nowMs: Date.now() }));
}

async function waitForPerson(run: StateHolder): Promise<'goes on' | 'over'> {
  // Runs that were pinned before waited for it; their commands must keep their order.
  if (run.get().agent.approvals) void notifyPersons(run);
  else await notifyPersons(run);
  const sinceMs = Date.now();
  const endsMs = waitEndsMs(run.get());
  const dueMs = earliest(endsMs, nextDueMs(run.get()));
  const { held } = run.get();
  const isOver = () =>
    !isWaiting(run.get()) || firstEnd(run.get()) !== undefined || hasOpenCalls(run.get()) || run.get().held !== held || historyIsLong(run);
  const came = dueMs === undefined
    ? await condition(isOver).then(() => true)
    : await condition(isOver, Math.max(1, dueMs - Date.now()));
  run.set(recordWait(run.get(), Date.now() - sinceMs));
  if (came) return 'goes on';
  if (dueMs !== endsMs) {
    remindOrExpire(run);
    return 'goes on';
  }
  if (run.get().stopped) return 'over';
  run.set(recordSilence(run.get(), Date.now()));
  return 'goes on';
}

async function finish(run: StateHolder): Promise<RunResult> {
  run.set({ ...run.get(), ended: true });
  show(run.get());
  const result = resultOf(run.get());
  await archiveItems(run, result);
  await tellOfEnd(run);
  await condition(allHandlersFinished);
  return result;
}

function earliest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.min(a, b);
}

function historyIsLong(run: StateHolder): boolean {
  const { historyLength, historySize, continueAsNewSuggested } = workflowInfo();
  const { historyEvents, historyBytes } = run.get().agent.context;
  return continueAsNewSuggested || historyLength >= historyEvents || historySize >= historyBytes;
}

/** The next execution begins with everything this one knows; what the server kept of this one is in the archive. */
async function continueRun(input: AgentRunInput, run: StateHolder): Promise<never> {
  await archiveItems(run);
  await condition(allHandlersFinished);
  return continueAsNew<typeof agentRun>({ ...input, carried: lightened(run.get(), Date.now()) });
}
