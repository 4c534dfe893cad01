import type { Task } from './task.ts';

/** One engine in one shape, ready to run tasks. */
export interface Subject {
  readonly name: string;
  /** Runs a task to its end. */
  run(task: Task): Promise<void>;
  /** Bytes that the engine keeps of a finished run, wherever it keeps them. */
  storedBytes(key: string): Promise<number>;
  /** Processor time so far: of the process that does the agents' work, and of the server that keeps them. */
  workerCpuMs(): number | undefined;
  serverCpuMs(): number | undefined;
}

/** Processes behind subjects; closed once. */
export interface Stage {
  readonly subjects: readonly Subject[];
  close(): Promise<void>;
}

/** Rows that were left out, by name. */
export interface Skipped {
  readonly subject: string;
  readonly why: string;
}
