import type { Command } from 'commander';
import type { RunSummary } from '../../client/types.ts';
import { noWorkerText } from '../beside-workers.ts';
import { command } from '../command-name.ts';
import { execute, optionsOf, type CommonOptions } from '../execute.ts';
import { EXIT } from '../exit-codes.ts';
import { newCommand } from '../new-command.ts';
import { table } from '../output.ts';
import { parsePositive, parseStatus } from '../parse-options.ts';
import { oneLine } from '../plain-text.ts';
import type { Session } from '../session.ts';
import { agoText, STATUSES } from '../words.ts';

interface ListOptions extends CommonOptions {
  readonly query?: string;
  readonly agent?: string;
  readonly status?: string;
  readonly limit: number;
}

export function listCommand(): Command {
  return newCommand('list', 'List runs, newest first.', [
    ['list'],
    ['list', '--agent', 'order-desk', '--status', 'handed_over'],
    ['list', '--query', 'StartTime > "2026-01-01T00:00:00Z"', '-o', 'json'],
  ])
    .option('--agent <name>', 'only runs of this agent')
    .option('--status <status>', `only runs that are: ${STATUSES.join(', ')}`, parseStatus)
    .option('--query <query>', 'a visibility query of Temporal, for everything else')
    .option('--limit <number>', 'at most this many', parsePositive, 20)
    .action((_options, self: Command) => {
      const options = optionsOf<ListOptions>(self);
      return execute(options, async ({ out, open }) => {
        const session = await open();
        const { query, agent, status, limit } = options;
        const runs = await session.client.list({
          limit,
          ...(query ? { query } : {}),
          ...(agent ? { agent } : {}),
          ...(status ? { status } : {}),
        });
        if (out.format === 'json') out.value(runs);
        if (out.format === 'jsonl') runs.forEach(out.value);
        if (out.format === 'text' && runs.length > 0) {
          out.lines(
            table(
              ['ID', 'AGENT', 'STATUS', 'REASON', 'STARTED'],
              runs.map((run) => row(run, Date.now())),
              out.style.width,
            ),
          );
        }
        if (runs.length === 0) {
          const none = (query ?? agent ?? status) ? 'No run matches' : 'No runs yet';
          out.say(`${none}. Start one: ${command('run', 'order-desk', 'Is order 88213 late?')}`);
        }
        if (await standsStill(session, runs)) out.say(`\n${noWorkerText()}`);
        return EXIT.ok;
      });
    });
}

/** Whether one of them is called running while no worker polls for it. */
async function standsStill({ isServedElsewhere }: Session, runs: readonly RunSummary[]): Promise<boolean> {
  const queues = new Set(runs.flatMap(({ status, taskQueue }) => (status === 'running' && taskQueue !== undefined ? [taskQueue] : [])));
  // Where that cannot be asked nothing is said: the list itself is complete.
  const served = await Promise.all([...queues].map((queue) => isServedElsewhere({ taskQueue: queue }).catch(() => true)));
  return served.includes(false);
}

function row({ id, agent, status, endReason, startedAtMs }: RunSummary, nowMs: number): readonly string[] {
  return [oneLine(id, 60), oneLine(agent ?? '-', 24), status, endReason ?? '-', agoText(startedAtMs, nowMs)];
}
