import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { answers } from '../../worker/server-health.ts';
import type { ChaosServer } from '../chaos/chaos-server.ts';
import { startPostgres } from './postgres.ts';
import { serverBinaries } from './server-binaries.ts';
import { clusterPort, serverConfig } from './server-config.ts';

const NAMESPACE = 'default';
const START_MS = 120_000;
const RETENTION_MS = 3 * 86_400_000;

/** Temporal's own server on PostgreSQL, without Docker. It is killed and comes back; the database stays up. */
export async function postgresChaosServer(dataDir: string, say: (message: string) => void): Promise<ChaosServer> {
  const binaries = serverBinaries(say);
  const postgres = await startPostgres();
  makeTables(binaries.sql, postgres.port);
  const frontend = await clusterPort();
  const address = `127.0.0.1:${frontend}`;
  const config = join(dataDir, 'temporal.yaml');
  writeFileSync(config, await serverConfig({ postgres: postgres.port, frontend }));
  let child: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    const log = openSync(join(dataDir, 'temporal.log'), 'a');
    child = spawn(binaries.server, ['--config-file', config, '--allow-no-auth', 'start'], { stdio: ['ignore', log, log], cwd: dataDir });
    closeSync(log);
    const deadline = Date.now() + START_MS;
    while (!(await answers(address, 1_000))) {
      if (child.exitCode !== null || Date.now() > deadline) throw new Error(`Temporal's server did not start; see ${join(dataDir, 'temporal.log')}`);
      await sleep(200);
    }
  };
  const stop = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };

  try {
    await start();
    await makeNamespace(address);
  } catch (error) {
    await stop();
    await postgres.close();
    throw error;
  }
  say(`Temporal's server on PostgreSQL answers at ${address}`);
  return {
    address, namespace: NAMESPACE, stop, start,
    close: async () => {
      await stop();
      await postgres.close();
    },
  };
}

function makeTables(sql: string, port: number): void {
  for (const [database, schema] of [['temporal', 'temporal'], ['temporal_visibility', 'visibility']] as const) {
    const run = (...args: readonly string[]) => {
      const common = ['--plugin', 'postgres12_pgx', '--ep', '127.0.0.1', '-p', String(port), '-u', 'temporal', '--pw', 'trusted', '--db', database];
      const { status, stderr, stdout } = spawnSync(sql, [...common, ...args], { encoding: 'utf8' });
      if (status !== 0) throw new Error(`The tables could not be made: ${stderr}${stdout}`);
    };
    run('create');
    run('setup-schema', '-v', '0.0');
    run('update-schema', '--schema-name', `postgresql/v12/${schema}`);
  }
}

/** A new cluster has no namespace, and takes a while to know a new one in all its parts. */
async function makeNamespace(address: string): Promise<void> {
  const connection = await Connection.connect({ address });
  const { workflowService } = connection;
  const deadline = Date.now() + START_MS;
  await workflowService.registerNamespace({ namespace: NAMESPACE, workflowExecutionRetentionPeriod: msToTs(RETENTION_MS) });
  for (;;) {
    try {
      await workflowService.listWorkflowExecutions({ namespace: NAMESPACE, pageSize: 1 });
      break;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(500);
    }
  }
  await connection.close();
}
