import type { Command } from 'commander';
import { decideRun } from '../decide-run.ts';
import { execute, optionsOf, type CommonOptions } from '../execute.ts';
import { AGENTS_OPTION, BY_OPTION, newCommand } from '../new-command.ts';
import { personHere } from '../person.ts';

interface MessageOptions extends CommonOptions {
  readonly now?: boolean;
}

export function messageCommand(): Command {
  return newCommand('message', 'Tell a run something; it reads it before its next turn.', [
    ['message', 'order-desk-7f3k2q', 'The customer has called again.'],
  ])
    .argument('<id>', 'id of the run')
    .argument('<text>', 'what it should know')
    .option('--now', 'cut a running model call short, so that the next one knows')
    .option(...AGENTS_OPTION)
    .option(...BY_OPTION)
    .action((id: string, text: string, _options, self: Command) => {
      const options = optionsOf<MessageOptions>(self);
      return execute(options, (execution) =>
        decideRun(execution, { id, verb: 'message', decision: { by: personHere(options.by), text, ...(options.now ? { now: true } : {}) } }),
      );
    });
}
