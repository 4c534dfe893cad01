import proto from '@temporalio/proto';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { RunStatus } from '../../core/run.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { deploymentOf } from '../../worker/deployment.ts';
import { deskAgent } from '../support/desk.ts';
import { failedWorkflowTasks, historyOf } from '../support/histories.ts';
import { speaker } from '../support/speaker.ts';
import { startDesk } from '../support/start-desk.ts';
import type { Desk } from '../support/start-desk.ts';
import { temporaryDataDir, testBundle, testServer, uniqueTaskQueue } from '../support/test-server.ts';

const say = speaker('function-calling');
const BY = { name: 'asha', verified: false };
const scripts = {
  asks: [say.call('I must know.', 'ask_person', { question: 'Which order?' }), say.call('I look.', 'look', { at: 'x' }), say.answer('Seen.')],
  pays: [say.call('I pay.', 'pay', { order: '88213' }), say.call('I look.', 'look', { at: 'x' }), say.answer('Seen.')],
  looks: [say.call('I look.', 'look', { at: 'x' }), say.answer('Seen.')],
};

const open: Desk[] = [];
afterAll(async () => {
  for (const desk of open) await desk.close();
});

describe('a second build is deployed while runs of the first wait for a person', () => {
  test('they end on the build that they began on; a new run begins on the new one', async () => {
    const { connection, nativeConnection, namespace } = await testServer();
    const server = { connection, nativeConnection, namespace, bundle: await testBundle(), taskQueue: uniqueTaskQueue(), dataDir: temporaryDataDir() };
    const deploymentName = server.taskQueue;

    const build = async (buildId: string): Promise<Desk> => {
      const look = defineTool({ name: 'look', description: 'Looks.', input: z.object({ at: z.string() }), effect: 'read', run: () => `seen by ${buildId}` });
      const pay = defineTool({ name: 'pay', description: 'Pays.', input: z.object({ order: z.string() }), effect: 'once', run: () => `paid by ${buildId}` });
      const desk = await startDesk(server, { script: scripts, agents: [deskAgent({ onStop: 'wait', tools: [look, pay] })], deployment: { name: deploymentName, buildId } });
      open.push(desk);
      const makeCurrent = () =>
        connection.workflowService.setWorkerDeploymentCurrentVersion({ namespace, deploymentName, buildId, ignoreMissingTaskQueues: true })
          .then(() => 'current', () => 'not registered yet');
      await expect.poll(makeCurrent, { timeout: 30_000, interval: 200 }).toBe('current');
      // The task queues hear of it a moment later than the one who asked.
      const heard = async () =>
        (await connection.workflowService.describeWorkerDeployment({ namespace, deploymentName })).workerDeploymentInfo?.routingConfigUpdateState;
      await expect.poll(heard, { timeout: 30_000, interval: 200 }).toBe(proto.temporal.api.enums.v1.RoutingConfigUpdateState.ROUTING_CONFIG_UPDATE_STATE_COMPLETED);
      return desk;
    };
    const waits = async ({ client }: Desk, key: string, status: RunStatus): Promise<string> => {
      const { id } = await client.start({ agent: 'desk', task: `script:${key} Do it.` });
      await expect.poll(async () => (await client.progress(id))?.status, { timeout: 30_000 }).toBe(status);
      return id;
    };

    const v1 = await build('v1');
    const asking = await waits(v1, 'asks', 'waiting_answer');
    const held = await waits(v1, 'pays', 'waiting_approval');
    const v2 = await build('v2');

    const fresh = await v2.client.start({ agent: 'desk', task: 'script:looks Do it.' });
    await v2.client.result(fresh.id, { waitMs: 30_000 });
    await v2.client.answer(asking, { by: BY, text: 'Order 88213.' });
    const [call] = (await v2.client.progress(held))?.held ?? [];
    await v2.client.decide(held, 'approve', { by: BY, call: call?.call ?? '', argsHash: call?.argsHash ?? '' });
    for (const [id, buildId] of [[asking, 'v1'], [held, 'v1'], [fresh.id, 'v2']] as const) {
      expect(await v2.client.result(id, { waitMs: 30_000 })).toMatchObject({ endReason: 'final_answer' });
      const { entries } = await v2.client.trace(id);
      const seen = entries.flatMap((entry) => (entry.kind === 'item' && entry.item.type === 'observation' && ['look', 'pay'].includes(entry.item.tool) ? [entry.item.text] : []));
      expect(new Set(seen.map((text) => text.split(' ').at(-1)))).toEqual(new Set([buildId]));
      const history = await historyOf(v2.temporal, id);
      expect(failedWorkflowTasks(history)).toEqual([]);
      const builds = (history.events ?? []).flatMap(({ workflowTaskCompletedEventAttributes: done }) => (done?.deploymentVersion?.buildId ? [done.deploymentVersion.buildId] : []));
      expect(new Set(builds)).toEqual(new Set([buildId]));
    }
  });
});

describe('which build a worker is', () => {
  test('is said by two variables together', () => {
    expect(deploymentOf({})).toBeUndefined();
    expect(deploymentOf({ CASEWORKER_DEPLOYMENT: '', CASEWORKER_BUILD_ID: '' })).toBeUndefined();
    expect(deploymentOf({ CASEWORKER_DEPLOYMENT: 'desk', CASEWORKER_BUILD_ID: '7' })).toEqual({ name: 'desk', buildId: '7' });
  });

  test.each([
    [{ CASEWORKER_DEPLOYMENT: 'desk' }, 'belong together'],
    [{ CASEWORKER_BUILD_ID: '7' }, 'belong together'],
    [{ CASEWORKER_DEPLOYMENT: 'a.b', CASEWORKER_BUILD_ID: '7' }, 'dot'],
  ])('is refused when it cannot be: %o', (env, why) => {
    expect(() => deploymentOf(env)).toThrow(why);
  });
});
