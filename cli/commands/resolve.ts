import type { Command } from 'commander';
import { decideRun } from '../decide-run.ts';
import { execute, optionsOf, type CommonOptions } from '../execute.ts';
import { AGENTS_OPTION, BY_OPTION, newCommand } from '../new-command.ts';
import { textOrObject } from '../parse-options.ts';
import { personHere } from '../person.ts';

interface ResolveOptions extends CommonOptions {
  readonly answer: string;
}

export function resolveCommand(): Command {
  return newCommand('resolve', 'End a handed-over run with your own answer.', [
    ['resolve', 'order-desk-7f3k2q', '--answer', '₹25, the delivery fee.'],
  ])
    .argument('<id>', 'id of the run')
    .requiredOption('--answer <text>', 'the answer; a JSON object where the agent answers with one')
    .option(...AGENTS_OPTION)
    .option(...BY_OPTION)
    .action((id: string, _options, self: Command) => {
      const options = optionsOf<ResolveOptions>(self);
      const decision = { by: personHere(options.by), answer: textOrObject(options.answer) };
      return execute(options, (execution) => decideRun(execution, { id, verb: 'resolve', decision }));
    });
}
