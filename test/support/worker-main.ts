import { NativeConnection } from '@temporalio/worker';
import { z } from 'zod';
import { openAiChat } from '../../models/index.ts';
import { defineAgent } from '../../tools/define-agent.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { createWorker } from '../../worker/create-worker.ts';
import { createFileBlobStore } from '../../worker/file-blob-store.ts';

/** A worker as a process of its own, so that a test can kill it. Its tools go through a gate that the test holds. */
const { ADDRESS, NAMESPACE = 'default', TASK_QUEUE = '', MODEL_URL = '', GATE_URL = '', DATA_DIR = '', BUNDLE = '' } = process.env;

const gated = (name: string, effect: 'read' | 'idempotent' | 'once', timeout = '30s', keysKeptFor?: string) =>
  defineTool({
    name,
    description: `Goes through the gate (${effect}).`,
    input: z.object({ gate: z.string() }),
    effect,
    timeout,
    needsApproval: false,
    ...(keysKeptFor === undefined ? {} : { keysKeptFor }),
    run: async ({ gate }, { signal }) => (await fetch(`${GATE_URL}/${gate}`, { signal })).text(),
  });

const held = (name: string, effect: 'idempotent' | 'once') =>
  defineTool({
    name,
    description: `Goes through the gate once a person said yes (${effect}).`,
    input: z.object({ gate: z.string() }),
    effect,
    run: async ({ gate }, { signal }) => (await fetch(`${GATE_URL}/${gate}`, { signal })).text(),
  });

/** Asks the other side what it has of a lost call: under `what-became-of-…` it says so, says nothing, or fails. */
const tracedPay = defineTool({
  name: 'pay_traced',
  description: 'Goes through the gate, which can be asked later whether it did.',
  input: z.object({ gate: z.string() }),
  effect: 'once',
  needsApproval: false,
  run: async ({ gate }, { signal }) => (await fetch(`${GATE_URL}/${gate}`, { signal })).text(),
  lookup: async ({ gate }, { signal }) => {
    const response = await fetch(`${GATE_URL}/what-became-of-${gate}`, { signal });
    if (!response.ok) throw new Error(`the other side says ${response.status}`);
    return z.object({ happened: z.boolean(), result: z.string().optional() }).optional().parse(JSON.parse(await response.text()) ?? undefined);
  },
});

const tools = [
  gated('look', 'read'), gated('glance', 'read', '5s'), gated('book', 'idempotent'), gated('book_briefly', 'idempotent', '30s', '1s'), gated('pay', 'once'), tracedPay,
  held('pay_held', 'once'), held('book_held', 'idempotent'),
];
const agent = (name: string, form: 'function-calling' | 'text', onStop: 'end' | 'wait' = 'end') =>
  defineAgent({ name, version: '1', instructions: 'You work at the gate.', tools, form, onStop, limits: { turns: 100 } });

const connection = await NativeConnection.connect({ address: ADDRESS ?? '' });
const chat = openAiChat({ baseURL: MODEL_URL, apiKey: 'test' });
const worker = await createWorker({
  connection,
  namespace: NAMESPACE,
  taskQueue: TASK_QUEUE,
  agents: [agent('gate', 'function-calling'), agent('gate-text', 'text'), agent('gate-waits', 'function-calling', 'wait')],
  models: { nameFor: (name) => name ?? 'scripted', modelFor: () => Promise.resolve(chat) },
  blobs: createFileBlobStore(DATA_DIR),
  workflowBundle: { codePath: BUNDLE },
  searchAttributes: [],
});
process.send?.('ready');
await worker.run();
await connection.close();
