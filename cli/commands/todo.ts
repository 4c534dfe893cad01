import type { Command } from 'commander';
import { UsageError } from '../../client/errors.ts';
import { decideRun } from '../decide-run.ts';
import { execute, optionsOf, type CommonOptions } from '../execute.ts';
import { EXIT } from '../exit-codes.ts';
import { AGENTS_OPTION, BY_OPTION, newCommand } from '../new-command.ts';
import { collect, collectPositions } from '../parse-options.ts';
import { personHere } from '../person.ts';
import { todoLines } from '../trace-text.ts';

interface TodoOptions extends CommonOptions {
  readonly done?: readonly number[];
  readonly add?: readonly string[];
}

export function todoCommand(): Command {
  return newCommand('todo', 'Tick off open items of a run that you hold, and add others.', [
    ['todo', 'order-desk-7f3k2q', '--done', '1', '--add', 'Call the customer back.'],
  ])
    .argument('<id>', 'id of the run')
    .option('--done <number...>', 'item that is done, counted from 1; several may be given', collectPositions)
    .option('--add <text>', 'a new item; may be given several times', collect)
    .option(...AGENTS_OPTION)
    .option(...BY_OPTION)
    .action((id: string, _options, self: Command) => {
      const options = optionsOf<TodoOptions>(self);
      const { done, add } = options;
      return execute(options, async (execution) => {
        if (!done && !add) throw new UsageError('Say what changes: --done, --add, or both.');
        const session = await execution.open({ worker: 'if_none_polls' });
        const decision = { by: personHere(options.by), ...(done ? { done } : {}), ...(add ? { add } : {}) };
        const code = await decideRun(execution, { id, session, verb: 'todo', decision });
        const list = code === EXIT.ok ? (await session.client.progress(id))?.todo : undefined;
        if (list && execution.out.format === 'text') execution.out.lines(todoLines(list, execution.out.style));
        return code;
      });
    });
}
