import type { Command } from 'commander';
import { RunEndedError, UsageError } from '../../client/errors.ts';
import { agreed } from '../agree.ts';
import { command } from '../command-name.ts';
import { decideRun, seenOut } from '../decide-run.ts';
import { execute, optionsOf, type CommonOptions, type Execution } from '../execute.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { AGENTS_OPTION, BY_OPTION, newCommand } from '../new-command.ts';
import { personHere } from '../person.ts';

interface CancelOptions extends CommonOptions {
  readonly reason: string;
  readonly query?: string;
  readonly yes?: boolean;
}

export function cancelCommand(): Command {
  return newCommand('cancel', 'End a run, or all that a query finds; what was done and what remains is kept.', [
    ['cancel', 'order-desk-7f3k2q', '--reason', 'The customer has withdrawn the complaint.'],
    ['cancel', '--query', 'CaseworkerAgent = "order-desk"', '--reason', 'Wrong price list.', '--yes'],
  ])
    .argument('[id]', 'id of the run')
    .option('--query <query>', 'every running run that this visibility query finds')
    .requiredOption('--reason <text>', "why; it is in the run's record")
    .option('-y, --yes', 'do not ask before many runs are cancelled')
    .option(...AGENTS_OPTION)
    .option(...BY_OPTION)
    .action((id: string | undefined, _options, self: Command) => {
      const options = optionsOf<CancelOptions>(self);
      const decision = { by: personHere(options.by), reason: options.reason };
      return execute(options, (execution) => {
        if ((id === undefined) === (options.query === undefined))
          throw new UsageError(`Name one run, or give --query: exactly one of the two.\nWhat runs: ${command('list')}\nExamples:  ${command('cancel', '--help')}`);
        return id === undefined
          ? cancelMany(execution, options, decision)
          : decideRun(execution, { id, verb: 'cancel', decision });
      });
    });
}

/** More than a person means to cancel at one go; a narrower query, or the same again, takes the rest. */
const MOST = 1_000;

async function cancelMany(
  { out, open }: Execution,
  options: CancelOptions,
  decision: Parameters<Session['cancel']>[1],
): Promise<ExitCode> {
  const session = await open({ worker: 'if_none_polls' });
  const { client } = session;
  const runs = await client.list({ query: `(${options.query ?? ''}) AND ExecutionStatus = "Running"`, limit: MOST });
  if (runs.length === 0) {
    out.say('No running run matches; nothing was cancelled.');
    return EXIT.ok;
  }
  if (
    options.yes !== true &&
    !(await agreed(`Cancel ${runs.length} running ${runs.length === 1 ? 'run' : 'runs'}? [y/N] `))
  ) {
    out.say('Nothing was cancelled. Off a terminal, or to be asked no question: --yes');
    return EXIT.usage;
  }
  const told: object[] = [];
  for (const { id } of runs) {
    const outcome = await client.cancel(id, decision).catch((error: unknown) => {
      if (error instanceof RunEndedError) return { state: 'refused', because: 'it has already ended' } as const;
      throw error;
    });
    told.push({ id, ...outcome });
    if (out.format === 'text')
      out.lines([`${id}  ${outcome.state}${'because' in outcome ? `: ${outcome.because}` : ''}`]);
    if (out.format === 'jsonl') out.value({ id, ...outcome });
  }
  if (out.format === 'json') out.value(told);
  for (const { id } of runs) await seenOut(session, id);
  return EXIT.ok;
}

type Session = Awaited<ReturnType<Execution['open']>>['client'];
