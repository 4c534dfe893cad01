import { InvalidArgumentError, type Command } from 'commander';
import { UsageError } from '../../client/errors.ts';
import type { Form } from '../../core/agent.ts';
import { command } from '../command-name.ts';
import { execute, optionsOf, type CommonOptions } from '../execute.ts';
import { AGENTS_OPTION, BY_OPTION, newCommand } from '../new-command.ts';
import {
  collect,
  limitsOf,
  parseBudgetOption,
  parseDuration,
  parseForm,
  parsePositive,
  type LimitOptions,
} from '../parse-options.ts';
import { personHere } from '../person.ts';
import { runEach } from '../run-each.ts';
import { runOnce } from '../run-once.ts';

interface RunOptions extends CommonOptions, LimitOptions {
  readonly id?: string;
  readonly form?: Form;
  readonly constraint?: readonly string[];
  readonly detach?: boolean;
  readonly wait?: number;
  readonly each?: string;
  readonly idColumn: string;
  readonly taskColumn: string;
}

export function runCommand(): Command {
  return newCommand('run', 'Start a run of an agent and tell its trace until it ends or waits for a person.', [
    ['run', 'order-desk', 'Is order 88213 late?'],
    ['run', 'order-desk', 'Is order 88213 late?', '--id', 'ticket-4711', '--max-turns', '6', '--budget', '₹5'],
    ['run', 'order-desk', '--each', 'tasks.csv', '--id-column', 'ticket', '--task-column', 'question'],
  ])
    .argument('<agent>', 'name of the agent', nonEmpty)
    .argument('[task]', 'what it should find out or do')
    .option('--id <id>', 'id of the run; a second start with the same id is refused (exit code 6)')
    .option('--form <form>', 'how the model speaks: function-calling or text', parseForm)
    .option('--max-turns <number>', 'model replies at most', parsePositive)
    .option('--budget <amount>', 'money with its currency ("₹20", "12.50 INR") or tokens ("200000 tokens")', parseBudgetOption)
    .option('--time-limit <duration>', 'active time at most: 120s, 10m', parseDuration)
    .option('--constraint <text>', 'a rule for this run; may be given several times', collect)
    .option('--detach', 'start it and come back at once')
    .option('--wait <duration>', 'watch for this long at most (exit code 124 after it)', parseDuration)
    .option('--each <file>', 'one run for each row of a CSV file; a second go starts only what is missing')
    .option('--id-column <name>', "column with the run's id, for --each", 'id')
    .option('--task-column <name>', 'column with the task, for --each', 'task')
    .option(...AGENTS_OPTION)
    .option(...BY_OPTION)
    .action((agent: string, task: string | undefined, _options, self: Command) => {
      const options = optionsOf<RunOptions>(self);
      return execute(options, async (execution) => {
        const request = {
          agent,
          requestedBy: personHere(options.by),
          ...(options.form ? { form: options.form } : {}),
          ...(options.constraint ? { constraints: options.constraint } : {}),
          ...limitsOf(options),
        };
        const problem = usageProblem(task, options);
        if (problem) throw new UsageError(problem);
        const wait = options.wait === undefined ? {} : { waitMs: options.wait };
        const detach = options.detach ?? false;
        if (options.each !== undefined) {
          return runEach(execution, {
            request,
            file: options.each,
            idColumn: options.idColumn,
            taskColumn: options.taskColumn,
            detach,
            ...wait,
          });
        }
        const session = await execution.open({ worker: detach ? 'none' : 'if_none_polls', agent });
        const whole = { ...request, task: task ?? '', ...(options.id === undefined ? {} : { id: options.id }) };
        return (await runOnce(execution, session, { request: whole, detach, ...wait })).code;
      });
    });
}

function nonEmpty(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('it is empty');
  return text;
}

function usageProblem(task: string | undefined, { each, id }: RunOptions): string | undefined {
  if (each === undefined) {
    return task === undefined || task.trim() === ''
      ? `A run needs a task: ${command('run', 'order-desk', 'Is order 88213 late?')}`
      : undefined;
  }
  if (task !== undefined) return 'With --each the tasks come from the file: leave out the task, or --each.';
  return id === undefined
    ? undefined
    : 'With --each the ids come from the file: leave out --id, and name the column with --id-column.';
}
