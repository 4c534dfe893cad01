import type { Command } from 'commander';
import type { Form } from '../../core/agent.ts';
import { command } from '../command-name.ts';
import { execute, optionsOf, type CommonOptions } from '../execute.ts';
import { newCommand } from '../new-command.ts';
import { parseForm } from '../parse-options.ts';
import { personHere } from '../person.ts';
import { CONSOLE_PORT, openConsole, runPage } from '../open-console.ts';
import { runOnce } from '../run-once.ts';
import { serve } from '../serve.ts';

const AGENT = 'order-desk';
const QUESTION =
  'Order 88213 cost ₹480 plus a ₹25 fee and arrived 62 minutes late. What should the customer be refunded in total?';

interface StartOptions extends CommonOptions {
  readonly form?: Form;
  readonly open?: boolean;
}

export function startCommand(): Command {
  return newCommand('start', 'Try it: server, worker and one run of the order desk, all of it ended afterwards.', [
    ['start'],
    ['start', 'What does the policy say about cold food?'],
    ['start', '--form', 'text'],
    ['start', '--open'],
  ])
    .argument('[question...]', 'what the order desk should answer')
    .option('--form <form>', 'how the model speaks: function-calling or text', parseForm)
    .option('--open', 'with the operators\' page, which stays up until Ctrl-C')
    .action((words: readonly string[], _options, self: Command) => {
      const options = optionsOf<StartOptions>(self);
      return execute(options, async (execution) => {
        const session = await execution.open({ worker: 'if_none_polls' });
        execution.out.say(`Model: ${session.worker?.modelText ?? 'that of the worker which is up'}`);
        const page = options.open ? await openConsole(session, { say: execution.out.say, port: CONSOLE_PORT, orFreePort: true }) : undefined;
        if (page) execution.out.say(`Console: ${page.url}`);
        const task = words.length > 0 ? words.join(' ') : QUESTION;
        const request = {
          agent: AGENT,
          task,
          requestedBy: personHere(undefined),
          ...(options.form ? { form: options.form } : {}),
        };
        const { code, id } = await runOnce(execution, session, { request });
        execution.out.say(
          [
            'Next:',
            `  all runs      ${command('list')}`,
            `  this run      ${command('show', id)}`,
            `  another one   ${command('run', AGENT, 'Is order 88213 late?')}`,
          ].join('\n'),
        );
        if (!page || execution.interrupt.signal.aborted) return code;
        execution.out.say(`\nThis run on the operators' page: ${runPage(page.url, id)}\nCtrl-C ends it.`);
        return serve(execution, session).finally(page.close);
      });
    });
}
