import type { Command } from 'commander';
import { execute, optionsOf, type CommonOptions } from '../execute.ts';
import { AGENTS_OPTION, newCommand } from '../new-command.ts';
import { serve } from '../serve.ts';
import { describeWorker } from '../session-text.ts';

interface WorkerOptions extends CommonOptions {
  readonly deployment?: string;
  readonly buildId?: string;
}

export function workerCommand(): Command {
  return newCommand('worker', 'A worker for the runs of one server, until Ctrl-C or SIGTERM.', [
    ['worker'],
    ['worker', '--agents', './agents.ts'],
    ['worker', '--deployment', 'order-desk', '--build-id', '2026-03-01'],
  ])
    .option(...AGENTS_OPTION)
    .option('--deployment <name>', 'deployment that this worker is a build of (CASEWORKER_DEPLOYMENT); its runs are pinned to it')
    .option('--build-id <id>', 'which build it is (CASEWORKER_BUILD_ID)')
    .action((_options, self: Command) => {
      const { deployment: name, buildId, ...options } = optionsOf<WorkerOptions>(self);
      const deployment = { ...(name === undefined ? {} : { name }), ...(buildId === undefined ? {} : { buildId }) };
      return execute(options, async (execution) => {
        const session = await execution.open({ worker: 'always', deployment });
        execution.out.say([...describeWorker(session), 'Ctrl-C ends it.'].join('\n'));
        return serve(execution, session);
      });
    });
}
