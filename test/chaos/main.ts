import { DefaultLogger, Runtime } from '@temporalio/worker';
import { embeddedChaosServer } from './chaos-server.ts';
import { runChaos } from './harness.ts';
import { chaosOptions, USAGE } from './options.ts';

/** `npm run chaos`: one line of figures a thing, then what was broken; exit code 1 when anything was. */
const options = chaosOptions(process.argv.slice(2));
Runtime.install({ logger: new DefaultLogger('ERROR') });
const say = (message: string) => process.stderr.write(`${message}\n`);
if (process.argv.includes('--help')) say(USAGE);
const report = await runChaos(options, { server: embeddedChaosServer, say });
const { violations, ...figures } = report;
process.stdout.write(`${JSON.stringify({ seed: options.seed, ...figures }, undefined, 2)}\n`);
for (const violation of violations) process.stdout.write(`BROKEN ${violation}\n`);
process.stdout.write(`${violations.length === 0 ? 'Everything held' : `${violations.length} broken`} (seed ${options.seed}).\n`);
process.exit(violations.length === 0 ? 0 : 1);
