import type { Command } from 'commander';
import type { JsonObject } from '../../core/json.ts';
import { watching, type CallOptions } from '../decide-call.ts';
import { decideRun } from '../decide-run.ts';
import { execute, optionsOf } from '../execute.ts';
import { AGENTS_OPTION, BY_OPTION, DETACH_OPTION, newCommand } from '../new-command.ts';
import { parseDuration, parseObject } from '../parse-options.ts';
import { personHere } from '../person.ts';

interface ToolCallOptions extends CallOptions {
  readonly args: JsonObject;
}

export function callCommand(): Command {
  return newCommand('call', 'Run a tool of the agent in a run that you hold: the same checks and approvals, recorded as yours.', [
    ['call', 'order-desk-7f3k2q', 'get_order', '--args', '{"order_id":"88214"}'],
  ])
    .argument('<id>', 'id of the run')
    .argument('<tool>', 'name of the tool')
    .option('--args <json>', 'its arguments, as a JSON object', parseObject, {})
    .option(...DETACH_OPTION)
    .option('--wait <duration>', 'watch for this long at most (exit code 124 after it)', parseDuration)
    .option(...AGENTS_OPTION)
    .option(...BY_OPTION)
    .action((id: string, tool: string, _options, self: Command) => {
      const options = optionsOf<ToolCallOptions>(self);
      const decision = { by: personHere(options.by), tool, args: options.args };
      return execute(options, (execution) => decideRun(execution, { ...watching(id, options), once: true, verb: 'call', decision }));
    });
}
