import type { Command } from 'commander';
import type { EffectLine } from '../../client/types.ts';
import { execute, optionsOf, type CommonOptions } from '../execute.ts';
import { EXIT } from '../exit-codes.ts';
import { newCommand } from '../new-command.ts';
import { table } from '../output.ts';
import { oneLine } from '../plain-text.ts';
import { agoText } from '../words.ts';

export function effectsCommand(): Command {
  return newCommand('effects', 'Tell what a run changed in the world, a line for each call. Needs no worker.', [
    ['effects', 'order-desk-7f3k2q'],
    ['effects', 'order-desk-7f3k2q', '-o', 'json'],
  ])
    .argument('<id>', 'id of the run')
    .action((id: string, _options, self: Command) =>
      execute(optionsOf<CommonOptions>(self), async ({ out, open }) => {
        const { client } = await open();
        const record = await client.effects(id);
        if (out.format === 'json') out.value(record);
        if (out.format === 'jsonl') record.effects.forEach(out.value);
        if (out.format === 'text' && record.effects.length > 0) {
          out.lines(table(HEADINGS, record.effects.map((line) => row(line, Date.now())), out.style.width));
        }
        if (record.effects.length === 0) out.say('This run has changed nothing so far.');
        for (const { from, to, why } of record.missing) out.say(`Items ${from} to ${to} of the trace are missing: ${why}.`);
        return EXIT.ok;
      }),
    );
}

const HEADINGS = ['CALL', 'TOOL', 'KIND', 'OUTCOME', 'ATTEMPTS', 'APPROVED BY', 'WHEN', 'KEY'];
const KEY_CHARS = 20;

function row({ call, tool, kind, outcome, attempts, approvedBy, settledBy, doneBy, atMs, key }: EffectLine, nowMs: number): readonly string[] {
  const by = settledBy?.person.name ?? doneBy?.run;
  const settled = by === undefined ? OUTCOME[outcome] : `${OUTCOME[outcome]} (${oneLine(by, 24)})`;
  return [
    call, oneLine(tool, 32), kind, settled, String(attempts), approvedBy ? oneLine(approvedBy.person.name, 24) : '-',
    atMs === undefined ? '-' : agoText(atMs, nowMs), key === undefined ? '-' : oneLine(key, KEY_CHARS),
  ];
}

const OUTCOME: Readonly<Record<EffectLine['outcome'], string>> = {
  asked: 'asked', held: 'waits for a person', running: 'running', earlier: 'done before', ok: 'done', error: 'failed', unknown: 'in doubt',
};
