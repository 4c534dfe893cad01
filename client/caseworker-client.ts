import { decide } from './decide.ts';
import { followTrace } from './follow-trace.ts';
import { forkRun } from './fork-run.ts';
import { readInbox, readWaiting } from './inbox.ts';
import { listRuns } from './list-runs.ts';
import { readEffects } from './read-effects.ts';
import { readTrace } from './read-trace.ts';
import { runHistories } from './run-histories.ts';
import { accessServer, type ClientOptions } from './server-access.ts';
import { runProgress, runResult, showRun } from './show-run.ts';
import { startRun } from './start-run.ts';
import { createSwitches } from './switches.ts';
import type { CaseworkerClient } from './types.ts';

/** A client of one server and namespace; the connection stays the caller's to close. */
export function createClient(options: ClientOptions): CaseworkerClient {
  const access = accessServer(options);
  return {
    start: (request) => startRun(access, request),
    fork: (id, request) => forkRun(access, id, request),
    list: (request) => listRuns(access, request),
    show: (id) => showRun(access, id),
    result: (id, wait) => runResult(access, id, wait?.waitMs ?? 0),
    progress: (id) => runProgress(access, id),
    trace: (id) => readTrace(access, id),
    inbox: (request) => readInbox(access, request),
    waiting: (id) => readWaiting(access, id),
    switches: createSwitches(access),
    effects: (id) => readEffects(access, id),
    follow: (id, how) => followTrace(access, id, how),
    histories: (last) => runHistories(access, last),
    decide: (id, verb, decision) => decide(access, id, { verb, decision }),
    approve: (id, decision) => decide(access, id, { verb: 'approve', decision }),
    edit: (id, decision) => decide(access, id, { verb: 'edit', decision }),
    reject: (id, decision) => decide(access, id, { verb: 'reject', decision }),
    respond: (id, decision) => decide(access, id, { verb: 'respond', decision }),
    settle: (id, decision) => decide(access, id, { verb: 'settle', decision }),
    answer: (id, decision) => decide(access, id, { verb: 'answer', decision }),
    message: (id, decision) => decide(access, id, { verb: 'message', decision }),
    redirect: (id, decision) => decide(access, id, { verb: 'redirect', decision }),
    pause: (id, decision) => decide(access, id, { verb: 'pause', decision }),
    resume: (id, decision) => decide(access, id, { verb: 'resume', decision }),
    takeOver: (id, decision) => decide(access, id, { verb: 'take-over', decision }),
    call: (id, decision) => decide(access, id, { verb: 'call', decision }),
    todo: (id, decision) => decide(access, id, { verb: 'todo', decision }),
    giveBack: (id, decision) => decide(access, id, { verb: 'give-back', decision }),
    resolve: (id, decision) => decide(access, id, { verb: 'resolve', decision }),
    cancel: (id, decision) => decide(access, id, { verb: 'cancel', decision }),
  };
}
