import { hostname } from 'node:os';
import { createClient } from '../client/caseworker-client.ts';
import type { CaseworkerClient } from '../client/types.ts';
import { openCluster, type Cluster } from '../worker/connect.ts';
import { startWorker } from '../worker/start-worker.ts';
import { loadConfig } from './config.ts';

export interface SessionNeeds {
  /** `if_none_polls`: a worker in this process when no other one serves the task queue; `always`: in any case. */
  readonly worker: 'none' | 'if_none_polls' | 'always';
  readonly quiet: boolean;
}

export interface Session {
  readonly client: CaseworkerClient;
  readonly cluster: Cluster;
  readonly worker?: RunningWorker;
  /** Whether runs go on when this process ends. */
  readonly runsGoOn: boolean;
  webUiOf(id: string): { readonly webUi?: string };
  close(): Promise<void>;
}

export type RunningWorker = Awaited<ReturnType<typeof startWorker>>;
