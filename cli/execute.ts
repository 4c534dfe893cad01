import type { Command } from 'commander';
import { RunEndedError, RunExistsError } from '../client/errors.ts';
import { command, keepAgents } from './command-name.ts';
import { errorText } from './error-text.ts';
import { EXIT, exitCodeOf, type ExitCode } from './exit-codes.ts';
import { listenForInterrupt, type Interrupt } from './interrupt.ts';
import { createOutput, type Output, type OutputFormat } from './output.ts';
import type { Session, SessionNeeds } from './session.ts';

export interface CommonOptions {
  readonly output: OutputFormat;
  readonly agents?: string;
  readonly by?: string;
  readonly full?: boolean;
}

/** What a command works with. */
export interface Execution {
  readonly out: Output;
  readonly interrupt: Interrupt;
  /** A server and a client of it, and a worker when one is needed; all of it is released when the command ends. */
  open(needs?: Partial<SessionNeeds>): Promise<Session>;
}

/** Runs a command's body, reports what it throws, releases what it opened and ends the process with its exit code. */
export async function execute(
  options: CommonOptions,
  body: (execution: Execution) => Promise<ExitCode>,
): Promise<void> {
  const out = createOutput(options.output, { full: options.full ?? false });
  if (options.agents !== undefined) keepAgents(options.agents);
  const interrupt = listenForInterrupt();
  const opened: Session[] = [];
  const open = async (needs: Partial<SessionNeeds> = {}): Promise<Session> => {
    // Said before the client's packages are loaded, which takes longer than a person waits without wondering.
    out.say('Looking for the Temporal server …');
    const { openSession } = await import('./session.ts');
    const session = await openSession({
      worker: 'none',
      ...needs,
      ...(options.agents ? { agents: options.agents } : {}),
      say: out.say,
    });
    opened.push(session);
    // Somebody who interrupts before anything was begun wants nothing begun.
    if (interrupt.signal.aborted) throw new Error('interrupted');
    return session;
  };
  const code = await outcomeOf(() => body({ out, interrupt, open }), out, interrupt);
  for (const session of opened.reverse()) await released(session, out);
  interrupt.close();
  await leave(code);
}

async function outcomeOf(body: () => Promise<ExitCode>, out: Output, interrupt: Interrupt): Promise<ExitCode> {
  try {
    return await body();
  } catch (error) {
    if (interrupt.signal.aborted) return EXIT.interrupted;
    out.say(`Error: ${errorText(error)}`);
    const code = exitCodeOf(error);
    const next = nextText(error, code);
    if (next !== undefined) out.say(next);
    return code;
  }
}

/** What a person can look at next, where an error is about a run. */
function nextText(error: unknown, code: ExitCode): string | undefined {
  if (error instanceof RunExistsError) return `How that one stands: ${command('show', error.id)}`;
  if (error instanceof RunEndedError) return `What it did: ${command('trace', error.id)}`;
  return code === EXIT.notFound ? `All runs: ${command('list')}` : undefined;
}

async function released(session: Session, out: Output): Promise<void> {
  try {
    await session.close();
  } catch (error) {
    out.say(`Warning: not everything could be released: ${errorText(error)}`);
  }
}

/** What was written is delivered first: a pipe takes it later than `write` returns. */
async function leave(code: ExitCode): Promise<never> {
  await new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
  process.exit(code);
}

/** Options of a command, parsed by its own parsers and so of the type that it declares. */
export function optionsOf<T extends CommonOptions>(command: Command): T {
  return command.opts<T>();
}
