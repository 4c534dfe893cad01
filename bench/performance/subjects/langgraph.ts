import { startChild } from '../child.ts';
import { cpuMs, treeCpuMs } from '../process-figures.ts';
import type { Stage } from '../subject.ts';

export interface LangGraphOptions {
  readonly name: string;
  readonly node: string;
  readonly modelUrl: string;
  readonly settings: { readonly sqliteFile: string } | { readonly postgresUrl: string };
  /** Process of the database; with SQLite it is the engine's own. */
  readonly serverPid?: number;
}

/** A process that runs LangGraph's agents on one checkpointer. */
export async function openLangGraph({ name, node, modelUrl, settings, serverPid }: LangGraphOptions): Promise<Stage> {
  const child = await startChild({ file: '../peers/langgraph-worker.js', node, settings: { modelUrl, ...settings } });
  const subject = {
    name,
    run: async (task: object) => {
      await child.ask({ kind: 'run', task });
    },
    storedBytes: async (key: string) => Number(await child.ask({ kind: 'storedBytes', key })),
    workerCpuMs: () => cpuMs(child.pid),
    serverCpuMs: () => (serverPid === undefined ? undefined : treeCpuMs(serverPid)),
  };
  return { subjects: [subject], close: () => child.stop() };
}
