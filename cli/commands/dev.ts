import type { Command } from 'commander';
import { command } from '../command-name.ts';
import { execute, optionsOf, type CommonOptions } from '../execute.ts';
import { EXIT } from '../exit-codes.ts';
import { interrupted } from '../interrupt.ts';
import { AGENTS_OPTION, newCommand } from '../new-command.ts';
import { describeWorker } from '../session-text.ts';

export function devCommand(): Command {
  return newCommand('dev', 'Server, worker and offline model, until Ctrl-C.', [
    ['dev'],
    ['dev', '--agents', './agents.ts'],
  ])
    .option(...AGENTS_OPTION)
    .action((_options, self: Command) =>
      execute(optionsOf<CommonOptions>(self), async ({ out, open, interrupt }) => {
        const session = await open({ worker: 'always' });
        out.say(
          [
            ...describeWorker(session),
            '',
            `Start a run: ${command('run', session.agents[0] ?? 'order-desk', '…')}`,
            'Ctrl-C ends it.',
          ].join('\n'),
        );
        await interrupted(interrupt);
        out.say('Ending; runs are kept. A second Ctrl-C ends at once.');
        return EXIT.ok;
      }),
    );
}
