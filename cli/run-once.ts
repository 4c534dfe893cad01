import type { StartRequest } from '../client/types.ts';
import { besideWorkers } from './beside-workers.ts';
import { command } from './command-name.ts';
import type { Execution } from './execute.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { reportRun } from './report-run.ts';
import type { Session } from './session.ts';
import { watchRun, type Watched } from './watch-run.ts';

export interface RunOnce {
  readonly request: StartRequest;
  readonly waitMs?: number;
  readonly detach?: boolean;
}

/** Starts a run and tells its trace until it ends or waits. */
export async function runOnce(
  { out, interrupt }: Execution,
  session: Session,
  { request, waitMs, detach }: RunOnce,
): Promise<{ readonly code: ExitCode; readonly id: string; readonly watched?: Watched }> {
  const { id } = await session.client.start(request);
  if (detach) {
    const { webUi } = session.webUiOf(id);
    if (out.format === 'text') out.lines([id]);
    else out.value({ id, status: 'running', ...(webUi ? { webUi } : {}) });
    if (!(await session.isServedElsewhere().catch(() => true))) out.say(`No worker is up: the run starts as soon as one is: ${command('dev')}`);
    out.say(`Watch it: ${command('trace', id, '-f')}`);
    return { code: EXIT.ok, id };
  }
  out.say(`Run ${id}\n`);
  const watched = await besideWorkers(session, out, {
    run: id,
    watch: () => watchRun(session.client, out, { id, signal: interrupt.signal, ...(waitMs === undefined ? {} : { waitMs }) }),
  });
  return { code: await reportRun(out, session, { id, watched }), id, watched };
}
