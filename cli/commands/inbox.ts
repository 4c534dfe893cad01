import type { Command } from 'commander';
import { execute, optionsOf, type CommonOptions } from '../execute.ts';
import { EXIT } from '../exit-codes.ts';
import { BY_OPTION, newCommand } from '../new-command.ts';
import { parsePositive } from '../parse-options.ts';
import { personHere } from '../person.ts';
import { waitingText } from '../waiting-text.ts';

interface InboxOptions extends CommonOptions {
  readonly mine?: boolean;
  readonly tool?: string;
  readonly queue?: string;
  readonly agent?: string;
  readonly limit: number;
}

export function inboxCommand(): Command {
  return newCommand('inbox', 'List what waits for persons over all runs, the oldest first, with the command that answers it.', [
    ['inbox'],
    ['inbox', '--mine', '--tool', 'issue_refund'],
    ['inbox', '--queue', 'finance', '-o', 'json'],
  ])
    .option('--mine', 'runs that you hold, and calls that you may decide (see --by)')
    .option('--tool <name>', 'only calls of this tool')
    .option('--queue <name>', 'only hand-overs to this queue')
    .option('--agent <name>', 'only runs of this agent')
    .option('--limit <number>', 'at most this many', parsePositive, 20)
    .option(...BY_OPTION)
    .action((_options, self: Command) => {
      const options = optionsOf<InboxOptions>(self);
      return execute(options, async ({ out, open }) => {
        const { client } = await open();
        const { mine, tool, queue, agent, limit } = options;
        const wanted = {
          ...(mine ? { mine: personHere(options.by) } : {}),
          ...(tool === undefined ? {} : { tool }),
          ...(queue === undefined ? {} : { queue }),
          ...(agent === undefined ? {} : { agent }),
        };
        const all = await client.inbox(wanted);
        const entries = all.slice(0, limit);
        if (out.format === 'json') out.value(entries);
        if (out.format === 'jsonl') entries.forEach(out.value);
        if (out.format === 'text') {
          entries.forEach((entry, i) => out.lines([...(i === 0 ? [] : ['']), ...waitingText(entry, out.style, { nowMs: Date.now() })]));
        }
        if (all.length > entries.length) out.say(`\n${all.length - entries.length} more: --limit ${all.length}`);
        if (all.length === 0) out.say(Object.keys(wanted).length > 0 ? 'Nothing that matches waits for a person.' : 'Nothing waits for a person.');
        if (entries.some(({ source }) => source === 'record')) {
          out.say('\nNo worker answered: this is what the record tells. What was decided since is applied as soon as one is up.');
        }
        return EXIT.ok;
      });
    });
}
