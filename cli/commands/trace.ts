import type { Command } from 'commander';
import { besideWorkers } from '../beside-workers.ts';
import { command } from '../command-name.ts';
import { execute, optionsOf, type CommonOptions } from '../execute.ts';
import { EXIT } from '../exit-codes.ts';
import { newCommand } from '../new-command.ts';
import { parseDuration } from '../parse-options.ts';
import { reportRun } from '../report-run.ts';
import { webUiLines } from '../session-text.ts';
import { traceLines } from '../trace-text.ts';
import { watchRun } from '../watch-run.ts';

interface TraceOptions extends CommonOptions {
  readonly follow?: boolean;
  readonly wait?: number;
}

export function traceCommand(): Command {
  return newCommand(
    'trace',
    'Tell what a run did: thoughts, actions, observations, nudges, stops, persons. Needs no worker.',
    [
      ['trace', 'order-desk-7f3k2q'],
      ['trace', 'order-desk-7f3k2q', '-f'],
      ['trace', 'order-desk-7f3k2q', '-o', 'jsonl'],
    ],
  )
    .argument('<id>', 'id of the run')
    .option('-f, --follow', 'go on telling until the run ends')
    .option('--full', 'whole observations instead of their first lines')
    .option('--wait <duration>', 'follow for this long at most (exit code 124 after it)', parseDuration)
    .action((id: string, _options, self: Command) => {
      const options = optionsOf<TraceOptions>(self);
      return execute(options, async ({ out, open, interrupt }) => {
        const session = await open();
        if (options.follow) {
          out.say(`Following ${id}; Ctrl-C ends the watching, not the run.`);
          const wait = options.wait === undefined ? {} : { waitMs: options.wait };
          const watched = await besideWorkers(session, out, {
            run: id,
            watch: () => watchRun(session.client, out, { id, signal: interrupt.signal, throughWaits: true, ...wait }),
          });
          return reportRun(out, session, { id, watched });
        }
        const trace = await session.client.trace(id);
        if (out.format === 'text') out.lines(traceLines(trace.entries, out.style));
        if (out.format === 'json') out.value(trace);
        if (out.format === 'jsonl') trace.entries.forEach(out.value);
        if (trace.entries.length === 0) out.say('Nothing has happened yet: no worker has taken this run.');
        const over = trace.entries.some(({ kind }) => kind === 'end' || kind === 'closed');
        if (!over) out.say(`\nThe run has not ended. Follow it: ${command('trace', id, '-f')}`);
        webUiLines(session.webUiOf(id)).forEach(out.say);
        return EXIT.ok;
      });
    });
}
