import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Client } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { Worker } from '@temporalio/worker';
import { expect, test } from 'vitest';
import { deskAgent } from '../support/desk.ts';
import { speaker } from '../support/speaker.ts';
import { startDesk } from '../support/start-desk.ts';
import { temporaryDataDir, testBundle, testServer, uniqueTaskQueue } from '../support/test-server.ts';
import { runCli } from './run-cli.ts';

const say = speaker('function-calling');

test('verify counts what it replays, and ends with exit code 1 and the id of what this build would break', { timeout: 240_000 }, async () => {
  const { connection, nativeConnection, address } = await testServer();
  const namespace = `verify-${randomUUID()}`;
  await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs('1 day') });
  const listed = () => connection.workflowService.listWorkflowExecutions({ namespace, query: 'WorkflowType = "agentRun"' }).then(({ executions }) => executions.length, () => -1);
  await expect.poll(listed, { timeout: 30_000 }).toBe(0);
  const env = { CASEWORKER_DATA: temporaryDataDir(), TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace };
  const desk = await startDesk(
    { connection, nativeConnection, namespace, bundle: await testBundle(), taskQueue: uniqueTaskQueue(), dataDir: env.CASEWORKER_DATA },
    { script: [say.answer('Finished.')], agents: [deskAgent({})] },
  );
  try {
    await desk.run({ task: 'Look.' });
    await expect.poll(listed, { timeout: 30_000 }).toBe(1);
    const good = await runCli(['verify', '-o', 'json'], env);
    expect(good).toMatchObject({ code: 0, stderr: expect.stringContaining('This build can take over: 1 histories replayed') });
    expect(JSON.parse(good.stdout)).toEqual({ replayed: 1, broken: [] });

    const taskQueue = uniqueTaskQueue();
    const other = await Worker.create({ connection: nativeConnection, namespace, taskQueue, workflowsPath: fileURLToPath(new URL('../support/other-loop.ts', import.meta.url)) });
    await other.runUntil(new Client({ connection, namespace }).workflow.execute('agentRun', { taskQueue, workflowId: 'not-ours', args: [{ agent: 'desk', task: 'Look.' }] }));
    await expect.poll(listed, { timeout: 30_000 }).toBe(2);
    const bad = await runCli(['verify'], env);
    expect(bad).toMatchObject({ code: 1, stdout: expect.stringMatching(/^not-ours {2}[^\n]*\n$/), stderr: expect.stringContaining('This build must not take over: 1 of 2 histories would break.') });
  } finally {
    await desk.close();
  }
});
