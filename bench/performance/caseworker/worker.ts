import { NativeConnection } from '@temporalio/worker';
import { openAiChat } from '../../../models/index.ts';
import { createWorker } from '../../../worker/create-worker.ts';
import { createFileBlobStore } from '../../../worker/file-blob-store.ts';
import { installTelemetry } from '../../../worker/telemetry.ts';
import { workflowBundle } from '../../../worker/workflow-bundle.ts';
import { serveChild } from '../serve-child.ts';
import { AGENTS } from './agents.ts';

/** The product's own worker, with its own connection to the model. */
const { address, namespace, taskQueue, modelUrl, dataDir, cachedRuns } = serveChild.settings;
const report = (message: string) => process.stderr.write(`${message}\n`);

await installTelemetry({ env: process.env, report, shutdownSignals: ['SIGTERM'] });
const chat = openAiChat({ baseURL: modelUrl, apiKey: 'bench' });
const worker = await createWorker({
  connection: await NativeConnection.connect({ address }),
  namespace,
  taskQueue,
  agents: AGENTS,
  models: { nameFor: (name) => name ?? 'bench', modelFor: () => Promise.resolve(chat) },
  blobs: createFileBlobStore(dataDir),
  workflowBundle: await workflowBundle({ env: process.env, report }),
  searchAttributes: [],
  ...(cachedRuns === undefined ? {} : { maxCachedWorkflows: Number(cachedRuns) }),
});
serveChild.ready();
await worker.run();
process.exit(0);
