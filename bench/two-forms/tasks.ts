import { createClient } from '../../client/caseworker-client.ts';
import type { CaseworkerClient } from '../../client/types.ts';
import type { Form } from '../../core/agent.ts';
import type { RunResult } from '../../core/run.ts';
import agents from '../../examples/agents.ts';
import { startWorker } from '../../worker/create-worker.ts';
import { createFileBlobStore } from '../../worker/file-blob-store.ts';
import type { Place } from './place.ts';

export interface Task {
  readonly agent: string;
  readonly kind: string;
  readonly task: string;
}

export const TASKS: readonly Task[] = [
  { agent: 'order-desk', kind: 'one order, policy, arithmetic', task: 'Order 88213 cost ₹480 plus a ₹25 fee and arrived 62 minutes late. What should the customer be refunded in total?' },
  { agent: 'order-desk', kind: 'one look-up', task: 'Was order 88214 late?' },
  { agent: 'order-desk', kind: 'two orders and their sum', task: 'What is owed for orders 88213 and 88217 in total?' },
  { agent: 'order-desk', kind: 'not found', task: 'What should be refunded for order 99999?' },
  { agent: 'order-desk', kind: 'a write', task: 'Refund order 88213.' },
  { agent: 'population', kind: 'look up, then multiply', task: 'What is twice the population of France?' },
];

export interface MeasuredTask extends Task {
  readonly results: Readonly<Record<Form, RunResult>>;
}

/** Every task in both forms: the examples' agents, a real worker, the offline model. A stopped run ends instead of waiting. */
export async function runTasks({ cluster, connection, dataDir, env }: Place): Promise<readonly MeasuredTask[]> {
  const taskQueue = 'two-forms-tasks';
  const ending = agents.map((agent) => ({ ...agent, onStop: 'end' as const }));
  const worker = await startWorker({ cluster, agents: ending, dataDir, taskQueue, env, report: (message) => console.error(message) });
  const client = createClient({ connection, namespace: cluster.namespace, taskQueue, blobs: createFileBlobStore(dataDir) });
  const measured: MeasuredTask[] = [];
  try {
    for (const task of TASKS) {
      const results = { 'function-calling': await resultOf(client, task, 'function-calling'), text: await resultOf(client, task, 'text') };
      measured.push({ ...task, results });
    }
  } finally {
    await worker.shutdown();
  }
  return measured;
}

async function resultOf(client: CaseworkerClient, { agent, task }: Task, form: Form): Promise<RunResult> {
  const { id } = await client.start({ agent, task, form });
  for await (const entry of client.follow(id)) if (entry.kind === 'waiting') await approveAll(client, id);
  const result = await client.result(id, { waitMs: 120_000 });
  if (!result) throw new Error(`The run ${id} did not end.`);
  return result;
}

/** A write waits for a person's yes in either form; nobody's time is measured. */
async function approveAll(client: CaseworkerClient, id: string): Promise<void> {
  for (const { call, argsHash } of (await client.progress(id))?.held ?? []) {
    await client.approve(id, { call, argsHash, by: { name: 'bench', verified: false } });
  }
}
