import { readFileSync } from 'node:fs';
import { Client } from '@temporalio/client';
import { expect, test } from 'vitest';
import { createClient } from '../../client/caseworker-client.ts';
import type { RunInput } from '../../core/run.ts';
import { defineAgent } from '../../tools/define-agent.ts';
import { openDesk } from '../support/desk.ts';
import { speaker } from '../support/speaker.ts';
import { getOrder } from '../support/start-desk.ts';
import { testServer } from '../support/test-server.ts';

const say = speaker('function-calling');

/** What the README's command gives a Schedule to start. */
function scheduledInReadme(): { readonly type: string; readonly workflowId: string; readonly input: RunInput } {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const command = /temporal schedule create[^`]*/.exec(readme)?.[0] ?? '';
  const option = (name: string): string => new RegExp(`--${name} (?:'([^']*)'|"([^"]*)"|(\\S+))`).exec(command)?.slice(1).find((text) => text !== undefined) ?? '';
  return { type: option('type'), workflowId: option('workflow-id'), input: JSON.parse(option('input')) as RunInput };
}

test('the Schedule of the README starts a run like any other: it is listed and its trace is read', async () => {
  const desk = await openDesk({
    script: [say.call('I look.', 'get_order', { order_id: '88213' }), say.answer('Order 88213 is delivered.')],
    agents: [defineAgent({ name: 'order-desk', version: '1', instructions: 'You work at the desk.', tools: [getOrder] })],
  });
  const { type, workflowId, input } = scheduledInReadme();
  const { connection, namespace } = await testServer();
  const { schedule } = new Client({ connection, namespace });
  const handle = await schedule.create({
    scheduleId: `mornings-${desk.taskQueue}`, spec: { cronExpressions: ['0 7 * * 1-5'] },
    action: { type: 'startWorkflow', workflowType: type, workflowId: `${workflowId}-${desk.taskQueue}`, taskQueue: desk.taskQueue, args: [input] },
  });
  try {
    await handle.trigger();
    const started = async (): Promise<string> => (await handle.describe()).info.recentActions[0]?.action.workflow.workflowId ?? '';
    await expect.poll(started, { timeout: 30_000 }).not.toBe('');
    const id = await started();
    expect(await createClient({ connection, namespace, taskQueue: desk.taskQueue, blobs: desk.blobs }).result(id, { waitMs: 30_000 })).toMatchObject({ endReason: 'final_answer', answer: 'Order 88213 is delivered.' });
    expect((await desk.client.show(id)).summary).toMatchObject({ agent: 'order-desk', status: 'ended', endReason: 'final_answer' });
    expect((await desk.client.trace(id)).entries.length).toBeGreaterThan(3);
  } finally {
    await handle.delete();
    await desk.close();
  }
});
