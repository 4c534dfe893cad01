import { Client } from '@temporalio/client';
import type { Connection } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import type { NativeConnection } from '@temporalio/worker';
import { z } from 'zod';
import { createClient } from '../../client/caseworker-client.ts';
import type { CaseworkerClient, StartRequest } from '../../client/types.ts';
import type { BlobStore } from '../../core/contract.ts';
import type { RunResult } from '../../core/run.ts';
import { openAiChat, startScriptedModel } from '../../models/index.ts';
import type { Script, ScriptedModel, Scripts } from '../../models/index.ts';
import { defineAgent } from '../../tools/define-agent.ts';
import type { AgentDefinition, AgentOptions } from '../../tools/define-agent.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { createWorker } from '../../worker/create-worker.ts';
import type { Deployment } from '../../worker/deployment.ts';
import { createFileBlobStore } from '../../worker/file-blob-store.ts';
import { registerSearchAttributes } from '../../worker/search-attributes.ts';

/** A real worker on the real server with the scripted model: what a test of the whole loop needs. */
export interface Desk {
  readonly client: CaseworkerClient;
  /** Temporal's own client, for what ours does not do. */
  readonly temporal: Client;
  readonly model: ScriptedModel;
  readonly taskQueue: string;
  readonly blobs: BlobStore;
  readonly dataDir: string;
  /** Starts a run and waits for its result. */
  run(request: Partial<StartRequest>): Promise<{ readonly id: string; readonly result: RunResult }>;
  stopWorker(): Promise<void>;
  /** Stops the worker and the model. */
  close(): Promise<void>;
}

export interface DeskOptions {
  readonly script: Script | Scripts;
  readonly agents?: readonly AgentDefinition[];
  readonly maxCachedWorkflows?: number;
  readonly dataConverter?: DataConverter;
  readonly deployment?: Deployment;
  readonly activitiesPerSecond?: number;
}

/** Must be found nowhere but in the requests to the model. */
export const API_KEY = 'sk-canary-8861';

export interface DeskServer {
  readonly connection: Connection;
  readonly nativeConnection: NativeConnection;
  readonly namespace: string;
  readonly bundle: { readonly codePath: string };
  readonly taskQueue: string;
  readonly dataDir: string;
}

export async function startDesk(server: DeskServer, { script, agents = [deskAgent()], maxCachedWorkflows, dataConverter, deployment, activitiesPerSecond }: DeskOptions): Promise<Desk> {
  const { connection, nativeConnection, namespace, taskQueue, dataDir } = server;
  const { known } = await registerSearchAttributes({ connection, namespace });
  const model = await startScriptedModel(script);
  const blobs = createFileBlobStore(dataDir);
  const chat = openAiChat({ baseURL: model.baseURL, apiKey: API_KEY });
  const worker = await createWorker({
    connection: nativeConnection, namespace, taskQueue, agents, blobs,
    models: { nameFor: (name) => name ?? 'scripted', modelFor: () => Promise.resolve(chat) },
    workflowBundle: server.bundle,
    searchAttributes: known,
    ...(maxCachedWorkflows === undefined ? {} : { maxCachedWorkflows }),
    ...(dataConverter ? { dataConverter } : {}),
    ...(deployment ? { deployment } : {}),
    ...(activitiesPerSecond === undefined ? {} : { activitiesPerSecond }),
  });
  const running = worker.run();
  const stopWorker = async () => {
    if (worker.getState() === 'RUNNING') worker.shutdown();
    await running;
  };
  const converter = dataConverter ? { dataConverter } : {};
  const client = createClient({ connection, namespace, taskQueue, blobs, ...converter });
  return {
    client, temporal: new Client({ connection, namespace, ...converter }), model, taskQueue, blobs, dataDir, stopWorker,
    close: async () => {
      await stopWorker();
      await model.close();
    },
    run: async (request) => {
      const { id } = await client.start({ agent: agents[0]?.name ?? 'desk', task: 'Look at order 88213.', ...request });
      const result = await client.result(id, { waitMs: 50_000 });
      if (!result) throw new Error(`run ${id} did not end: ${JSON.stringify(await client.show(id))}`);
      return { id, result };
    },
  };
}

/** Orders of the tests: what is not in here does not exist. */
export const ORDERS: Readonly<Record<string, unknown>> = {
  88213: { order_id: '88213', status: 'delivered', fee: '₹25', price: '₹480' },
  88214: { order_id: '88214', status: 'in transit', fee: '₹20', price: '₹100' },
};

export const getOrder = defineTool({
  name: 'get_order',
  description: 'One order.',
  input: z.object({ order_id: z.string() }),
  effect: 'read',
  ids: { order_id: 'order' },
  emptyText: ({ order_id }) => `No order with id ${order_id} exists.`,
  run: ({ order_id }) => ORDERS[order_id],
});

export const search = defineTool({
  name: 'search',
  description: 'Finds text in the files.',
  input: z.object({ query: z.string() }),
  effect: 'read',
  run: ({ query }) => `found: ${query}`,
});

export const refund = defineTool({
  name: 'refund',
  description: 'Pays money back.',
  input: z.object({ order_id: z.string(), amount: z.string() }),
  effect: 'once',
  run: ({ order_id, amount }) => `refunded ${amount} for ${order_id}`,
});

/** The tests' agent; it ends instead of waiting, unless a test wants it to wait. */
export function deskAgent(changes: Partial<AgentOptions> = {}): AgentDefinition {
  return defineAgent({
    name: 'desk', version: '1', instructions: 'You work at the desk.', tools: [getOrder, search, refund], onStop: 'end', ...changes,
  });
}
