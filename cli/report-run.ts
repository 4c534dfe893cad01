import type { HandOver, HeldView } from '../core/run.ts';
import { command } from './command-name.ts';
import { EXIT, exitCodeOfResult, exitCodeOfStop, type ExitCode } from './exit-codes.ts';
import type { Output } from './output.ts';
import type { RunPage, Session } from './session.ts';
import { webUiLines } from './session-text.ts';
import { answerCommand, approveCommand, goOnCommands, heldBody } from './waiting-text.ts';
import type { Watched } from './watch-run.ts';

export interface ReportedRun extends RunPage {
  readonly id: string;
}

/** Says how a watched run stands, what can be done next, and gives the exit code. */
export async function reportRun(out: Output, session: Session, { id, watched }: { readonly id: string; readonly watched: Watched }): Promise<ExitCode> {
  const run: ReportedRun = { id, ...session.webUiOf(id) };
  if (out.format === 'json') out.value(documentOf(run, watched));
  const isLeft = watched.kind === 'timed_out' || watched.kind === 'interrupted';
  const { lines, code } = reportOf(id, watched, isLeft ? await goesOnText(session, id) : '');
  out.say(['', ...lines, ...webUiLines(run)].join('\n'));
  return code;
}

/** Whoever ends the watching does not want to wait for a server that is away. */
export const LAST_LOOK_MS = 1_000;

/** What becomes of the run without this process, as things stand now. */
async function goesOnText(session: Session, run: string): Promise<string> {
  // That it is kept holds of a server that does not answer too.
  const goesOn = await session.isServedElsewhere({ run }, AbortSignal.timeout(LAST_LOOK_MS)).catch(() => false);
  return goesOn ? 'The run goes on.' : `The run is kept and goes on as soon as a worker is up: ${command('dev')}`;
}

/** What `--output json` gives for a run that was watched. */
export function documentOf({ id, webUi }: ReportedRun, watched: Watched): object {
  const where = webUi ? { webUi } : {};
  switch (watched.kind) {
    case 'ended': {
      const { result } = watched;
      return {
        id,
        status: 'ended',
        endReason: result.endReason,
        ...(result.answer === undefined ? {} : { answer: result.answer }),
        result,
        ...where,
      };
    }
    case 'waiting':
      return {
        id,
        status: watched.status,
        ...(watched.stop ? { endReason: watched.stop.reason } : {}),
        ...(watched.handOver ? { handOver: watched.handOver } : {}),
        ...(watched.held ? { held: watched.held } : {}),
        ...(watched.question ? { question: watched.question } : {}),
        ...where,
      };
    case 'closed':
      return { id, status: 'failed', closed: watched.how, ...where };
    default:
      return { id, status: 'running', watching: watched.kind, ...where };
  }
}

function reportOf(id: string, watched: Watched, later: string): { readonly lines: readonly string[]; readonly code: ExitCode } {
  switch (watched.kind) {
    case 'ended':
      return { lines: [`Read it again: ${command('trace', id)}`], code: exitCodeOfResult(watched.result) };
    case 'waiting':
      return { lines: waitingLines(id, watched), code: watched.stop ? exitCodeOfStop(watched.stop) : EXIT.noAnswer };
    case 'closed':
      return { lines: [`The run closed without a result: ${watched.how}.`], code: EXIT.noAnswer };
    case 'timed_out':
      return { lines: [`Not watched any longer: --wait ran out. ${later}`, ...goOnLines(id)], code: EXIT.timeout };
    case 'interrupted':
      return { lines: [`Detached from ${id}; it was not cancelled. ${later}`, ...goOnLines(id)], code: EXIT.interrupted };
  }
}

function goOnLines(id: string): readonly string[] {
  return [`  watch it   ${command('trace', id, '-f')}`, `  cancel it  ${command('cancel', id, '--reason', '…')}`];
}

function waitingLines(id: string, { status, handOver, held = [], question }: Extract<Watched, { kind: 'waiting' }>): readonly string[] {
  if (held.length > 0) return heldLines(id, held);
  switch (status) {
    case 'waiting_answer':
      return ['The run waits for an answer:', `  answer  ${answerCommand(id, question?.form)}`];
    case 'paused':
      return ['The run is paused:', `  go on   ${command('resume', id)}`];
    case 'taken_over':
      return [
        'A person holds the run:',
        `  run a tool  ${command('call', id, 'TOOL', '--args', '{…}')}`,
        `  give back   ${command('give-back', id, '--note', '…')}`,
        `  answer      ${command('resolve', id, '--answer', '…')}`,
      ];
    default:
      return handedOverLines(id, handOver);
  }
}

/** The bytes above the command are those that it says yes to. */
function heldLines(id: string, held: readonly HeldView[]): readonly string[] {
  const one = held.length === 1;
  return [
    `The run waits for ${one ? 'an approval' : `${held.length} approvals`}:`,
    ...held.flatMap((view) => [
      '',
      ...heldBody(view, { indent: 2, width: WIDTH, nowMs: Date.now() }),
      `  approve  ${approveCommand({ run: id, ...view })}`,
      `  reject   ${command('reject', id, view.call, '--reason', '…')}`,
    ]),
    ...(one ? [`  change   ${command('edit', id, '--editor')}`] : []),
  ];
}

const WIDTH = 80;

function handedOverLines(id: string, handOver: HandOver | undefined): readonly string[] {
  return [
    `The run waits for a person${handOver?.queue ? ` of ${handOver.queue}` : ''}:`,
    ...goOnCommands(id, handOver).map((line, i) => `  ${i === 0 ? 'go on' : 'then '}    ${line}`),
    `  answer   ${command('resolve', id, '--answer', '…')}`,
    `  end it   ${command('cancel', id, '--reason', '…')}`,
  ];
}
