import type { Command } from 'commander';
import { command } from '../command-name.ts';
import { decideRun } from '../decide-run.ts';
import { execute, optionsOf, type CommonOptions } from '../execute.ts';
import { EXIT } from '../exit-codes.ts';
import { AGENTS_OPTION, BY_OPTION, newCommand } from '../new-command.ts';
import { personHere } from '../person.ts';

interface TakeOverOptions extends CommonOptions {
  readonly reason?: string;
}

export function takeOverCommand(): Command {
  return newCommand('take-over', 'Take a run into your hands: no model is called until you give it back.', [
    ['take-over', 'order-desk-7f3k2q', '--reason', 'The customer is on the telephone.'],
  ])
    .argument('<id>', 'id of the run')
    .option('--reason <text>', 'why')
    .option(...AGENTS_OPTION)
    .option(...BY_OPTION)
    .action((id: string, _options, self: Command) => {
      const options = optionsOf<TakeOverOptions>(self);
      const decision = { by: personHere(options.by), ...(options.reason === undefined ? {} : { reason: options.reason }) };
      return execute(options, async (execution) => {
        const code = await decideRun(execution, { id, verb: 'take-over', decision });
        if (code !== EXIT.ok) return code;
        execution.out.say(
          [
            'While it is yours:',
            `  run a tool  ${command('call', id, 'TOOL', '--args', '{…}')}`,
            `  to-do list  ${command('todo', id, '--add', '…')}`,
            `  give back   ${command('give-back', id, '--note', '…')}`,
            `  answer      ${command('resolve', id, '--answer', '…')}`,
          ].join('\n'),
        );
        return code;
      });
    });
}
