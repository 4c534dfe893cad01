import { Worker } from '@temporalio/worker';
import { afterEach, expect, test } from 'vitest';
import { WORKFLOW_TYPE } from '../../core/names.ts';
import { openDesk } from '../support/desk.ts';
import type { Desk } from '../support/desk.ts';
import { failedWorkflowTasks, historyOf } from '../support/histories.ts';
import { speaker } from '../support/speaker.ts';
import { testBundle } from '../support/test-server.ts';

const by = { name: 'asha', verified: false };
const say = speaker('function-calling');
let desk: Promise<Desk> | undefined;
const open = () => (desk ??= openDesk({ script: { held: [{ ...say.answer('All is well.'), heldBy: 'never' }] } }));

const runs: string[] = [];
afterEach(async () => {
  const { temporal } = await open();
  for (const id of runs.splice(0)) {
    const history = await historyOf(temporal, id);
    expect(failedWorkflowTasks(history)).toEqual([]);
    await Worker.runReplayHistory({ workflowBundle: await testBundle(), reuseV8Context: true }, history, id);
  }
});

test('a cancel that is there before the agent is pinned ends the run as cancelled, and no model is asked', async () => {
  const { client, temporal, taskQueue } = await open();
  const { workflowId } = await temporal.workflow.signalWithStart(WORKFLOW_TYPE, {
    workflowId: `odd-${Date.now()}`, taskQueue, args: [{ agent: 'desk', task: 'script:held Look at order 88213.' }],
    signal: 'cancel', signalArgs: [{ id: 'd1', by, reason: 'wrong customer' }],
  });
  runs.push(workflowId);
  expect(await client.result(workflowId, { waitMs: 30_000 })).toMatchObject({ endReason: 'cancelled' });
  expect((await open()).model.requestsFor('held')).toEqual([]);
});

test("Temporal's own cancel at the very start ends the run as cancelled, and no workflow task fails", async () => {
  const { client, temporal } = await open();
  const { id } = await client.start({ agent: 'desk', task: 'script:held Look at order 88213.' });
  runs.push(id);
  await temporal.workflow.getHandle(id).cancel();
  expect(await client.result(id, { waitMs: 30_000 })).toMatchObject({ endReason: 'cancelled' });
});
