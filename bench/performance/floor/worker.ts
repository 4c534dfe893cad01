import { fileURLToPath } from 'node:url';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { OpenAI } from 'openai';
import { serveChild } from '../serve-child.ts';
import { recordText, TOOL } from '../task.ts';
import type { FloorActivities } from './workflow.ts';

/** A worker with the hand-written loops; its options are those that the product's worker has. */
const { address, namespace, taskQueue, modelUrl } = serveChild.settings;

const openai = new OpenAI({ baseURL: modelUrl, apiKey: 'bench', maxRetries: 0 });
/** What each run has read; a worker that is killed has lost it, so no product could do this. */
const readBy = new Map<string, readonly string[]>();
/** What a run of 100 turns sends in all then lies between the product's two forms. */
const RECORDS_SHOWN = 15;
const tools = [{ type: 'function', function: { ...TOOL, parameters: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } } }] as const;

const activities: FloorActivities = {
  think: async ({ task, newest }) => {
    const response = await fetch(`${modelUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'bench', messages: [{ role: 'user', content: task }, { role: 'user', content: newest }], tools: [{ type: 'function', function: TOOL }] }),
    });
    const { choices } = (await response.json()) as Completion;
    const text = choices[0]?.message.tool_calls?.[0]?.function.arguments;
    return text === undefined ? {} : { next: (JSON.parse(text) as { readonly n: number }).n };
  },
  thinkWhole: async ({ task, newest }) => {
    const read = newest === '' ? [] : [...(readBy.get(task) ?? []), newest].slice(-RECORDS_SHOWN);
    readBy.set(task, read);
    const messages = [task, ...read].map((content) => ({ role: 'user', content }) as const);
    const { choices } = await openai.chat.completions.create({ model: 'bench', messages, tools: [...tools] });
    const [asked] = choices[0]?.message.tool_calls ?? [];
    if (asked?.type === 'function') return { next: (JSON.parse(asked.function.arguments) as { readonly n: number }).n };
    readBy.delete(task);
    return {};
  },
  [TOOL.name]: ({ n }) => Promise.resolve(recordText(n)),
};

interface Completion {
  readonly choices: readonly { readonly message: { readonly tool_calls?: readonly { readonly function: { readonly arguments: string } }[] } }[];
}

Runtime.install({ logger: new DefaultLogger('ERROR') });
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address }),
  namespace,
  taskQueue,
  workflowsPath: fileURLToPath(new URL('workflow.ts', import.meta.url)),
  activities,
  reuseV8Context: true,
  stickyQueueScheduleToStartTimeout: '1s',
  shutdownGraceTime: '1s',
});
serveChild.ready();
await worker.run();
process.exit(0);
