import { createClient } from '../client/caseworker-client.ts';
import { UsageError } from '../client/errors.ts';
import { translated, type ClientOptions } from '../client/server-access.ts';
import type { CaseworkerClient } from '../client/types.ts';
import type { AgentDefinition } from '../tools/define-agent.ts';
import { connectClient, openCluster, type Cluster } from '../worker/connect.ts';
import type { startWorker } from '../worker/create-worker.ts';
import { loadDataConverter } from '../worker/data-converter.ts';
import { createFileBlobStore } from '../worker/file-blob-store.ts';
import { loadAgents, loadSettings, type Settings } from './config.ts';
import { createReleases } from './releases.ts';
import { workerPolls } from './task-queue-pollers.ts';

export interface SessionNeeds {
  /** `if_none_polls`: a worker in this process when no other one serves the task queue; `always`: in any case. */
  readonly worker: 'none' | 'if_none_polls' | 'always';
  /** Agent that is about to be started: it must be one of those that `agents` or a worker of our own has. */
  readonly agent?: string;
  /** Settings of the worker that options name; they go before those of the environment. */
  readonly workerEnv?: NodeJS.ProcessEnv;
}

export interface SessionOptions extends SessionNeeds {
  /** Module of agents that an option names. */
  readonly agents?: string;
  /** Told what takes time. */
  readonly say: (message: string) => void;
}

export interface Session {
  readonly client: CaseworkerClient;
  /** What the client was made of: another one in this process speaks to the same server with it. */
  readonly server: ClientOptions;
  readonly cluster: Cluster;
  /** A worker of this process. */
  readonly worker?: RunningWorker;
  /** Names of its agents. */
  readonly agents: readonly string[];
  /**
   * Whether a worker of another process serves a run, or a task queue (default: that of the session), so that it goes on
   * when this process ends. Looked up anew each time: workers come and go while a command watches.
   */
  isServedElsewhere(of?: { readonly run: string } | { readonly taskQueue: string | undefined }, signal?: AbortSignal): Promise<boolean>;
  /** Address of Temporal's Web UI, when it is known. */
  readonly webUi?: string;
  webUiOf(id: string): RunPage;
  close(): Promise<void>;
}

/** A run in Temporal's Web UI. */
export interface RunPage {
  /** Address of its page, when it is known. */
  readonly webUi?: string;
  /** The page goes away with the server that this command has started. */
  readonly webUiEnds?: boolean;
}

export type RunningWorker = Awaited<ReturnType<typeof startWorker>>;

/** Opens what a command needs; what was opened already is released when the rest fails. */
export async function openSession(options: SessionOptions): Promise<Session> {
  const releases = createReleases();
  try {
    return await open(options, releases);
  } catch (error) {
    await releases.all();
    throw translated(error);
  }
}

async function open(options: SessionOptions, releases: ReturnType<typeof createReleases>): Promise<Session> {
  const { say } = options;
  const settings = await loadSettings(options);
  const { dataDir, taskQueue } = settings;
  const dataConverter = await loadDataConverter(process.env);
  // Named with this command, or needed in any case: what is wrong with them is said before a server is started.
  const agentsToo = options.worker === 'always' || (options.worker === 'if_none_polls' && options.agents !== undefined);
  const early = agentsToo ? await knownAgents(options, settings) : undefined;
  const cluster = await openCluster({ env: process.env, dataDir, report: say, mayStart: true });
  releases.add(() => cluster.release());
  const connection = await connectClient(cluster);
  releases.add(() => connection.close());
  const { namespace } = cluster;

  const isServedElsewhere: Session['isServedElsewhere'] = (of = { taskQueue }, signal) =>
    workerPolls({ connection, namespace, of: 'run' in of ? of : { taskQueue: of.taskQueue ?? taskQueue }, signal });
  const needsWorker = options.worker === 'always' || (options.worker === 'if_none_polls' && !(await isServedElsewhere()));
  if (!needsWorker && early) say(`A worker serves this task queue already, with agents of its own: those of ${settings.agentsModule} are not used.`);
  const own = needsWorker ? await ownWorker(options, { ...settings, cluster, agents: early ?? (await knownAgents(options, settings)) }) : undefined;
  if (own) releases.add(() => own.worker.shutdown());

  const webUi = cluster.uiUrl;
  const server: ClientOptions = {
    connection,
    namespace,
    taskQueue,
    blobs: createFileBlobStore(dataDir),
    ...(dataConverter ? { dataConverter } : {}),
  };
  return {
    client: createClient(server),
    server,
    cluster,
    ...(own ? { worker: own.worker } : {}),
    agents: own?.agents ?? [],
    isServedElsewhere,
    ...(webUi ? { webUi } : {}),
    webUiOf: (id) => (webUi ? { webUi: pageOf(webUi, namespace, id), webUiEnds: cluster.startedByUs } : {}),
    close: () => releases.all(),
  };
}

function pageOf(webUi: string, namespace: string, id: string): string {
  return `${webUi}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(id)}`;
}

/** A worker that lives for one command: the trace tells what it does, and nobody comes to read its counters. */
const PASSING_WORKER = { CASEWORKER_LOG_LEVEL: 'error', CASEWORKER_METRICS: 'off' } as const;

/** @throws UsageError where they cannot be loaded, or the agent that is meant is not among them */
async function knownAgents({ agent }: SessionOptions, { agentsModule }: Settings): Promise<readonly AgentDefinition[]> {
  const agents = await loadAgents(agentsModule);
  if (agent === undefined || agents.some(({ name }) => name === agent)) return agents;
  throw new UsageError(`There is no agent "${agent}". ${agentsModule} has: ${agents.map(({ name }) => name).join(', ')}.`);
}

async function ownWorker(
  { say, worker: kind, workerEnv }: SessionOptions,
  { agents, taskQueue, dataDir, cluster }: Settings & { readonly agents: readonly AgentDefinition[]; readonly cluster: Cluster },
): Promise<{ readonly worker: RunningWorker; readonly agents: readonly string[] }> {
  say('Starting a worker …');
  // Loaded only now: commands that only look need none of it, and it is the largest part.
  const { startWorker } = await import('../worker/create-worker.ts');
  const env = { ...(kind === 'always' ? {} : PASSING_WORKER), ...process.env, ...workerEnv };
  // A worker that serves others logs how each loop ended; beside a trace that is being read it would only be in the way.
  const logLevel = kind === 'always' ? 'info' : 'warn';
  return { worker: await startWorker({ cluster, agents, dataDir, taskQueue, env, report: say, logLevel }), agents: agents.map(({ name }) => name) };
}
