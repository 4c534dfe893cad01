import type { Command } from 'commander';
import { decideRun } from '../decide-run.ts';
import { execute, optionsOf, type CommonOptions } from '../execute.ts';
import { AGENTS_OPTION, BY_OPTION, newCommand } from '../new-command.ts';
import { personHere } from '../person.ts';

interface PauseOptions extends CommonOptions {
  readonly reason?: string;
}

export function pauseCommand(): Command {
  return newCommand('pause', 'Let a run start nothing more until it is resumed.', [
    ['pause', 'order-desk-7f3k2q', '--reason', 'The kitchen is being called.'],
  ])
    .argument('<id>', 'id of the run')
    .option('--reason <text>', 'why')
    .option(...AGENTS_OPTION)
    .option(...BY_OPTION)
    .action((id: string, _options, self: Command) => {
      const options = optionsOf<PauseOptions>(self);
      const decision = {
        by: personHere(options.by),
        ...(options.reason === undefined ? {} : { reason: options.reason }),
      };
      return execute(options, (execution) => decideRun(execution, { id, verb: 'pause', decision }));
    });
}
