import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROW } from './rows.ts';
import type { Skipped, Stage, Subject } from './subject.ts';
import { openLangGraph } from './subjects/langgraph.ts';
import { postgresPrograms, startPostgres } from './subjects/postgres.ts';
import { openTemporalStage } from './subjects/temporal.ts';
import type { Ground, TemporalRow } from './subjects/temporal.ts';

const PEERS = fileURLToPath(new URL('../peers', import.meta.url));

const FLOOR: readonly TemporalRow[] = [
  { name: ROW.floorRegular, workflow: 'floorRegular', input: (task) => task },
  { name: ROW.floorLocal, workflow: 'floorLocal', input: (task) => task },
  { name: ROW.promptRegular, workflow: 'promptRegular', input: (task) => task },
  { name: ROW.promptLocal, workflow: 'promptLocal', input: (task) => task },
];

export function caseworkerRow(name: string, agent: string): TemporalRow {
  return { name, workflow: 'agentRun', input: (task) => ({ agent, task }) };
}

const CASEWORKER: readonly TemporalRow[] = [
  caseworkerRow(ROW.functions, 'functions'),
  caseworkerRow(ROW.text, 'text'),
  caseworkerRow(ROW.functionsRegular, 'functions-regular'),
  caseworkerRow(ROW.textRegular, 'text-regular'),
];

const AI_SDK: readonly TemporalRow[] = [
  { name: ROW.aiSdkRegular, workflow: 'aiSdkRegular', input: (task) => task },
  { name: ROW.aiSdkLocal, workflow: 'aiSdkLocal', input: (task) => task },
];

export interface OpenSubjects {
  readonly subjects: readonly Subject[];
  readonly skipped: readonly Skipped[];
  close(): Promise<void>;
}

/** All rows that this machine has, each in a process of its own; peers only when asked for. */
export async function openSubjects(ground: Ground, wanted: { readonly peers: boolean }): Promise<OpenSubjects> {
  const stages: Stage[] = [
    await openTemporalStage(ground, { file: 'floor/worker.ts', rows: FLOOR }),
    await openTemporalStage(ground, { file: 'caseworker/worker.ts', rows: CASEWORKER }),
  ];
  const skipped: Skipped[] = [];
  if (wanted.peers) await openPeers(ground, { stages, skipped });
  else skipped.push({ subject: 'peers', why: 'not asked for (--peers)' });
  return {
    subjects: stages.flatMap(({ subjects }) => subjects),
    skipped,
    close: async () => {
      for (const stage of stages.reverse()) await stage.close();
    },
  };
}

async function openPeers(ground: Ground, { stages, skipped }: { readonly stages: Stage[]; readonly skipped: Skipped[] }): Promise<void> {
  const node = join(PEERS, 'node_modules/node/bin/node');
  const why = existsSync(node) ? undefined : 'bench/peers is not installed (see docs/performance.md)';
  if (why !== undefined) return void skipped.push(...[ROW.aiSdkRegular, ROW.aiSdkLocal, ROW.langGraphSqlite, ROW.langGraphPostgres].map((subject) => ({ subject, why })));
  stages.push(await openTemporalStage(ground, { file: '../peers/ai-sdk-worker.js', node, rows: AI_SDK }));

  const modelUrl = ground.model.baseURL;
  if (existsSync(join(PEERS, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node'))) {
    stages.push(await openLangGraph({ name: ROW.langGraphSqlite, node, modelUrl, settings: { sqliteFile: join(ground.place.dataDir, 'langgraph.db') } }));
  } else skipped.push({ subject: ROW.langGraphSqlite, why: 'better-sqlite3 is not built (see docs/performance.md)' });

  const programs = postgresPrograms();
  if (programs === undefined) return void skipped.push({ subject: ROW.langGraphPostgres, why: 'PostgreSQL is not installed' });
  const postgres = await startPostgres(programs);
  stages.push({ subjects: [], close: () => postgres.close() });
  stages.push(await openLangGraph({ name: ROW.langGraphPostgres, node, modelUrl, settings: { postgresUrl: postgres.url }, serverPid: postgres.pid }));
}
