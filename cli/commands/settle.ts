import type { Command } from 'commander';
import { UsageError } from '../../client/errors.ts';
import type { CaseworkerClient } from '../../client/types.ts';
import type { VerbPayloads } from '../../core/verbs.ts';
import { command } from '../command-name.ts';
import { watching, type CallOptions } from '../decide-call.ts';
import { decideRun } from '../decide-run.ts';
import { execute, optionsOf } from '../execute.ts';
import { AGENTS_OPTION, BY_OPTION, DETACH_OPTION, newCommand } from '../new-command.ts';
import { parseDuration, textOrObject } from '../parse-options.ts';
import { personHere } from '../person.ts';

interface SettleOptions extends CallOptions {
  readonly happened?: string | true;
  readonly notHappened?: string | true;
  readonly retry?: boolean;
}

export function settleCommand(): Command {
  return newCommand('settle', 'Say what became of a call whose result was lost, or have it tried again under its own key.', [
    ['settle', 'order-desk-7f3k2q', '3.1', '--happened', 'Refund R-17 is in the ledger.'],
    ['settle', 'order-desk-7f3k2q', '3.1', '--not-happened'],
    ['settle', 'order-desk-7f3k2q', '3.1', '--retry'],
  ])
    .argument('<id>', 'id of the run')
    .argument('[call]', 'the call; without it the only one in doubt')
    .option('--happened [result]', 'it had its effect; its result as text or as a JSON object')
    .option('--not-happened [text]', 'it had none; what you found out')
    .option('--retry', 'try it again: the other side can still take both for one')
    .option(...DETACH_OPTION)
    .option('--wait <duration>', 'watch for this long at most (exit code 124 after it)', parseDuration)
    .option(...AGENTS_OPTION)
    .option(...BY_OPTION)
    .action((id: string, call: string | undefined, _options, self: Command) => {
      const options = optionsOf<SettleOptions>(self);
      return execute(options, async (execution) => {
        const what = whatHappened(options);
        const session = await execution.open({ worker: 'if_none_polls' });
        const decision = { by: personHere(options.by), call: call ?? (await onlyDoubt(session.client, id)), ...what };
        return decideRun(execution, { ...watching(id, options), session, verb: 'settle', decision });
      });
    });
}

function whatHappened({ happened, notHappened, retry }: SettleOptions): Pick<VerbPayloads['settle'], 'outcome' | 'result'> {
  if ([happened, notHappened, retry].filter(Boolean).length !== 1) {
    throw new UsageError('Say what became of it: --happened, --not-happened or --retry, exactly one of them.');
  }
  if (retry) return { outcome: 'retry' };
  const said = happened ?? notHappened;
  return { outcome: happened ? 'happened' : 'not_happened', ...(typeof said === 'string' ? { result: textOrObject(said) } : {}) };
}

async function onlyDoubt(client: CaseworkerClient, id: string): Promise<string> {
  const doubts = (await client.waiting(id)).filter((entry) => entry.kind === 'outcome');
  const [first] = doubts;
  if (first && doubts.length === 1) return first.call;
  const which = doubts.map(({ call, tool }) => `  ${call}  ${tool}`).join('\n');
  throw new UsageError(doubts.length === 0 ? `Nothing of ${id} is in doubt. What it did: ${command('effects', id)}` : `${doubts.length} calls of ${id} are in doubt: say which.\n${which}`);
}
