import type { Command } from 'commander';
import { UsageError } from '../../client/errors.ts';
import { decideCall } from '../decide-call.ts';
import { decideMany, type ManyOptions } from '../decide-many.ts';
import { execute, optionsOf } from '../execute.ts';
import { newCommand, withDecisionOptions, YES_OPTION } from '../new-command.ts';
import { whichProblem } from './approve.ts';

type RejectOptions = Omit<ManyOptions, 'reason'> & { readonly reason: string };

export function rejectCommand(): Command {
  return withDecisionOptions(
    newCommand('reject', 'Refuse a held call; the model reads why, and the same call asked again needs a person again.', [
      ['reject', 'order-desk-7f3k2q', '--reason', 'Refunded in the shop already.'],
      ['reject', '--query', 'CaseworkerAgent = "order-desk"', '--reason', 'Wrong price list.', '--yes'],
    ])
      .argument('[id]', 'id of the run')
      .argument('[call]', 'the call; without it the only one that is held')
      .option('--query <query>', 'every held call of the runs that this visibility query finds')
      .option('--tool <name>', 'with --query: only calls of this tool')
      .requiredOption('--reason <text>', 'why; the model reads it')
      .option(...YES_OPTION),
  ).action((id: string | undefined, call: string | undefined, _options, self: Command) => {
    const { reason, ...options } = optionsOf<RejectOptions>(self);
    return execute(options, (execution) => {
      const problem = whichProblem('reject', id, options);
      if (problem !== undefined) throw new UsageError(problem);
      const act = { verb: 'reject', more: { reason } } as const;
      if (id === undefined) return decideMany(execution, options, act);
      return decideCall(execution, { id, ...(call === undefined ? {} : { call }) }, { options, act });
    });
  });
}
