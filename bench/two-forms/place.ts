import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connection } from '@temporalio/client';
import type { Cluster } from '../../worker/connect.ts';
import { connectClient, openCluster } from '../../worker/connect.ts';

/** A Temporal server of one's own, with empty data. */
export interface Place {
  readonly cluster: Cluster;
  readonly dataDir: string;
  readonly connection: Connection;
  readonly env: NodeJS.ProcessEnv;
  close(): Promise<void>;
}

/** Whatever cluster or model somebody has set stays out of a measurement. */
export async function openPlace(report: (message: string) => void): Promise<Place> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:TEMPORAL_|OPENAI_)/.test(name)));
  const ownEnv = { ...env, TEMPORAL_CONFIG_FILE: join(tmpdir(), 'no-such-temporal.toml'), CASEWORKER_METRICS: 'off', CASEWORKER_LOG_LEVEL: 'error' };
  const dataDir = await mkdtemp(join(tmpdir(), 'caseworker-bench-'));
  const cluster = await openCluster({ env: ownEnv, dataDir, report, mayStart: true, ports: 'free' });
  const connection = await connectClient(cluster);
  return {
    cluster, dataDir, connection, env: ownEnv,
    close: async () => {
      await connection.close();
      await cluster.release();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
