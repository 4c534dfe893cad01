import type { Command } from 'commander';
import { decideCall, type CallOptions } from '../decide-call.ts';
import { execute, optionsOf } from '../execute.ts';
import { newCommand, withDecisionOptions } from '../new-command.ts';

export function respondCommand(): Command {
  return withDecisionOptions(
    newCommand('respond', 'Answer a held call in the place of its tool: the tool does not run, and the model reads your text as its result.', [
      ['respond', 'order-desk-7f3k2q', '3.1', 'Paid ₹25 in cash for 88213.'],
    ])
      .argument('<id>', 'id of the run')
      .argument('<call>', 'the call')
      .argument('<text>', 'what the model reads as the result; to refuse a call use reject')
      .option('--reason <text>', "why; it is in the run's record"),
  ).action((id: string, call: string, text: string, _options, self: Command) => {
    const options = optionsOf<CallOptions>(self);
    return execute(options, (execution) => decideCall(execution, { id, call }, { options, act: { verb: 'respond', more: { text } } }));
  });
}
