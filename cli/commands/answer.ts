import type { Command } from 'commander';
import { decideRun } from '../decide-run.ts';
import { execute, optionsOf, type CommonOptions } from '../execute.ts';
import { AGENTS_OPTION, BY_OPTION, newCommand } from '../new-command.ts';
import { personHere } from '../person.ts';

interface AnswerOptions extends CommonOptions {
  readonly call?: string;
  readonly detach?: boolean;
}

export function answerCommand(): Command {
  return newCommand('answer', 'Answer the question that a run has asked, and watch it go on.', [
    ['answer', 'order-desk-7f3k2q', 'The order number is 88214.'],
  ])
    .argument('<id>', 'id of the run')
    .argument('<text>', 'the answer')
    .option('--call <id>', 'the question that is meant; without it the open one')
    .option('--detach', 'come back as soon as it goes on')
    .option(...AGENTS_OPTION)
    .option(...BY_OPTION)
    .action((id: string, text: string, _options, self: Command) => {
      const options = optionsOf<AnswerOptions>(self);
      const decision = {
        by: personHere(options.by),
        text,
        ...(options.call === undefined ? {} : { call: options.call }),
      };
      return execute(options, (execution) =>
        decideRun(execution, { id, verb: 'answer', decision, watch: options.detach !== true }),
      );
    });
}
