import type { Command } from 'commander';
import { UsageError } from '../../client/errors.ts';
import { decideRun } from '../decide-run.ts';
import { execute, optionsOf, type CommonOptions } from '../execute.ts';
import { AGENTS_OPTION, BY_OPTION, newCommand } from '../new-command.ts';
import { collect } from '../parse-options.ts';
import { personHere } from '../person.ts';

interface RedirectOptions extends CommonOptions {
  readonly goal?: string;
  readonly constraint?: readonly string[];
  readonly now?: boolean;
}

export function redirectCommand(): Command {
  return newCommand('redirect', 'Change what a run is after, or the rules that it follows.', [
    ['redirect', 'order-desk-7f3k2q', '--goal', 'Find out why order 88213 was late.'],
    ['redirect', 'order-desk-7f3k2q', '--constraint', 'Refund nothing above ₹100.'],
  ])
    .argument('<id>', 'id of the run')
    .option('--goal <text>', 'the new goal')
    .option('--constraint <text>', 'a rule; all rules together replace the old ones', collect)
    .option('--now', 'cut a running model call short, so that the next one knows')
    .option(...AGENTS_OPTION)
    .option(...BY_OPTION)
    .action((id: string, _options, self: Command) => {
      const options = optionsOf<RedirectOptions>(self);
      const { goal, constraint, now } = options;
      return execute(options, (execution) => {
        if (goal === undefined && constraint === undefined)
          throw new UsageError('Say where to: --goal, --constraint, or both.');
        const change = { ...(goal === undefined ? {} : { goal }), ...(constraint ? { constraints: constraint } : {}), ...(now ? { now: true } : {}) };
        return decideRun(execution, { id, verb: 'redirect', decision: { by: personHere(options.by), ...change } });
      });
    });
}
