import { fileURLToPath } from 'node:url';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { AiSdkPlugin } from '@temporalio/ai-sdk';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { recordText, serveChild, TOOL } from './bench-side.js';

/** A worker with Temporal's plugin for the AI SDK; its other options are those of the product's worker. */
const { address, namespace, taskQueue, modelUrl } = serveChild.settings;

Runtime.install({ logger: new DefaultLogger('ERROR') });
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address }),
  namespace,
  taskQueue,
  plugins: [new AiSdkPlugin({ modelProvider: createOpenAICompatible({ name: 'bench', baseURL: modelUrl, apiKey: 'bench' }) })],
  workflowsPath: fileURLToPath(new URL('ai-sdk-workflow.js', import.meta.url)),
  activities: { [TOOL.name]: async ({ n }) => recordText(n) },
  reuseV8Context: true,
  stickyQueueScheduleToStartTimeout: '1s',
  shutdownGraceTime: '1s',
});
serveChild.ready();
await worker.run();
process.exit(0);
