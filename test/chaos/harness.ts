import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { createClient } from '../../client/caseworker-client.ts';
import { startScriptedModel } from '../../models/index.ts';
import { createFileBlobStore } from '../../worker/file-blob-store.ts';
import { registerSearchAttributes } from '../../worker/search-attributes.ts';
import { workflowBundle } from '../../worker/workflow-bundle.ts';
import { openAuditor } from './auditor.ts';
import type { Auditor } from './auditor.ts';
import { caseOf } from './cases.ts';
import { chance } from './chance.ts';
import type { ChaosServer } from './chaos-server.ts';
import { createDirector } from './director.ts';
import type { Director } from './director.ts';
import { startFlights } from './flights.ts';
import { findings } from './findings.ts';
import type { Findings } from './findings.ts';
import { openModelFront } from './model-front.ts';
import type { ModelFront } from './model-front.ts';
import type { ChaosOptions } from './options.ts';
import { startPersons } from './persons.ts';
import type { Persons } from './persons.ts';
import { startWorkers } from './workers.ts';
import type { WorkerPool } from './workers.ts';
import { startRuns } from './runs.ts';
import type { Runs } from './runs.ts';

export interface ChaosParts {
  readonly server: (dataDir: string) => Promise<ChaosServer>;
  readonly say: (message: string) => void;
  /** Aborted: no further faults; what has happened is looked at. */
  readonly enough?: AbortSignal;
}

export interface ChaosReport extends Findings {
  readonly killed: Readonly<Record<string, number>>;
  readonly outages: number;
  readonly flaps: number;
  readonly seconds: number;
}

/** Everything that the harness has open. */
export interface Stage {
  readonly options: ChaosOptions;
  readonly server: ChaosServer;
  readonly auditor: Auditor;
  readonly front: ModelFront;
  readonly pool: WorkerPool;
  readonly director: Director;
  readonly runs: Runs;
  readonly persons: Persons;
  readonly say: (message: string) => void;
  readonly enough: AbortSignal | undefined;
}

const TICK_MS = 50;
/** Runs that are under way when the last fault is over get this long to end; a run that needs more is stuck. */
const GRACE_MS = 180_000;

/** Lets runs happen while workers, server and model are taken away, then looks only at what must always hold. */
export async function runChaos(
  options: ChaosOptions,
  parts: ChaosParts,
): Promise<ChaosReport> {
  const { say } = parts;
  const started = Date.now();
  const dataDir = mkdtempSync(join(tmpdir(), 'caseworker-chaos-'));
  const server = await parts.server(dataDir);
  const connection = await Connection.connect({ address: server.address });
  const { known } = await registerSearchAttributes({ connection, namespace: server.namespace });
  const { codePath } = await workflowBundle({ env: process.env, report: say });
  const scripted = await startScriptedModel({
    default: ({ key, turn }) => caseOf(options.seed, Number(key.split('-')[2] ?? 0)).lines[turn] ?? { status: 400 },
  });
  const taskQueue = `chaos-${process.pid}`;
  const client = createClient({ connection, namespace: server.namespace, taskQueue, blobs: createFileBlobStore(dataDir) });
  const flights = startFlights();
  const choices = chance(options.seed);

  // The auditor and the model ask the director, which needs the workers, which need both addresses.
  const late: { director?: Director; pool?: WorkerPool } = {};
  const watch: Director['watch'] = (moment, worker) => late.director?.watch(moment, worker) ?? false;
  const auditor = await openAuditor(join(dataDir, 'ledger.jsonl'), watch, ({ about }) => flights.tool(about));
  const front = await openModelFront(scripted.baseURL, watch, ({ worker, run }) => flights.model(run, worker));
  const pool = startWorkers(options.workers, {
    ADDRESS: server.address, NAMESPACE: server.namespace, TASK_QUEUE: taskQueue, MODEL_URL: front.url, AUDITOR_URL: auditor.url,
    DATA_DIR: dataDir, BUNDLE: codePath, SEARCH_ATTRIBUTES: known.join(','),
  });
  const runs = startRuns({ client, seed: options.seed, atOnce: options.atOnce, onIdle: (id) => flights.idle(id) });
  const persons = startPersons({ client, runs, chance: choices.for('persons') });
  const director = createDirector({
    kills: options.kills, chance: choices.for('kills'), pool: () => pool, onKill: (worker) => flights.killed(worker), decide: () => persons.message(),
  });
  Object.assign(late, { director, pool });
  const stage: Stage = { options, server, auditor, front, pool, director, runs, persons, say, enough: parts.enough };
  try {
    await pool.whole();
    const faults = await play(stage, flights.outage);
    say('All faults are over; the runs under way may end.');
    await runs.settle(GRACE_MS, () => persons.tick());
    await persons.close();
    const found = await findings({ client, temporal: new Client({ connection, namespace: server.namespace }), auditor, front, runs, persons, flights });
    return { ...found, ...faults, killed: Object.fromEntries(director.killed), seconds: Math.round((Date.now() - started) / 1_000) };
  } finally {
    await pool.close();
    await auditor.close();
    await front.close();
    await scripted.close();
    await connection.close();
    await server.close();
    if (!options.keep) rmSync(dataDir, { recursive: true, force: true });
    else say(`Kept: ${dataDir}`);
  }
}

/** Kills until all kills are done, with the outages and the flapping spread among them. */
async function play(stage: Stage, onOutage: () => void): Promise<{ readonly outages: number; readonly flaps: number }> {
  const { options, director, runs, persons, front, say, enough } = stage;
  const flapping = chance(`${options.seed}/flaps`);
  let outages = 0;
  let flaps = 0;
  let nextFlapMs = Date.now() + 3_000;
  let shown = 0;
  while (!enough?.aborted && (director.total() < options.kills || outages < options.outages)) {
    const done = director.total();
    if (done >= shown + 25) say(`${(shown = done)} of ${options.kills} kills, ${runs.started()} runs, ${outages} outages, ${flaps} flaps`);
    if (outages < options.outages && done >= Math.floor((options.kills * (outages + 1)) / (options.outages + 1))) {
      outages += 1;
      await outage(stage, onOutage);
    }
    if (Date.now() >= nextFlapMs) {
      flaps += 1;
      void flap(front, flapping.pick(['drop', 'busy', 'hang']), 200 + flapping.int(1_300));
      nextFlapMs = Date.now() + 4_000 + flapping.int(6_000);
    }
    await runs.fill();
    persons.tick();
    director.tick();
    await sleep(TICK_MS);
  }
  front.flap('none');
  return { outages, flaps };
}

async function flap(front: ModelFront, how: 'drop' | 'busy' | 'hang', ms: number): Promise<void> {
  front.flap(how);
  await sleep(ms);
  front.flap('none');
}

async function outage({ server, director, options, say }: Stage, onOutage: () => void): Promise<void> {
  say(`The server is away for ${options.outageMs / 1_000} s.`);
  director.pause(true);
  onOutage();
  await server.stop();
  await sleep(options.outageMs);
  await server.start();
  director.pause(false);
}
