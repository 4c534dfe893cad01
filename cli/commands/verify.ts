import type { Command } from 'commander';
import type { Replayed } from '../../worker/verify.ts';
import { execute, optionsOf, type CommonOptions } from '../execute.ts';
import { EXIT } from '../exit-codes.ts';
import { newCommand } from '../new-command.ts';
import { parsePositive } from '../parse-options.ts';
import { oneLine } from '../plain-text.ts';

interface VerifyOptions extends CommonOptions {
  readonly last: number;
}

export function verifyCommand(): Command {
  return newCommand('verify', 'Replay the runs of the server on this build, running ones first: whether it could take over their work. Changes nothing.', [
    ['verify'],
    ['verify', '--last', '500', '-o', 'json'],
  ])
    .option('--last <number>', 'how many; a run that was continued as new counts once for each part', parsePositive, 100)
    .action((_options, self: Command) => {
      const options = optionsOf<VerifyOptions>(self);
      return execute(options, async ({ out, open }) => {
        const { client } = await open();
        const [{ verify }, { workflowBundle }, { loadDataConverter }, { installTelemetry, METRICS_VARIABLE }] = await Promise.all([
          import('../../worker/verify.ts'), import('../../worker/workflow-bundle.ts'), import('../../worker/data-converter.ts'), import('../../worker/telemetry.ts'),
        ]);
        // The SDK would print what it finds in a history among our data.
        await installTelemetry({ env: { ...process.env, [METRICS_VARIABLE]: 'off' }, level: 'error' });
        const dataConverter = await loadDataConverter(process.env);
        const converter = dataConverter ? { dataConverter } : {};
        const bundle = await workflowBundle({ env: process.env, report: out.say, ...converter });
        const broken: Replayed[] = [];
        let count = 0;
        for await (const replayed of verify({ workflowBundle: bundle, histories: client.histories(options.last), ...converter })) {
          count += 1;
          if (out.format === 'jsonl') out.value(replayed);
          if (replayed.problem !== undefined) broken.push(replayed);
        }
        if (out.format === 'json') out.value({ replayed: count, broken });
        if (out.format === 'text') out.lines(broken.map(({ id, executionId, problem }) => `${oneLine(id, 255)}  ${executionId}  ${oneLine(problem ?? '', 200)}`));
        out.say(verdict(count, broken.length));
        return broken.length > 0 ? EXIT.error : EXIT.ok;
      });
    });
}

function verdict(count: number, broken: number): string {
  if (count === 0) return 'There is no run to replay.';
  if (broken === 0) return `This build can take over: ${count} histories replayed, none would break.`;
  return `This build must not take over: ${broken} of ${count} histories would break. Pin running runs to their build, or mend it.`;
}
