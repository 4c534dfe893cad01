import type { Command } from 'commander';
import { execute, optionsOf, type CommonOptions } from '../execute.ts';
import { AGENTS_OPTION, BY_OPTION, newCommand } from '../new-command.ts';
import { listSwitches, switchAgent } from '../switch-agent.ts';

interface DisableOptions extends CommonOptions {
  readonly reason?: string;
}

export function disableCommand(): Command {
  return newCommand('disable', 'Switch an agent or one tool of it off, for running runs too: their next call of it is a hand-over.', [
    ['disable', 'order-desk', '--reason', 'Wrong price list.'],
    ['disable', 'order-desk', 'issue_refund', '--reason', 'The payment system is down.'],
    ['disable'],
  ])
    .argument('[agent]', 'name of the agent; without it what is off is listed')
    .argument('[tool]', 'only this tool')
    .option('--reason <text>', 'why; whoever gets its runs reads it')
    .option(...AGENTS_OPTION)
    .option(...BY_OPTION)
    .action((agent: string | undefined, tool: string | undefined, _options, self: Command) => {
      const options = optionsOf<DisableOptions>(self);
      return execute(options, ({ out }) => (agent === undefined ? listSwitches(out, options) : switchAgent(out, { off: true, agent, tool, options })));
    });
}

export function enableCommand(): Command {
  return newCommand('enable', 'Switch an agent or one tool of it on again; runs that were handed over are resumed by hand.', [
    ['enable', 'order-desk'],
    ['enable', 'order-desk', 'issue_refund'],
  ])
    .argument('<agent>', 'name of the agent')
    .argument('[tool]', 'only this tool')
    .option('--reason <text>', 'why')
    .option(...AGENTS_OPTION)
    .option(...BY_OPTION)
    .action((agent: string, tool: string | undefined, _options, self: Command) => {
      const options = optionsOf<DisableOptions>(self);
      return execute(options, ({ out }) => switchAgent(out, { off: false, agent, tool, options }));
    });
}
