import { afterAll } from 'vitest';
import { startDesk } from './start-desk.ts';
import type { Desk, DeskOptions } from './start-desk.ts';
import { temporaryDataDir, testBundle, testServer, uniqueTaskQueue } from './test-server.ts';

export { deskAgent } from './start-desk.ts';
export type { Desk } from './start-desk.ts';

const open: Desk[] = [];
afterAll(async () => {
  for (const desk of open.splice(0)) await desk.close();
});

/** A desk on the shared server, closed after the file's last test. */
export async function openDesk(options: DeskOptions): Promise<Desk> {
  const { connection, nativeConnection, namespace } = await testServer();
  const bundle = await testBundle();
  const desk = await startDesk(
    { connection, nativeConnection, namespace, bundle, taskQueue: uniqueTaskQueue(), dataDir: temporaryDataDir() }, options,
  );
  open.push(desk);
  return desk;
}
