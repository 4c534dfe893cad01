import type { Command } from 'commander';
import { UsageError } from '../../client/errors.ts';
import { command } from '../command-name.ts';
import { decideCall } from '../decide-call.ts';
import { decideMany, type ManyOptions, type ManyVerb } from '../decide-many.ts';
import { execute, optionsOf } from '../execute.ts';
import { newCommand, withDecisionOptions, YES_OPTION } from '../new-command.ts';

export function approveCommand(): Command {
  return withDecisionOptions(
    newCommand('approve', 'Let a held call run: exactly what is shown, once.', [
      ['approve', 'order-desk-7f3k2q'],
      ['approve', 'order-desk-7f3k2q', '3.1', '--args-hash', '3f9a2c1b44de'],
      ['approve', '--query', 'CaseworkerAgent = "order-desk"', '--tool', 'issue_refund', '--yes'],
    ])
      .argument('[id]', 'id of the run')
      .argument('[call]', 'the call; without it the only one that is held')
      .option('--query <query>', 'every held call of the runs that this visibility query finds')
      .option('--tool <name>', 'with --query: only calls of this tool')
      .option('--reason <text>', "why; it is in the run's record")
      .option(...YES_OPTION),
  ).action((id: string | undefined, call: string | undefined, _options, self: Command) => {
    const options = optionsOf<ManyOptions>(self);
    return execute(options, (execution) => {
      const problem = whichProblem('approve', id, options);
      if (problem !== undefined) throw new UsageError(problem);
      const act = { verb: 'approve' } as const;
      if (id === undefined) return decideMany(execution, options, act);
      return decideCall(execution, { id, ...(call === undefined ? {} : { call }) }, { options, act });
    });
  });
}

export function whichProblem(verb: ManyVerb['verb'], id: string | undefined, { query, tool, argsHash }: ManyOptions): string | undefined {
  if ((id === undefined) === (query === undefined)) {
    return `Name one run, or give --query: exactly one of the two.\nWhat waits: ${command('inbox')}\nExamples:   ${command(verb, '--help')}`;
  }
  if (tool !== undefined && query === undefined) return '--tool goes with --query.';
  return argsHash !== undefined && query !== undefined ? 'A hash is that of one call: it does not go with --query.' : undefined;
}
