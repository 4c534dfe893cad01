import type { Command } from 'commander';
import { BUILD_ID_VARIABLE, DEPLOYMENT_VARIABLE } from '../../worker/deployment.ts';
import { PACE_VARIABLE } from '../../worker/pace.ts';
import { execute, optionsOf, type CommonOptions } from '../execute.ts';
import { AGENTS_OPTION, newCommand } from '../new-command.ts';
import { serve } from '../serve.ts';
import { describeWorker } from '../session-text.ts';

interface WorkerOptions extends CommonOptions {
  readonly deployment?: string;
  readonly buildId?: string;
  readonly activitiesPerSecond?: string;
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
    .option('--activities-per-second <number>', 'model and tool calls that all workers of the task queue start a second, together (CASEWORKER_ACTIVITIES_PER_SECOND)')
    .action((_options, self: Command) => {
      const { deployment, buildId, activitiesPerSecond, ...options } = optionsOf<WorkerOptions>(self);
      const workerEnv = {
        ...(deployment === undefined ? {} : { [DEPLOYMENT_VARIABLE]: deployment }),
        ...(buildId === undefined ? {} : { [BUILD_ID_VARIABLE]: buildId }),
        ...(activitiesPerSecond === undefined ? {} : { [PACE_VARIABLE]: activitiesPerSecond }),
      };
      return execute(options, async (execution) => {
        const session = await execution.open({ worker: 'always', workerEnv });
        execution.out.say([...describeWorker(session), 'Ctrl-C ends it.'].join('\n'));
        return serve(execution, session);
      });
    });
}
