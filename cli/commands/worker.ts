import type { Command } from 'commander';
import { execute, optionsOf, type CommonOptions } from '../execute.ts';
import { AGENTS_OPTION, newCommand } from '../new-command.ts';
import { serve } from '../serve.ts';
import { describeWorker } from '../session-text.ts';

export function workerCommand(): Command {
  return newCommand('worker', 'A worker for the runs of one server, until Ctrl-C or SIGTERM.', [
    ['worker'],
    ['worker', '--agents', './agents.ts'],
  ])
    .option(...AGENTS_OPTION)
    .action((_options, self: Command) =>
      execute(optionsOf<CommonOptions>(self), async (execution) => {
        const session = await execution.open({ worker: 'always' });
        execution.out.say([...describeWorker(session), 'Ctrl-C ends it.'].join('\n'));
        return serve(execution, session);
      }),
    );
}
