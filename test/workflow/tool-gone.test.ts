import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Effect } from '../../core/agent.ts';
import type { AgentDefinition } from '../../tools/define-agent.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { deskAgent } from '../support/desk.ts';
import { failedWorkflowTasks, historyOf, scheduledActivities } from '../support/histories.ts';
import { speaker } from '../support/speaker.ts';
import { startDesk } from '../support/start-desk.ts';
import type { Desk } from '../support/start-desk.ts';
import { temporaryDataDir, testBundle, testServer, uniqueTaskQueue } from '../support/test-server.ts';

const BY = { name: 'asha', verified: false };
const open: Desk[] = [];
afterAll(async () => {
  for (const desk of open) await desk.close();
});

/** The tool of the run's own build, and one that a later build has under a like name. */
function toolNamed(name: string, effect: Effect, ran: string[]) {
  return defineTool({
    name, description: 'Notes it.', input: z.object({ order: z.string() }), effect, needsApproval: false,
    run: ({ order }) => `${name} ${order}, line ${ran.push(`${name} ${order}`)}`,
  });
}

test.each([['function-calling', 'once'], ['text', 'read']] as const)(
  'in the form "%s" a call (%s) of a tool that the deployed build has no more is an observation and a hand-over; with the tool back the run goes on', { timeout: 90_000 },
  async (form, effect) => {
    const say = speaker(form);
    const script = [
      say.call('I must know.', 'ask_person', { question: 'Which order?' }), say.call('I note it.', 'note', { order: '88213' }),
      say.call('I note it again.', 'note', { order: '88213' }), say.answer('It is noted.'),
    ];
    const { connection, nativeConnection, namespace } = await testServer();
    const server = { connection, nativeConnection, namespace, bundle: await testBundle(), taskQueue: uniqueTaskQueue(), dataDir: temporaryDataDir() };
    const ran: string[] = [];
    const agentWith = (name: string): AgentDefinition => deskAgent({ form, onStop: 'wait', tools: [toolNamed(name, effect, ran)] });
    const build = async (agent: AgentDefinition): Promise<Desk> => {
      const desk = await startDesk(server, { agents: [agent], script });
      open.push(desk);
      return desk;
    };

    const first = await build(agentWith('note'));
    const { id } = await first.client.start({ agent: 'desk', task: 'Note it.' });
    await expect.poll(async () => (await first.client.progress(id))?.status, { timeout: 30_000 }).toBe('waiting_answer');
    await first.stopWorker();

    const second = await build(agentWith('note_v2'));
    await second.client.answer(id, { by: BY, text: 'Order 88213.' });
    await expect.poll(async () => (await second.client.progress(id))?.status, { timeout: 30_000 }).toBe('handed_over');
    expect(await second.client.progress(id)).toMatchObject({
      stops: [{ reason: 'hand_over', detail: 'tool_gone', text: expect.stringContaining('has no note for desk 1') }], handOver: { goal: 'Note it.', remains: expect.anything() },
    });
    expect(ran).toEqual([]);
    await second.stopWorker();

    const third = await build(agentWith('note'));
    expect(await third.client.resume(id, { by: BY })).toMatchObject({ state: 'applied' });
    expect(await third.client.result(id, { waitMs: 30_000 })).toMatchObject({ endReason: 'final_answer' });
    expect(ran).toEqual(['note 88213']);
    const { entries } = await third.client.trace(id);
    const noted = entries.flatMap((entry) => (entry.kind === 'item' && entry.item.type === 'observation' && entry.item.tool === 'note' ? [entry.item.status] : []));
    expect(noted).toEqual(['error', 'ok']);
    const history = await historyOf(third.temporal, id);
    expect(failedWorkflowTasks(history)).toEqual([]);
    expect(scheduledActivities(history)).not.toContain('note_v2');
  },
);
