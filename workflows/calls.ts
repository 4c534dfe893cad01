import { condition } from '@temporalio/workflow';
import { isUndecided, nextDueMs, withExpired, withReminders } from '../core/held-calls.ts';
import { settleOrders } from '../core/decide-holder.ts';
import { closeTurn, isTurnDone, readyCalls, recordResult, withCancelledHolds } from '../core/open-turn.ts';
import type { ReadyCall } from '../core/open-turn.ts';
import { recordWait } from '../core/waiting.ts';
import type { People, StateHolder } from './people.ts';
import { countMetrics, show } from './presence.ts';
import { runCall } from './run-call.ts';
import { notifyPersons, remindPersons } from './steps.ts';

/** What the loop around calls decides: whether this execution's history has become too long to wait in it. */
export type HistoryIsLong = (run: StateHolder) => boolean;

/**
 * Runs what may run, side by side, and waits for the decisions that the rest needs. Each call starts the moment that
 * nothing holds it; the turn is closed when every action has its observation. Ends early, with the turn still open,
 * when history has become long: the next execution goes on from the state.
 */
export async function workOff(run: StateHolder, people: People, historyIsLong: HistoryIsLong): Promise<void> {
  const running = new Map<string, Promise<void>>();
  const start = (ready: ReadyCall) => {
    const work = people.interruptible('call', () => runCall(run.get(), ready)).then((observation) => {
      run.set(recordResult(run.get(), ready, { observation, nowMs: Date.now() }));
      running.delete(ready.call.id);
    });
    running.set(ready.call.id, work);
  };
  for (;;) {
    for (const ready of readyCalls(run.get())) if (!running.has(ready.call.id)) start(ready);
    if (running.size === 0) {
      if (run.get().cancel) run.set(withCancelledHolds(run.get()));
      if (isTurnDone(run.get())) break;
      if (historyIsLong(run)) return;
    }
    await nextChange(run, { running, historyIsLong });
  }
  close(run);
}

function close(run: StateHolder): void {
  const before = run.get().open?.before;
  run.set(closeTurn(run.get(), Date.now()));
  if (before) countMetrics(before, run.get());
}

interface Flight {
  readonly running: ReadonlyMap<string, Promise<void>>;
  readonly historyIsLong: HistoryIsLong;
}

/** Until a call comes back, one may start, a person decides, or a deadline is near. */
function nextChange(run: StateHolder, { running, historyIsLong }: Flight): Promise<unknown> {
  const { held, cancel, paused, agent } = run.get();
  // Runs that were pinned before show themselves between turns only.
  if (agent.approvals) show(run.get());
  const flying = running.size;
  const isOver = () =>
    running.size < flying || run.get().held !== held || run.get().cancel !== cancel || run.get().paused !== paused ||
    readyCalls(run.get()).some(({ call }) => !running.has(call.id)) || (flying === 0 && historyIsLong(run));
  return !held.some(isUndecided) || cancel ? condition(isOver) : waitForDecision(run, { isOver, isIdle: flying === 0 });
}

async function waitForDecision(run: StateHolder, { isOver, isIdle }: { readonly isOver: () => boolean; readonly isIdle: boolean }): Promise<void> {
  show(run.get());
  // Not waited for: a way to tell persons that is slow must not hold up what one of them has decided.
  void notifyPersons(run);
  const sinceMs = Date.now();
  const dueMs = nextDueMs(run.get());
  const came = dueMs === undefined
    ? await condition(isOver).then(() => true)
    : await condition(isOver, Math.max(1, dueMs - sinceMs));
  if (isIdle) run.set(recordWait(run.get(), Date.now() - sinceMs));
  if (!came) remindOrExpire(run);
  show(run.get());
}

/** A deadline has passed: persons are told once more, then silence counts as no. */
export function remindOrExpire(run: StateHolder): void {
  const reminded = withReminders(run.get(), Date.now());
  if (reminded !== run.get()) {
    run.set(reminded);
    void remindPersons(run);
  }
  run.set(settleOrders(withExpired(run.get(), Date.now()), Date.now()));
}
