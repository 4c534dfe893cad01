import { getHeapStatistics } from 'node:v8';
import { Worker } from '@temporalio/worker';
import type { NativeConnection, WorkerDeploymentOptions } from '@temporalio/worker';
import type { DataConverter } from '@temporalio/common';
import { createArchive } from '../activities/archive.ts';
import { createAct } from '../activities/act.ts';
import { createCheck } from '../activities/check.ts';
import { createNotify } from '../activities/notify.ts';
import { createPinAgent } from '../activities/pin-agent.ts';
import { createThink } from '../activities/think.ts';
import { createTranscriptCache } from '../activities/transcript-cache.ts';
import type { BlobStore } from '../core/contract.ts';
import { ACTIVITY, DEFAULT_TASK_QUEUE } from '../core/names.ts';
import type { AgentDefinition } from '../tools/define-agent.ts';
import { createRegistry } from '../tools/registry.ts';
import { pricesFor } from '../models/prices.ts';
import { connectClient, connectWorker } from './connect.ts';
import type { Cluster } from './connect.ts';
import { loadDataConverter } from './data-converter.ts';
import { deploymentOf } from './deployment.ts';
import type { Deployment } from './deployment.ts';
import { createFileBlobStore } from './file-blob-store.ts';
import { modelAccess } from './model-access.ts';
import type { ModelAccess } from './model-access.ts';
import { paceOf } from './pace.ts';
import { registerSearchAttributes } from './search-attributes.ts';
import { installTelemetry } from './telemetry.ts';
import type { TelemetryOptions } from './telemetry.ts';
import { workflowBundle } from './workflow-bundle.ts';

export interface WorkerParts {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly taskQueue: string;
  readonly agents: readonly AgentDefinition[];
  readonly models: Pick<ModelAccess, 'nameFor' | 'modelFor'>;
  readonly blobs: BlobStore;
  /** Path of the bundle that `workflowBundle` made. */
  readonly workflowBundle: { readonly codePath: string };
  /** Search attributes that this server knows. */
  readonly searchAttributes: readonly string[];
  readonly dataConverter?: DataConverter;
  /** Set: runs that begin on this build stay with it. */
  readonly deployment?: Deployment;
  /** Activities that all workers of the task queue may start a second, together. */
  readonly activitiesPerSecond?: number;
  /** Runs kept in memory, 1,000 unless said otherwise; a run that is not is replayed when it goes on. */
  readonly maxCachedWorkflows?: number;
}

/** Currency of costs where an agent brings no price table of its own. */
const BUDGET_CURRENCY = 'INR';
/** How long running calls may finish after SIGTERM before they are cut: longer than a usual model call. */
const SHUTDOWN_GRACE = '30s';
/** After a kill the next workflow task waits this long for the dead worker before any other may take it. */
const STICKY_TIMEOUT = '1s';
/**
 * Workflow tasks that a worker has taken and not finished. One thread works on them, and each must be done within 2 s of
 * being taken: with 40 (the SDK's default) and 50 runs on a machine with ten times more to do than cores, they ran out of
 * time again and again and hardly a turn got done; with 8 there were 19 turns a second. Those that are not taken wait on the
 * server, where no time runs out.
 */
const WORKFLOW_TASKS_AT_ONCE = 8;
/**
 * Runs kept in memory, about 0.3 MB each. The SDK would keep some 2,300 on a machine with 4 GB for Node; most of many runs
 * wait for a person, and one that was left out is brought back by one replay (0.2 s after 20 turns).
 */
const CACHED_RUNS = 1_000;
/** Beats are sent at most this often: several within the shortest heartbeat time-out. */
const HEARTBEAT_THROTTLE = '500ms';

/** A worker with the loop and its activities. Tools need no registration: every activity type that is not ours is a tool's. */
export function createWorker(parts: WorkerParts): Promise<Worker> {
  const registry = createRegistry(parts.agents);
  const cache = createTranscriptCache();
  const { blobs, models, searchAttributes } = parts;
  return Worker.create({
    connection: parts.connection,
    namespace: parts.namespace,
    taskQueue: parts.taskQueue,
    workflowBundle: parts.workflowBundle,
    activities: {
      [ACTIVITY.pinAgent]: createPinAgent({ registry, searchAttributes, modelName: models.nameFor, pricesFor: (model) => pricesFor(model, BUDGET_CURRENCY) }),
      [ACTIVITY.think]: createThink({ registry, modelFor: models.modelFor, cache, blobs }),
      [ACTIVITY.check]: createCheck({ registry, cache, blobs }),
      [ACTIVITY.notify]: createNotify({ registry }),
      [ACTIVITY.archive]: createArchive({ blobs, cache }),
      [ACTIVITY.act]: createAct({ registry, blobs }),
    },
    ...(parts.dataConverter ? { dataConverter: parts.dataConverter } : {}),
    ...(parts.deployment ? { workerDeploymentOptions: versioned(parts.deployment) } : {}),
    ...(parts.activitiesPerSecond === undefined ? {} : { maxTaskQueueActivitiesPerSecond: parts.activitiesPerSecond }),
    maxCachedWorkflows: parts.maxCachedWorkflows ?? cachedRuns(),
    reuseV8Context: true,
    stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT,
    maxConcurrentWorkflowTaskExecutions: WORKFLOW_TASKS_AT_ONCE,
    maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
    shutdownGraceTime: SHUTDOWN_GRACE,
  });
}

/** A small heap holds fewer: 0.6 runs for each MiB beyond the worker's own 200, as the SDK reckons. */
function cachedRuns(): number {
  const heapMiB = getHeapStatistics().heap_size_limit / 1024 ** 2;
  return Math.max(10, Math.min(CACHED_RUNS, Math.floor((heapMiB - 200) * 0.6)));
}

/** Pinned: a run ends on the build that it began on, whatever becomes current meanwhile. */
function versioned({ name, buildId }: Deployment): WorkerDeploymentOptions {
  return { version: { deploymentName: name, buildId }, useWorkerVersioning: true, defaultVersioningBehavior: 'PINNED' };
}

export interface StartWorkerOptions {
  readonly cluster: Cluster;
  readonly agents: readonly AgentDefinition[];
  readonly dataDir: string;
  readonly taskQueue?: string;
  readonly env: NodeJS.ProcessEnv;
  /** Told what takes time. */
  readonly report: (message: string) => void;
  /** What is logged unless CASEWORKER_LOG_LEVEL says otherwise; default `warn`. */
  readonly logLevel?: TelemetryOptions['level'];
}

/** A worker that polls until it is shut down. */
export interface RunningWorker {
  readonly taskQueue: string;
  /** One line for people: which model answers. */
  readonly modelText: string;
  /** Where Prometheus finds the counters; absent when switched off. */
  readonly metricsUrl?: string;
  /** Settles when the worker has stopped; rejects when it broke. */
  readonly stopped: Promise<void>;
  /** Takes nothing new, lets running calls end, and closes what was opened. */
  shutdown(): Promise<void>;
}

/** Everything a worker process needs, from the environment: model, bundle, search attributes, blob store, metrics. */
export async function startWorker(options: StartWorkerOptions): Promise<RunningWorker> {
  const { cluster, agents, dataDir, taskQueue = DEFAULT_TASK_QUEUE, env, report } = options;
  const { metricsUrl } = await installTelemetry({ env, report, ...(options.logLevel ? { level: options.logLevel } : {}) });
  const deployment = deploymentOf(env);
  const activitiesPerSecond = paceOf(env);
  const dataConverter = await loadDataConverter(env);
  const [bundle, searchAttributes, connection] = await Promise.all([
    workflowBundle({ env, report, ...(dataConverter ? { dataConverter } : {}) }),
    knownSearchAttributes(cluster, report),
    connectWorker(cluster),
  ]);
  const models = modelAccess(env);
  const worker = await createWorker({
    connection,
    namespace: cluster.namespace,
    taskQueue,
    agents,
    models,
    blobs: createFileBlobStore(dataDir),
    workflowBundle: bundle,
    searchAttributes,
    ...(dataConverter ? { dataConverter } : {}),
    ...(deployment ? { deployment } : {}),
    ...(activitiesPerSecond === undefined ? {} : { activitiesPerSecond }),
  });
  const stopped = worker.run();
  // Whoever waits for `stopped` gets the failure; nobody has to.
  stopped.catch((error: unknown) => report(`The worker stopped: ${error instanceof Error ? error.message : String(error)}`));
  return {
    taskQueue,
    modelText: models.text,
    ...(metricsUrl ? { metricsUrl } : {}),
    stopped,
    shutdown: async () => {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await stopped.finally(async () => {
        await connection.close();
        await models.close();
      });
    },
  };
}

async function knownSearchAttributes(cluster: Cluster, report: (message: string) => void): Promise<readonly string[]> {
  const connection = await connectClient(cluster);
  try {
    const { known, problem } = await registerSearchAttributes({ connection, namespace: cluster.namespace });
    if (problem) report(problem);
    return known;
  } finally {
    await connection.close();
  }
}
