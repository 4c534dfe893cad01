import { randomUUID } from 'node:crypto';
import type { Child } from '../child.ts';
import { caseworkerRow } from '../stages.ts';
import type { Ground } from '../subjects/temporal.ts';
import { startRun, startWorker } from '../subjects/temporal.ts';
import type { Task } from '../task.ts';

/** The product alone on a task queue of its own: workers that a part starts and ends as it likes. */
export interface OwnQueue {
  readonly taskQueue: string;
  startWorker(settings?: Readonly<Record<string, string>>): Promise<Child>;
  start(task: Task): ReturnType<typeof startRun>;
}

export function ownQueue(ground: Ground): OwnQueue {
  const taskQueue = `bench-${randomUUID()}`;
  const row = caseworkerRow('caseworker', 'functions');
  return {
    taskQueue,
    startWorker: (settings) => startWorker(ground, { file: 'caseworker/worker.ts', taskQueue, ...(settings ? { settings } : {}) }),
    start: (task) => startRun(ground, taskQueue, row, task),
  };
}
