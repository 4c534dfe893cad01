import type { Command } from 'commander';
import { UsageError } from '../../client/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { command } from '../command-name.ts';
import { callText, stopBefore, watching, type CallOptions } from '../decide-call.ts';
import { decideRun } from '../decide-run.ts';
import { editedArgs } from '../edit-args.ts';
import { exactJson } from '../exact-json.ts';
import { execute, optionsOf, type Execution } from '../execute.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { heldCall, type NamedCall } from '../held-call.ts';
import { newCommand, withDecisionOptions, YES_OPTION } from '../new-command.ts';
import { parseObject } from '../parse-options.ts';
import { personHere } from '../person.ts';
import { hashOption } from '../waiting-text.ts';

interface EditOptions extends CallOptions {
  readonly args?: JsonObject;
  readonly editor?: boolean;
}

export function editCommand(): Command {
  return withDecisionOptions(
    newCommand('edit', 'Change the arguments of a held call and let it run; they pass every check again, and both versions are kept.', [
      ['edit', 'order-desk-7f3k2q', '3.1', '--args', '{"order_id":"88213","amount":20}', '--yes'],
      ['edit', 'order-desk-7f3k2q', '--editor'],
    ])
      .argument('<id>', 'id of the run')
      .argument('[call]', 'the call; without it the only one that is held')
      .option('--args <json>', 'all arguments, as a JSON object', parseObject)
      .option('--editor', 'change them in $VISUAL or $EDITOR')
      .option('--reason <text>', "why; it is in the run's record")
      .option(...YES_OPTION),
  ).action((id: string, call: string | undefined, _options, self: Command) => {
    const options = optionsOf<EditOptions>(self);
    return execute(options, (execution) => {
      if ((options.args === undefined) === (options.editor !== true)) throw new UsageError('Give the arguments with --args, or --editor: exactly one of the two.');
      return edit(execution, { id, ...(call === undefined ? {} : { call }) }, options);
    });
  });
}

async function edit(execution: Execution, named: NamedCall, options: EditOptions): Promise<ExitCode> {
  const { out } = execution;
  const session = await execution.open({ worker: 'if_none_polls' });
  const held = await heldCall(session.client, named);
  if (!held) {
    out.say(`${named.call ?? 'No call'} of ${named.id} ${named.call ? 'does not wait' : 'waits'} for a decision.\nWhat became of its calls: ${command('trace', named.id)}`);
    return EXIT.conflict;
  }
  const args = options.args ?? (await editedArgs(held.args, process.env));
  if (args === undefined) {
    out.say(`Nothing was changed, so nothing was sent. To let it run as it is: ${command('approve', held.run, held.call)}`);
    return EXIT.usage;
  }
  out.say([...callText(held, out.style.width).slice(0, -1), `${'Instead'.padEnd(10)}${exactJson(args)}`, ''].join('\n'));
  // Whoever wrote the arguments in an editor means them.
  const stop = await stopBefore(held, options, {
    out, question: options.editor ? undefined : 'Run this instead? [y/N] ',
    next: command('edit', held.run, held.call, '--args', exactJson(args), ...hashOption(held)),
  });
  if (stop !== undefined) return stop;
  const reason = options.reason === undefined ? {} : { reason: options.reason };
  const decision = { by: personHere(options.by), call: held.call, argsHash: held.argsHash, args, ...reason };
  return decideRun(execution, { ...watching(held.run, options), session, verb: 'edit', decision });
}
