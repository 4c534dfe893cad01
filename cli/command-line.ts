import { Command, CommanderError } from 'commander';
import { EXIT } from './exit-codes.ts';
import { COMMANDS } from './commands/index.ts';
import { command } from './command-name.ts';
import { VERSION } from './version.ts';

/** Parses the command line and runs the command that it names. */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  // `list | head` closes the pipe early: that is no error. Nobody reads on, and what was opened is still to be released.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') process.exit(EXIT.error);
      process.emit('SIGPIPE', 'SIGPIPE');
    });
  }
  const program = new Command('caseworker')
    .description('Durable ReAct agents for long back-office work, on Temporal.')
    .version(VERSION, '-V, --version')
    .showHelpAfterError(`(${command('--help')} lists the commands)`)
    .addHelpText('after', `\nFirst steps:\n  ${command('start')}\n  ${command('list')}\n  ${command('run', '--help')}`);
  for (const create of COMMANDS) {
    const added = create();
    program.addCommand(added);
    added
      .copyInheritedSettings(program)
      .showHelpAfterError(nextAfterError(added))
      .exitOverride();
  }
  program.exitOverride();
  try {
    await program.parseAsync(argv);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander has said what is wrong; help and version that were asked for are no error.
    process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  }
}

/** Commands about what waits for a person: the inbox has it, with the ids. */
const DECIDING: readonly string[] = ['approve', 'edit', 'reject', 'respond', 'settle', 'answer', 'resume', 'give-back', 'resolve'];

/** Where the id is found that a command wants, and how the command is called. */
function nextAfterError(failed: Command): string {
  const name = failed.name();
  const ids = DECIDING.includes(name) ? `(${command('inbox')} lists what waits)` : `(${command('list')} lists the runs)`;
  const wantsId = failed.registeredArguments.some((argument) => argument.name() === 'id');
  return [...(wantsId ? [ids] : []), `(${command(name, '--help')} shows how)`].join('\n');
}
