import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { workflowBundle } from '../../../worker/workflow-bundle.ts';
import { collectSamples, measures } from '../figures.ts';
import { taskText } from '../task.ts';
import type { Part, PartContext } from './part.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const FIGURE = 'process start to first finished turn';

/** How the command line is run: as in a checkout, and as the package has it. */
const WAYS = [
  { name: 'from source', argv: ['--import', 'tsx', 'cli/main.ts'], agents: 'bench/performance/caseworker/agents.ts' },
  { name: 'built', argv: ['dist/cli/main.js'], agents: 'bench/performance/caseworker/agents-built.js' },
] as const;

/** `run` with a server that is up and a bundle that is built: how long until the first turn is over. */
export const start: Part = async (context) => {
  const samples = collectSamples();
  await workflowBundle({ env: process.env, report: context.report });
  if (!context.isShort) build(context.report);
  const ways = WAYS.filter(({ name }) => name !== 'built' || existsSync(`${ROOT}/dist/cli/main.js`));
  // The first start of each fills caches of the file system and of the runtime, which are there from then on.
  for (const way of context.isShort ? [] : ways) await firstTurnMs(way, context);
  for (let round = 1; round <= context.rounds; round += 1) {
    context.report(`start: round ${round} of ${context.rounds}`);
    for (const way of ways) samples.add(way.name, FIGURE, await firstTurnMs(way, context));
  }
  return { measures: measures(samples, { part: 'start', units: { [FIGURE]: 'ms' } }) };
};

function build(report: (message: string) => void): void {
  report('start: building the package');
  const built = spawnSync('npm', ['run', '-s', 'build'], { cwd: ROOT, stdio: 'inherit' });
  if (built.status !== 0) throw new Error('the package cannot be built');
}

async function firstTurnMs({ argv, agents }: (typeof WAYS)[number], { ground }: PartContext): Promise<number> {
  const key = `start-${randomUUID()}`;
  const startMs = performance.timeOrigin + performance.now();
  const child = spawn(process.execPath, [...argv, 'run', 'functions', taskText({ key, turns: 2 }), '--agents', agents], {
    cwd: ROOT, stdio: 'ignore',
    env: {
      ...ground.place.env, TEMPORAL_ADDRESS: ground.place.cluster.address, OPENAI_BASE_URL: ground.model.baseURL, OPENAI_API_KEY: 'bench',
      CASEWORKER_TASK_QUEUE: key, CASEWORKER_DATA: ground.place.dataDir,
    },
  });
  const ended = once(child, 'exit');
  // The second request is made when the first turn is over.
  const seen = await Promise.race([ground.model.until(key, (requests) => requests.length > 1), ended.then(() => undefined)]);
  await ended;
  const requests = seen ?? (await ground.model.requests(key));
  return (requests[1]?.atMs ?? NaN) - startMs;
}
