import { Connection } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { NativeConnectionOptions } from '@temporalio/worker';
import { NativeConnection } from '@temporalio/worker';
import { acquireServer, runningServer } from './embedded-server.ts';
import { ServerUnreachableError, SettingError } from './errors.ts';

/** What `@temporalio/client` and the CLI use when nothing else is said. */
const USUAL_ADDRESS = 'localhost:7233';
const USUAL_NAMESPACE = 'default';
/** Long for a cluster across an ocean, short for somebody who waits at a terminal. */
const CONNECT_TIMEOUT_MS = 5_000;
/** A server that was gone is found again this soon after it came back: gRPC's own pauses grow to two minutes. */
const RECONNECT_MS = 3_000;

export interface OpenOptions {
  /** Read for TEMPORAL_* and for where a temporal.toml is. */
  readonly env: NodeJS.ProcessEnv;
  readonly dataDir: string;
  readonly report: (message: string) => void;
  /** Whether the embedded server may be started when none runs; one that runs is joined in any case. */
  readonly mayStart: boolean;
  /** Ports of an embedded server that is started: the usual ones when free (default), or any. */
  readonly ports?: 'usual' | 'free';
}

/** The Temporal cluster that this process works with. */
export interface Cluster {
  /** `named`: by TEMPORAL_* or a temporal.toml, nothing was started. `embedded`: the project's own. */
  readonly kind: 'named' | 'embedded';
  readonly address: string;
  readonly namespace: string;
  /** Temporal's own pages; known for the embedded server only. */
  readonly uiUrl?: string;
  readonly startedByUs: boolean;
  readonly connectionOptions: NativeConnectionOptions;
  /** Must be called when the work is done: the last user of an embedded server stops it. */
  release(): Promise<void>;
}

/**
 * Decides which cluster to use, makes sure that it answers, and joins or starts the embedded one when none is named.
 * @throws ServerUnreachableError when a named cluster does not answer, or when none runs and none may be started.
 * @throws SettingError when TEMPORAL_* or the temporal.toml cannot be read.
 */
export async function openCluster(options: OpenOptions): Promise<Cluster> {
  const named = namedCluster(options.env);
  if (named === undefined) return openEmbedded(options);
  const connection = await connectClient(named);
  await connection.close();
  return named;
}

/** A connection for starting runs and asking about them. @throws ServerUnreachableError */
export async function connectClient(cluster: Pick<Cluster, 'kind' | 'address' | 'connectionOptions'>): Promise<Connection> {
  const { tls, apiKey, metadata } = cluster.connectionOptions;
  try {
    return await Connection.connect({
      address: cluster.address,
      connectTimeout: CONNECT_TIMEOUT_MS,
      channelArgs: { 'grpc.max_reconnect_backoff_ms': RECONNECT_MS },
      ...(tls === undefined || tls === null ? {} : { tls }),
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(metadata === undefined ? {} : { metadata }),
    });
  } catch (error) {
    throw unreachable(cluster, error);
  }
}

/** A connection for a worker. @throws ServerUnreachableError */
export async function connectWorker(cluster: Pick<Cluster, 'kind' | 'address' | 'connectionOptions'>): Promise<NativeConnection> {
  try {
    return await NativeConnection.connect({ ...cluster.connectionOptions, address: cluster.address });
  } catch (error) {
    throw unreachable(cluster, error);
  }
}

function namedCluster(env: NodeJS.ProcessEnv): Cluster | undefined {
  const { connectionOptions, namespace } = readSettings(env);
  const { address, apiKey, tls } = connectionOptions;
  const isNamed = [address, apiKey, namespace].some((value) => value !== undefined && value !== '') || (tls !== undefined && tls !== false);
  if (!isNamed) return undefined;
  return {
    kind: 'named',
    address: address ?? USUAL_ADDRESS,
    namespace: namespace ?? USUAL_NAMESPACE,
    startedByUs: false,
    connectionOptions,
    release: () => Promise.resolve(),
  };
}

function readSettings(env: NodeJS.ProcessEnv) {
  try {
    return loadClientConnectConfig({ overrideEnvVars: withoutUndefined(env) });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SettingError(`The settings of Temporal (TEMPORAL_* or temporal.toml) cannot be read: ${why}`, { cause: error });
  }
}

function withoutUndefined(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

async function openEmbedded(options: OpenOptions): Promise<Cluster> {
  if (!options.mayStart && (await runningServer(options.dataDir)) === undefined) throw noneRuns(options.dataDir);
  const server = await acquireServer(options);
  return {
    kind: 'embedded',
    address: server.address,
    namespace: server.namespace,
    uiUrl: server.uiUrl,
    startedByUs: server.startedByUs,
    connectionOptions: { address: server.address },
    release: () => server.release(),
  };
}

function noneRuns(dataDir: string): ServerUnreachableError {
  return new ServerUnreachableError(
    dataDir,
    `No Temporal server runs on the data in ${dataDir}. Start one with \`caseworker dev\`, or name a cluster with TEMPORAL_ADDRESS.`,
  );
}

function unreachable({ kind, address }: Pick<Cluster, 'kind' | 'address'>, error: unknown): ServerUnreachableError {
  const why = error instanceof Error ? error.message : String(error);
  const remedy =
    kind === 'named'
      ? 'It was named by TEMPORAL_* or a temporal.toml: check the address, the key and the certificates, or unset them to use the embedded server.'
      : 'It may just have been stopped: try again.';
  return new ServerUnreachableError(address, `The Temporal server at ${address} does not answer (${why}). ${remedy}`, { cause: error });
}
