import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import { execute, optionsOf, type CommonOptions } from '../execute.ts';
import { AGENTS_OPTION, newCommand } from '../new-command.ts';
import { CONSOLE_PORT, openConsole } from '../open-console.ts';
import { collect } from '../parse-options.ts';
import { serve } from '../serve.ts';

interface ConsoleCommandOptions extends CommonOptions {
  readonly host: string;
  readonly port: number;
  readonly auth?: string;
  readonly role?: readonly string[];
}

export function consoleCommand(): Command {
  return newCommand('console', 'The operators\' page, until Ctrl-C: what waits for persons, every run and its trace.', [
    ['console'],
    ['console', '--port', '9000'],
    ['console', '--host', '0.0.0.0', '--auth', './sign-in.json'],
  ])
    .option('--host <address>', 'address to listen on; any but one of this machine needs --auth', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 takes a free one', parsePort, CONSOLE_PORT)
    .option('--auth <file>', 'whose tokens are let in, and what their roles may do (CASEWORKER_CONSOLE_AUTH)')
    .option('--role <role>', 'role that the local user decides with; may be given several times', collect)
    .option(...AGENTS_OPTION)
    .action((_options, self: Command) => {
      const { host, port, auth, role, ...options } = optionsOf<ConsoleCommandOptions>(self);
      return execute(options, async (execution) => {
        const session = await execution.open();
        const page = await openConsole(session, {
          say: execution.out.say, host, port,
          ...(auth === undefined ? {} : { authFile: auth }), ...(role ? { roles: role } : {}), ...(options.agents ? { agents: options.agents } : {}),
        });
        execution.out.say(`Console  ${page.url}\nServer   ${session.cluster.address}, namespace ${session.cluster.namespace}\nCtrl-C ends it.`);
        return serve(execution, session).finally(page.close);
      });
    });
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 65_536;
  if (port > 65_535) throw new InvalidArgumentError('use a number from 0 to 65535');
  return port;
}
