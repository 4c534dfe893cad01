import type { Command } from 'commander';
import { command } from '../command-name.ts';
import { execute, optionsOf, type CommonOptions } from '../execute.ts';
import { AGENTS_OPTION, newCommand } from '../new-command.ts';
import { openConsoleBeside } from '../open-console.ts';
import { serve } from '../serve.ts';
import { describeWorker } from '../session-text.ts';

export function devCommand(): Command {
  return newCommand('dev', 'Server, worker, offline model and the operators\' page, until Ctrl-C.', [
    ['dev'],
    ['dev', '--agents', './agents.ts'],
  ])
    .option(...AGENTS_OPTION)
    .action((_options, self: Command) =>
      execute(optionsOf<CommonOptions>(self), async (execution) => {
        const session = await execution.open({ worker: 'always' });
        const page = await openConsoleBeside(session, execution.out.say);
        execution.out.say(
          [
            ...describeWorker(session),
            ...(page.url ? [`Console  ${page.url}`] : []),
            '',
            `Start a run: ${command('run', session.agents[0] ?? 'order-desk', '…')}`,
            'Ctrl-C ends it.',
          ].join('\n'),
        );
        return serve(execution, session).finally(() => page.close?.());
      }),
    );
}
