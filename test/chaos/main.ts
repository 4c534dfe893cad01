import { DefaultLogger, Runtime } from '@temporalio/worker';
import { postgresChaosServer } from '../cluster/postgres-cluster.ts';
import { embeddedChaosServer } from './chaos-server.ts';
import { runChaos } from './harness.ts';
import { chaosOptions, USAGE } from './options.ts';

/** `npm run chaos`: one line of figures a thing, then what was broken; exit code 1 when anything was. */
const options = optionsOrUsage();
Runtime.install({ logger: new DefaultLogger('ERROR') });
const say = (message: string) => process.stderr.write(`${message}\n`);
const server = options.server === 'postgres' ? (dataDir: string) => postgresChaosServer(dataDir, say) : embeddedChaosServer;
const enough = new AbortController();
process.once('SIGINT', () => {
  say('Enough: no further faults. What has happened so far is looked at.');
  enough.abort();
});
const report = await runChaos(options, { server, say, enough: enough.signal });
const { violations, ...figures } = report;
process.stdout.write(`${JSON.stringify({ seed: options.seed, ...figures }, undefined, 2)}\n`);
for (const violation of violations) process.stdout.write(`BROKEN ${violation}\n`);
process.stdout.write(`${violations.length === 0 ? 'Everything held' : `${violations.length} broken`} (seed ${options.seed}).\n`);
process.exit(violations.length === 0 ? 0 : 1);

function optionsOrUsage(): ReturnType<typeof chaosOptions> {
  try {
    return chaosOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`);
    process.exit(2);
  }
}
