import type { Verb } from '../core/verbs.ts';
import type { DecisionOutcome, DecisionRequest, TraceEntry } from '../client/types.ts';
import { besideWorkers } from './beside-workers.ts';
import { command } from './command-name.ts';
import type { Execution } from './execute.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { reportRun } from './report-run.ts';
import type { Session } from './session.ts';
import { watchRun } from './watch-run.ts';

export interface DecideRun<V extends Verb> {
  readonly id: string;
  readonly verb: V;
  readonly decision: DecisionRequest<V>;
  /** The run goes on because of this, and somebody at a terminal wants to see it. */
  readonly watch?: boolean;
  readonly waitMs?: number;
  /** The run does not go on because of this: what is watched is what the decision itself brings. */
  readonly once?: boolean;
  /** One that was opened already. */
  readonly session?: Session;
}

/** Brings one decision to one run, says what became of it, and for verbs that let a run go on tells its trace from there. */
export async function decideRun<V extends Verb>(execution: Execution, run: DecideRun<V>): Promise<ExitCode> {
  const { id, verb, decision, watch = false } = run;
  const { out, interrupt } = execution;
  const session = run.session ?? (await execution.open({ worker: 'if_none_polls' }));
  const known = watch ? (await session.client.trace(id)).entries : [];
  const outcome = await session.client.decide(id, verb, decision);
  const code = tellOutcome(execution, run, outcome);
  if (!watch || code !== EXIT.ok) {
    if (out.format !== 'text') out.value({ id, verb, ...outcome });
    if (ENDS_RUN.includes(verb) && outcome.state === 'applied') await seenOut(session, id);
    return code;
  }
  const wait = run.waitMs === undefined ? {} : { waitMs: run.waitMs };
  const watched = await besideWorkers(session, out, {
    run: id,
    watch: () => watchRun(session.client, out, { id, signal: interrupt.signal, known: unfinished(known), ...wait }),
  });
  const reported = await reportRun(out, session, { id, watched });
  return run.once && watched.kind === 'waiting' && watched.status === 'taken_over' && !watched.held?.length ? EXIT.ok : reported;
}

const ENDS_RUN: readonly Verb[] = ['cancel', 'resolve'];
const LAST_STEPS_MS = 10_000;

/** The worker of this process is the only one: it leaves when the run has ended and is archived. */
export async function seenOut({ client, worker }: Session, id: string): Promise<void> {
  if (worker) await client.result(id, { waitMs: LAST_STEPS_MS });
}

/** A wait that was over before the decision came must not end the watching of what follows it. */
function unfinished(entries: readonly TraceEntry[]): readonly TraceEntry[] {
  return entries.filter(({ kind }) => kind !== 'end' && kind !== 'closed');
}

function tellOutcome<V extends Verb>(
  { out }: Execution,
  { id, verb }: DecideRun<V>,
  outcome: DecisionOutcome,
): ExitCode {
  switch (outcome.state) {
    case 'applied':
      out.say(`${verb}: ${outcome.text}`);
      return EXIT.ok;
    case 'refused':
      out.say(
        `${verb} was refused, because ${outcome.because}. It is in the run's record.\nHow it stands: ${command('show', id)}`,
      );
      return outcome.kind === 'not_allowed' ? EXIT.notAllowed : EXIT.conflict;
    case 'delivered':
      out.say(
        `${verb}: delivered, not yet applied: no worker has taken it. It is applied as soon as one is up: ${command('dev')}`,
      );
      return EXIT.ok;
  }
}
