import { Worker } from '@temporalio/worker';
import type { NativeConnection, WorkflowBundle } from '@temporalio/worker';
import type { DataConverter } from '@temporalio/common';
import { createArchive } from '../activities/archive.ts';
import { createAct } from '../activities/act.ts';
import { notify } from '../activities/notify.ts';
import { createPinAgent } from '../activities/pin-agent.ts';
import { createThink } from '../activities/think.ts';
import { createTranscriptCache } from '../activities/transcript-cache.ts';
import type { BlobStore } from '../core/contract.ts';
import { ACTIVITY } from '../core/names.ts';
import type { AgentDefinition } from '../tools/define-agent.ts';
import { createRegistry } from '../tools/registry.ts';
import type { ModelAccess } from './model-access.ts';

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
  /** Runs kept in memory; a run that is not is replayed when it goes on. */
  readonly maxCachedWorkflows?: number;
}

/** How long running calls may finish after SIGTERM before they are cut: longer than a usual model call. */
const SHUTDOWN_GRACE = '30s';
/** After a kill the next workflow task waits this long for the dead worker before any other may take it. */
const STICKY_TIMEOUT = '1s';
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
    workflowBundle: parts.workflowBundle satisfies WorkflowBundle | { codePath: string },
    activities: {
      [ACTIVITY.pinAgent]: createPinAgent({ registry, searchAttributes, modelName: models.nameFor }),
      [ACTIVITY.think]: createThink({ registry, modelFor: models.modelFor, cache }),
      [ACTIVITY.notify]: notify,
      [ACTIVITY.archive]: createArchive({ blobs, cache }),
      [ACTIVITY.act]: createAct({ registry, blobs }),
    },
    ...(parts.dataConverter ? { dataConverter: parts.dataConverter } : {}),
    ...(parts.maxCachedWorkflows === undefined ? {} : { maxCachedWorkflows: parts.maxCachedWorkflows }),
    reuseV8Context: true,
    stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT,
    maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
    shutdownGraceTime: SHUTDOWN_GRACE,
  });
}
