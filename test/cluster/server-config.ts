import { portOrFree } from '../../worker/free-port.ts';

/** On PostgreSQL Temporal keeps the ports of its members as 16-bit numbers with a sign: those above are refused. */
const HIGHEST_PORT = 32_767;
const LOWEST_PORT = 20_000;

export async function clusterPort(): Promise<number> {
  for (;;) {
    const wanted = LOWEST_PORT + Math.floor(Math.random() * (HIGHEST_PORT - LOWEST_PORT));
    if ((await portOrFree(wanted)) === wanted) return wanted;
  }
}

export interface ClusterPorts {
  readonly postgres: number;
  readonly frontend: number;
}

/** A cluster of one machine: four services in one process, one PostgreSQL. JSON, which is YAML too. */
export async function serverConfig({ postgres, frontend }: ClusterPorts): Promise<string> {
  const service = async (grpcPort: number) => ({ rpc: { grpcPort, membershipPort: await clusterPort(), bindOnLocalHost: true } });
  const store = (databaseName: string) => ({
    sql: {
      pluginName: 'postgres12_pgx', databaseName, connectAddr: `127.0.0.1:${postgres}`, connectProtocol: 'tcp', user: 'temporal', password: 'trusted',
      maxConns: 20, maxIdleConns: 20, maxConnLifetime: '1h',
    },
  });
  return JSON.stringify({
    log: { stdout: true, level: 'error' },
    persistence: {
      defaultStore: 'default', visibilityStore: 'visibility', numHistoryShards: 4,
      datastores: { default: store('temporal'), visibility: store('temporal_visibility') },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
    services: {
      frontend: await service(frontend), matching: await service(await clusterPort()), history: await service(await clusterPort()), worker: await service(await clusterPort()),
    },
    clusterMetadata: {
      enableGlobalNamespace: false, failoverVersionIncrement: 10, masterClusterName: 'active', currentClusterName: 'active',
      clusterInformation: { active: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress: `127.0.0.1:${frontend}` } },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    archival: { history: { state: 'disabled' }, visibility: { state: 'disabled' } },
    publicClient: { hostPort: `127.0.0.1:${frontend}` },
  });
}
