import type { Command } from 'commander';
import { decideRun } from '../decide-run.ts';
import { execute, optionsOf, type CommonOptions } from '../execute.ts';
import { AGENTS_OPTION, BY_OPTION, newCommand } from '../new-command.ts';
import { limitsOf, parseBudgetOption, parseDuration, parsePositive, type LimitOptions } from '../parse-options.ts';
import { personHere } from '../person.ts';

interface ResumeOptions extends CommonOptions, LimitOptions {
  readonly note?: string;
  readonly goal?: string;
  readonly detach?: boolean;
  readonly wait?: number;
}

export const resumeCommand = () =>
  goOnCommand('resume', 'Let a paused or handed-over run go on, with a note, a new goal or raised limits.', [
    ['resume', 'order-desk-7f3k2q', '--note', 'The customer means order 88214.'],
    ['resume', 'order-desk-7f3k2q', '--max-turns', '24', '--budget', '₹40', '--time-limit', '240s'],
  ]);

/** A command that lets a run go on. */
export function goOnCommand(verb: 'resume' | 'give-back', description: string, examples: readonly (readonly string[])[]): Command {
  return newCommand(verb, description, examples)
    .argument('<id>', 'id of the run')
    .option('--note <text>', 'what the run should know from now on')
    .option('--goal <text>', 'what it should do instead')
    .option('--max-turns <number>', 'model replies at most, counted from the start', parsePositive)
    .option('--budget <amount>', 'money with its currency or tokens, counted from the start', parseBudgetOption)
    .option('--time-limit <duration>', 'active time at most, counted from the start', parseDuration)
    .option('--detach', 'come back as soon as it goes on')
    .option('--wait <duration>', 'watch for this long at most (exit code 124 after it)', parseDuration)
    .option(...AGENTS_OPTION)
    .option(...BY_OPTION)
    .action((id: string, _options, self: Command) => {
      const options = optionsOf<ResumeOptions>(self);
      const decision = {
        by: personHere(options.by),
        ...(options.note === undefined ? {} : { note: options.note }),
        ...(options.goal === undefined ? {} : { goal: options.goal }),
        ...limitsOf(options),
      };
      const wait = options.wait === undefined ? {} : { waitMs: options.wait };
      return execute(options, (execution) =>
        decideRun(execution, { id, verb, decision, watch: options.detach !== true, ...wait }),
      );
    });
}
