import type { Command } from 'commander';
import { aboutRun, type AboutRun } from '../../client/about-run.ts';
import { inboxEntries } from '../../client/inbox-entries.ts';
import type { InboxEntry } from '../../client/inbox-entry.ts';
import { standingOfRecord, standingOfRun } from '../../client/standing.ts';
import type { CaseworkerClient, RunSummary, ShownRun, TraceEntry } from '../../client/types.ts';
import type { StopItem } from '../../core/transcript.ts';
import { noWorkerText } from '../beside-workers.ts';
import { command } from '../command-name.ts';
import { execute, optionsOf, type CommonOptions } from '../execute.ts';
import { EXIT } from '../exit-codes.ts';
import { newCommand } from '../new-command.ts';
import { labelled, plainText } from '../plain-text.ts';
import { webUiLines } from '../session-text.ts';
import { answerText, handOverLines } from '../ending-text.ts';
import type { TraceStyle } from '../trace-style.ts';
import { todoLines } from '../trace-text.ts';
import { waitingText } from '../waiting-text.ts';
import { agoText, endReasonText, statusWords, usageText } from '../words.ts';

export function showCommand(): Command {
  return newCommand('show', 'Show how one run stands: status, usage, hand-over, answer.', [
    ['show', 'order-desk-7f3k2q'],
    ['show', 'order-desk-7f3k2q', '-o', 'json'],
  ])
    .argument('<id>', 'id of the run')
    .action((id: string, _options, self: Command) =>
      execute(optionsOf<CommonOptions>(self), async ({ out, open }) => {
        const session = await open();
        const shown = await session.client.show(id);
        const known = await knownOf(session.client, shown);
        const unanswered = shown.summary.closedAtMs === undefined && shown.progress === undefined;
        const noWorker = unanswered && !(await session.isServedElsewhere({ taskQueue: shown.summary.taskQueue }).catch(() => true));
        if (out.format === 'text') out.lines([...showLines(shown, known, out.style), ...waitingLines(known.waiting, out.style)]);
        else out.value({ ...shown, ...known, unanswered, noWorker, webUi: session.webUiOf(id).webUi });
        // A worker that polls and does not answer is busy, or cannot go on with this run: nothing is promised of it.
        if (unanswered) out.say(`\n${noWorker ? noWorkerText() : 'No worker has answered: this is what the record tells.'}`);
        out.say([`\nTrace: ${command('trace', id)}`, ...webUiLines(session.webUiOf(id))].join('\n'));
        return EXIT.ok;
      }),
    );
}

/** What the run says of itself or, where it has ended or nobody answers for it, its record. */
interface Known extends AboutRun {
  readonly waiting: readonly InboxEntry[];
  readonly lastStop?: StopItem;
}

async function knownOf({ trace }: CaseworkerClient, shown: ShownRun): Promise<Known> {
  const { summary, progress, result } = shown;
  if (progress) {
    const { agent, goal } = progress;
    return { ...(agent ? { agent } : {}), goal, waiting: inboxEntries(summary, standingOfRun(progress)) };
  }
  // An ended run has its result: what of its record cannot be read any more is left out, not in the way.
  const record = await trace(summary.id).catch((error: unknown) => {
    if (!result) throw error;
    return { entries: [] };
  });
  const stop = result ? undefined : lastStop(record.entries);
  return { ...aboutRun(record), waiting: waitingOf(summary, record.entries), ...(stop ? { lastStop: stop } : {}) };
}

function lastStop(entries: readonly TraceEntry[]): StopItem | undefined {
  const items = entries.flatMap((entry) => (entry.kind === 'item' ? [entry.item] : []));
  const last = items.findLast((item) => item.type === 'stop' || item.type === 'reply');
  return last?.type === 'stop' ? last : undefined;
}

function waitingOf(summary: RunSummary, entries: readonly TraceEntry[]): readonly InboxEntry[] {
  const { status, closedAtMs } = summary;
  if (closedAtMs !== undefined || status === 'terminated' || status === 'failed') return [];
  return inboxEntries(summary, standingOfRecord(entries, status));
}

/** The hand-over is told with its package already. */
function waitingLines(waiting: readonly InboxEntry[], style: TraceStyle): readonly string[] {
  return waiting.filter(({ kind }) => kind !== 'hand_over').flatMap((entry) => ['', ...waitingText(entry, style, { nowMs: Date.now() })]);
}

function showLines({ summary, progress, result }: ShownRun, { agent, goal, lastStop: stop }: Known, style: TraceStyle): readonly string[] {
  const nowMs = Date.now();
  const field = (label: string, text: string | undefined): readonly string[] =>
    text === undefined ? [] : labelled(label, plainText(text), { indent: 12, width: style.width });
  const status = stop && summary.status === 'running' ? 'handed_over' : summary.status;
  const usage = result?.usage ?? progress?.usage ?? stop?.usage;
  const limits = result?.limits ?? progress?.limits ?? (progress?.budget ? { budget: progress.budget } : {});
  const handOver = progress?.handOver ?? result?.handOver ?? stop?.handOver;
  const reason = result?.endReason ?? stop?.reason ?? progress?.stops.at(-1)?.reason;
  return [
    style.bold(summary.id),
    ...field('Agent', agent ? `${agent.name} ${agent.version} · ${agent.form}` : summary.agent),
    ...field('Status', statusWords(status)),
    ...field('Reason', reason && endReasonText(reason)),
    ...field(
      'Started',
      `${agoText(summary.startedAtMs, nowMs)}${summary.requestedBy ? ` for ${summary.requestedBy}` : ''}`,
    ),
    ...field('Forked', summary.forkedFrom && `from ${summary.forkedFrom}`),
    ...field('Ended', summary.closedAtMs === undefined ? undefined : agoText(summary.closedAtMs, nowMs)),
    ...field('Goal', goal ?? handOver?.goal),
    ...field('Held by', progress?.takenOverBy?.name),
    ...field('Used', usage && usageText(usage, limits)),
    ...field('Answer', result?.answer === undefined ? undefined : answerText(result.answer)),
    ...(progress?.todo?.length ? ['To do', ...todoLines(progress.todo, style)] : []),
    ...(handOver && result?.answer === undefined ? ['Hand-over', ...handOverLines(handOver, style)] : []),
  ];
}
