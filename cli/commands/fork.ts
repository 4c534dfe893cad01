import type { Command } from 'commander';
import { command } from '../command-name.ts';
import { execute, optionsOf, type CommonOptions } from '../execute.ts';
import { EXIT } from '../exit-codes.ts';
import { BY_OPTION, newCommand } from '../new-command.ts';
import { limitsOf, parseBudgetOption, parseDuration, parsePositive, type LimitOptions } from '../parse-options.ts';
import { personHere } from '../person.ts';

interface ForkOptions extends CommonOptions, LimitOptions {
  readonly atTurn: number;
  readonly goal?: string;
  readonly id?: string;
}

export function forkCommand(): Command {
  return newCommand('fork', 'Start a new run from a copy of another one\'s first turns; what those did is not done again.', [
    ['fork', 'order-desk-7f3k2q', '--at-turn', '3'],
    ['fork', 'order-desk-7f3k2q', '--at-turn', '3', '--goal', 'Only find out; pay nothing.'],
  ])
    .argument('<id>', 'id of the run to copy')
    .requiredOption('--at-turn <number>', 'the last turn that is copied', parsePositive)
    .option('--goal <text>', 'what the new run is to do (default: what the old one was to do by then)')
    .option('--id <id>', 'id of the new run; a second start with the same id is refused (exit code 6)')
    .option('--max-turns <number>', 'model replies at most, those of the copy included', parsePositive)
    .option('--budget <amount>', 'money with its currency or tokens, counted from the fork', parseBudgetOption)
    .option('--time-limit <duration>', 'active time at most, counted from the fork', parseDuration)
    .option(...BY_OPTION)
    .action((parent: string, _options, self: Command) => {
      const options = optionsOf<ForkOptions>(self);
      return execute(options, async ({ out, open }) => {
        const { client } = await open();
        const started = await client.fork(parent, {
          atTurn: options.atTurn,
          requestedBy: personHere(options.by),
          ...(options.goal === undefined ? {} : { goal: options.goal }),
          ...(options.id === undefined ? {} : { id: options.id }),
          ...limitsOf(options),
        });
        if (out.format === 'text') out.lines([started.id]);
        else out.value({ ...started, parent, atTurn: options.atTurn });
        out.say(`Forked from ${parent} at turn ${options.atTurn}. Follow it: ${command('trace', started.id, '-f')}`);
        return EXIT.ok;
      });
    });
}
