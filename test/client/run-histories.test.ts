import { randomUUID } from 'node:crypto';
import { msToTs } from '@temporalio/common/lib/time.js';
import { expect, test } from 'vitest';
import { deskAgent } from '../support/desk.ts';
import { speaker } from '../support/speaker.ts';
import { startDesk } from '../support/start-desk.ts';
import { temporaryDataDir, testBundle, testServer, uniqueTaskQueue } from '../support/test-server.ts';

const say = speaker('function-calling');
const script = { asks: [say.call('I must know.', 'ask_person', { question: 'Which order?' }), say.answer('Finished.')], answers: [say.answer('Finished.')] };

test('what a build is asked to replay: a run that has waited for long comes before newer ones that are over', { timeout: 90_000 }, async () => {
  const { connection, nativeConnection } = await testServer();
  // Of its own: the other tests' runs are in the way of these three.
  const namespace = `histories-${randomUUID()}`;
  await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs('1 day') });
  const isKnown = () => connection.workflowService.listWorkflowExecutions({ namespace, pageSize: 1 }).then(() => 'known', () => 'not yet');
  await expect.poll(isKnown, { timeout: 30_000 }).toBe('known');
  const server = { connection, nativeConnection, namespace, bundle: await testBundle(), taskQueue: uniqueTaskQueue(), dataDir: temporaryDataDir() };
  const desk = await startDesk(server, { script, agents: [deskAgent({ onStop: 'wait' })] });
  try {
    const { id: waiting } = await desk.client.start({ agent: 'desk', task: 'script:asks Look.' });
    await expect.poll(async () => (await desk.client.progress(waiting))?.status, { timeout: 30_000 }).toBe('waiting_answer');
    const over = [await desk.run({ task: 'script:answers Look.' }), await desk.run({ task: 'script:answers Look.' })].map(({ id }) => id);
    const asked = async (last: number): Promise<readonly string[]> => {
      const ids: string[] = [];
      for await (const { id } of desk.client.histories(last)) ids.push(id);
      return ids;
    };
    // The list of runs lags behind.
    await expect.poll(() => asked(10), { timeout: 30_000 }).toEqual([waiting, ...over.toReversed()]);
    expect(await asked(1)).toEqual([waiting]);
  } finally {
    await desk.close();
  }
});
