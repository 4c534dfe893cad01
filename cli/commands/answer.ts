import type { Command } from 'commander';
import { UsageError } from '../../client/errors.ts';
import { answerFields } from '../answer-fields.ts';
import { watching, type CallOptions } from '../decide-call.ts';
import { decideRun } from '../decide-run.ts';
import { execute, optionsOf } from '../execute.ts';
import { AGENTS_OPTION, BY_OPTION, newCommand } from '../new-command.ts';
import { collect } from '../parse-options.ts';
import { personHere } from '../person.ts';
import { answerCommand as answerLine } from '../waiting-text.ts';

interface AnswerOptions extends CallOptions {
  readonly call?: string;
  readonly field?: readonly string[];
}

export function answerCommand(): Command {
  return newCommand('answer', 'Answer the question that a run has asked, and watch it go on.', [
    ['answer', 'order-desk-7f3k2q', 'The order number is 88214.'],
    ['answer', 'order-desk-7f3k2q', '--field', 'order_id=88214', '--field', 'refund=yes'],
  ])
    .argument('<id>', 'id of the run')
    .argument('[text]', 'the answer')
    .option('--field <name=value>', 'a field of the question\'s form; may be given several times', collect)
    .option('--call <id>', 'the question that is meant; without it the open one')
    .option('--detach', 'come back as soon as it goes on')
    .option(...AGENTS_OPTION)
    .option(...BY_OPTION)
    .action((id: string, text: string | undefined, _options, self: Command) => {
      const options = optionsOf<AnswerOptions>(self);
      const { field: pairs, call } = options;
      return execute(options, async (execution) => {
        if (text === undefined && !pairs) throw new UsageError('An answer is a text, or --field name=value for each field of the form.');
        const session = await execution.open({ worker: 'if_none_polls' });
        const question = (await session.client.waiting(id)).find((entry) => entry.kind === 'question')?.question;
        if (question?.form && !pairs) throw new UsageError(`The question has a form: ${question.question}\nAnswer it: ${answerLine(id, question.form)}`);
        const decision = {
          by: personHere(options.by),
          ...(text === undefined ? {} : { text }),
          ...(pairs ? { fields: answerFields(id, pairs, question?.form) } : {}),
          ...(call === undefined ? {} : { call }),
        };
        return decideRun(execution, { ...watching(id, options), session, verb: 'answer', decision });
      });
    });
}
