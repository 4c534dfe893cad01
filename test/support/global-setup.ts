import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { holdServer } from '../../worker/embedded-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Data folder of the one Temporal server of this run; it is started by the first test that needs it. */
    readonly testDataDir: string;
  }
}

/** Keeps the server up between test files and takes it down, with its data, after the last. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'caseworker-test-'));
  const release = await holdServer(dataDir);
  project.provide('testDataDir', dataDir);
  return async () => {
    await release();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
