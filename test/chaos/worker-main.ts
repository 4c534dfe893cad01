import { NativeConnection } from '@temporalio/worker';
import { z } from 'zod';
import type { BlobStore } from '../../core/contract.ts';
import { openAiChat } from '../../models/index.ts';
import { defineAgent } from '../../tools/define-agent.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { createWorker } from '../../worker/create-worker.ts';
import { createFileBlobStore } from '../../worker/file-blob-store.ts';
import { AGENT } from './cases.ts';

/** A worker that the harness kills. Everything it does outside of Temporal goes through the auditor, so that the moment is known. */
const { ADDRESS = '', NAMESPACE = 'default', TASK_QUEUE = '', MODEL_URL = '', AUDITOR_URL = '', DATA_DIR = '', BUNDLE = '', WORKER = '' } = process.env;

async function tell(path: string, body: object, signal?: AbortSignal): Promise<string> {
  const response = await fetch(`${AUDITOR_URL}${path}`, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ worker: WORKER, ...body }), ...(signal ? { signal } : {}),
  });
  if (!response.ok) throw new Error(`the auditor says ${response.status}`);
  return response.text();
}

const write = (name: string, effect: 'idempotent' | 'once', needsApproval = false) =>
  defineTool({
    name,
    description: `Has an effect in the auditor's ledger (${effect}).`,
    input: z.object({ effect: z.string() }),
    effect,
    needsApproval,
    // Kills come often here, and each takes an attempt of whatever ran in that worker.
    ...(effect === 'idempotent' ? { retry: { attempts: 10 } } : {}),
    run: (args, { idempotencyKey, signal }) => tell('/effects', { tool: name, effect: args.effect, key: idempotencyKey }, signal),
  });

const look = defineTool({
  name: 'look', description: 'Looks something up.', input: z.object({ at: z.string() }), effect: 'read', retry: { attempts: 10 },
  run: ({ at }, { signal }) => tell('/looks', { at }, signal),
});

const agents = (['function-calling', 'text'] as const).map((form) =>
  defineAgent({
    name: AGENT[form], version: '1', instructions: 'You work for the auditor.', form, tools: [look, write('book', 'idempotent'), write('pay', 'once'), write('sign', 'idempotent', true)],
    limits: { turns: 100, budget: '100000000 tokens', timeLimit: '24h', modelAttempts: 20 },
    // Every few turns: continue-as-new is one of the moments to be killed in.
    context: { historyEvents: 60 },
  }),
);

/** Writing an archive is the last thing before a run continues as new, or ends. */
function watched(blobs: BlobStore): BlobStore {
  return {
    ...blobs,
    put: async (key, text) => {
      if (key.startsWith('archive/')) await tell('/archiving', { key });
      await blobs.put(key, text);
      if (key.startsWith('archive/')) await tell('/archived', { key });
    },
  };
}

const connection = await NativeConnection.connect({ address: ADDRESS });
const chat = openAiChat({ baseURL: `${MODEL_URL}/${WORKER}/v1`, apiKey: 'test' });
const worker = await createWorker({
  connection,
  namespace: NAMESPACE,
  taskQueue: TASK_QUEUE,
  agents,
  models: { nameFor: (name) => name ?? 'scripted', modelFor: () => Promise.resolve(chat) },
  blobs: watched(createFileBlobStore(DATA_DIR)),
  workflowBundle: { codePath: BUNDLE },
  searchAttributes: (process.env['SEARCH_ATTRIBUTES'] ?? '').split(',').filter((name) => name !== ''),
});
process.send?.('ready');
await worker.run();
await connection.close();
