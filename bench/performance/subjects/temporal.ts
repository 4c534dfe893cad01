import { randomUUID } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { readIdentity } from '../../../worker/process-identity.ts';
import type { Place } from '../../two-forms/place.ts';
import type { Child } from '../child.ts';
import { startChild } from '../child.ts';
import type { BenchModel } from '../model.ts';
import { cpuMs } from '../process-figures.ts';
import type { Stage, Subject } from '../subject.ts';
import { taskText } from '../task.ts';
import type { Task } from '../task.ts';

/** What all rows on Temporal share: one server, one model. */
export interface Ground {
  readonly place: Place;
  readonly model: BenchModel;
  readonly client: Client;
  readonly serverPid: number;
}

export async function openGround(place: Place, model: BenchModel): Promise<Ground> {
  const client = new Client({ connection: place.connection, namespace: place.cluster.namespace });
  const identity = readIdentity(await readFile(join(place.dataDir, 'server', 'server.json'), 'utf8'));
  if (!identity) throw new Error('the embedded server has no record');
  return { place, model, client, serverPid: identity.pid };
}

export interface TemporalRow {
  readonly name: string;
  readonly workflow: string;
  readonly input: (text: string) => unknown;
}

interface WorkerOptions {
  readonly file: string;
  readonly node?: string;
  readonly rows: readonly TemporalRow[];
  readonly settings?: Readonly<Record<string, string>>;
}

/** A worker process of one engine, and its rows. */
export async function openTemporalStage(ground: Ground, options: WorkerOptions): Promise<Stage & { readonly worker: Child }> {
  const taskQueue = `bench-${randomUUID()}`;
  const worker = await startWorker(ground, { ...options, taskQueue });
  const subjects = options.rows.map((row): Subject => ({
    name: row.name,
    run: async (task) => {
      await (await startRun(ground, taskQueue, row, task)).result();
    },
    storedBytes: async (key) => (await historyBytes(ground.client, key)) + (await blobBytes(join(ground.place.dataDir, 'blobs'), key)),
    workerCpuMs: () => cpuMs(worker.pid),
    serverCpuMs: () => cpuMs(ground.serverPid),
  }));
  return { subjects, worker, close: () => worker.stop() };
}

export function startWorker({ place, model }: Ground, { file, node, settings, taskQueue }: Omit<WorkerOptions, 'rows'> & { readonly taskQueue: string }): Promise<Child> {
  const { address, namespace } = place.cluster;
  return startChild({
    file, ...(node === undefined ? {} : { node }),
    settings: { address, namespace, taskQueue, modelUrl: model.baseURL, dataDir: place.dataDir, ...settings },
  });
}

export function startRun({ client }: Pick<Ground, 'client'>, taskQueue: string, row: TemporalRow, task: Task) {
  return client.workflow.start(row.workflow, {
    taskQueue, workflowId: task.key, args: [row.input(taskText(task))],
    // As the product's client starts its runs; the same for every engine.
    workflowTaskTimeout: '2s',
  });
}

/** Histories of all executions of a run, as the server counts them. */
export async function historyBytes(client: Client, id: string): Promise<number> {
  const { raw: newest } = await client.workflow.getHandle(id).describe();
  const first = newest.workflowExecutionInfo?.firstRunId ?? undefined;
  let total = 0;
  for (let runId = first; runId !== undefined; runId = await nextRunId(client, id, runId)) {
    total += Number((await client.workflow.getHandle(id, runId).describe()).historySize ?? 0);
  }
  return total;
}

/** From the last event alone: a page of a peer's history is larger than a client takes. */
async function nextRunId({ workflowService, options: { namespace } }: Client, workflowId: string, runId: string): Promise<string | undefined> {
  const { history } = await workflowService.getWorkflowExecutionHistoryReverse({ namespace, execution: { workflowId, runId }, maximumPageSize: 1 });
  return history?.events?.[0]?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ?? undefined;
}

/** Files that the product keeps beside history. */
async function blobBytes(dir: string, key: string): Promise<number> {
  const names = await readdir(dir, { recursive: true }).catch(() => [] as string[]);
  const stats = await Promise.all(names.filter((name) => name.split('/').includes(key)).map((name) => stat(join(dir, name))));
  return stats.reduce((sum, one) => sum + (one.isFile() ? one.size : 0), 0);
}
