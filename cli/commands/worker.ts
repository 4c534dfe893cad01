import type { Command } from 'commander';
import { execute, optionsOf, type CommonOptions } from '../execute.ts';
import { EXIT } from '../exit-codes.ts';
import { interrupted } from '../interrupt.ts';
import { AGENTS_OPTION, newCommand } from '../new-command.ts';
import { describeWorker } from '../session-text.ts';

export function workerCommand(): Command {
  return newCommand('worker', 'A worker for the runs of one server, until Ctrl-C or SIGTERM.', [
    ['worker'],
    ['worker', '--agents', './agents.ts'],
  ])
    .option(...AGENTS_OPTION)
    .action((_options, self: Command) =>
      execute(optionsOf<CommonOptions>(self), async ({ out, open, interrupt }) => {
        const session = await open({ worker: 'always' });
        out.say([...describeWorker(session), 'Ctrl-C ends it.'].join('\n'));
        await interrupted(interrupt);
        out.say('Ending: calls in flight may finish first. A second Ctrl-C ends at once.');
        return EXIT.ok;
      }),
    );
}
