import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WorkflowClient } from '@temporalio/client';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createClient } from '../../client/caseworker-client.ts';
import { entryKey } from '../../client/trace.ts';
import type { CaseworkerClient, FollowOptions, TraceEntry } from '../../client/types.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { connectClient } from '../../worker/connect.ts';
import { acquireServer } from '../../worker/embedded-server.ts';
import { readIdentity } from '../../worker/process-identity.ts';
import { heldCall, openTill, payTool } from '../support/approval-desk.ts';
import { deskAgent, openDesk } from '../support/desk.ts';
import { speaker } from '../support/speaker.ts';
import { cleanEnvironment, temporaryDataDir, testServer } from '../support/test-server.ts';

const say = speaker('function-calling');
const BY = { name: 'Ravi', verified: false } as const;

/** Everything that is told, up to the first entry of this kind. */
async function toldUntil(
  client: CaseworkerClient,
  id: string,
  kind: TraceEntry['kind'],
  options: FollowOptions = {},
): Promise<readonly TraceEntry[]> {
  const told: TraceEntry[] = [];
  for await (const entry of client.follow(id, options)) {
    told.push(entry);
    if (entry.kind === kind) break;
  }
  return told;
}

const keys = (entries: readonly TraceEntry[]): readonly string[] => entries.map(entryKey);

describe('following a run while it happens', () => {
  test('each thing is told once, across continue-as-new, and nothing is left out that the trace has afterwards', async () => {
    const desk = await openDesk({
      script: {
        default: ({ turn }) =>
          turn < 14 ? say.call(`Step ${turn}.`, 'search', { query: `q${turn}` }) : say.answer('All is done.'),
      },
      agents: [deskAgent({ limits: { turns: 20 }, context: { historyEvents: 60 } })],
    });
    const { id } = await desk.client.start({ agent: 'desk', task: 'Go on.' });
    const told = keys(await toldUntil(desk.client, id, 'end'));
    const { entries } = await desk.client.trace(id);
    expect(new Set(told).size).toBe(told.length);
    expect([...told].sort()).toEqual([...keys(entries)].sort());
    const replies = told.filter((key) => key.startsWith('reply:'));
    expect(replies).toEqual(Array.from({ length: 15 }, (_, i) => `reply:${i + 1}`));
  });

  test('a failed model call is told while the next attempt is still to come', async () => {
    const desk = await openDesk({ script: [{ ...say.answer('Done.'), first: [{ status: 429, headers: { 'retry-after': '3' } }] }] });
    const { id } = await desk.client.start({ agent: 'desk', task: 'Say it.' });
    const told = await toldUntil(desk.client, id, 'end');
    const failed = told.find((entry) => entry.kind === 'attempt_failed');
    expect(failed).toMatchObject({ attempt: 1, type: 'Model.RateLimit', last: false, of: { kind: 'model', turn: 1 } });
    expect(failed?.kind === 'attempt_failed' && failed.retryAtMs).toBeGreaterThan(0);
  });

  test('a run that begins to wait says so; what follows a decision is told without what was there before', async () => {
    const desk = await openDesk({
      script: [say.call('I look.', 'get_order', { order_id: '88213' }), say.answer('The fee was ₹25.')],
      agents: [deskAgent({ onStop: 'wait', limits: { turns: 1 } })],
    });
    const { id } = await desk.client.start({ agent: 'desk', task: 'Look at order 88213.' });
    const before = await toldUntil(desk.client, id, 'waiting');
    expect(before.at(-1)).toMatchObject({ status: 'handed_over', handOver: { goal: 'Look at order 88213.' } });
    expect(await desk.client.resume(id, { by: BY, limits: { turns: 5 } })).toMatchObject({ state: 'applied' });
    const after = await toldUntil(desk.client, id, 'end', { known: before });
    expect(keys(after).filter((key) => keys(before).includes(key))).toEqual([]);
    expect(after.map((entry) => (entry.kind === 'item' ? entry.item.type : entry.kind))).toEqual(
      expect.arrayContaining(['person', 'reply', 'end']),
    );
  });

  test.each(['update', 'signal'] as const)('what a person has decided is told before what came of it, as the trace has it: %s', async (way) => {
    let reply: (text: string) => void = () => undefined;
    const replied = new Promise<string>((resolve) => {
      reply = resolve;
    });
    const askShop = defineTool({ name: 'ask_shop', description: 'Asks the shop.', input: z.strictObject({}), effect: 'read', run: () => replied });
    const till = await openTill();
    const desk = await openDesk({
      script: [say.calls('I pay, and ask.', ['pay', { order_id: '88213', amount: 25 }], ['ask_shop', {}]), say.answer('All is done.')],
      agents: [deskAgent({ tools: [payTool(till), askShop] })],
    });
    const { id } = await desk.client.start({ agent: 'desk', task: 'Pay for order 88213.' });
    const following = toldUntil(desk.client, id, 'end');
    const { call, argsHash } = await heldCall(desk, id, '1.1');
    const decision = { id: 'yes-1', by: BY, call, argsHash };
    if (way === 'update') await desk.client.approve(id, decision);
    else await new WorkflowClient(await testServer()).getHandle(id).signal('approve', decision);
    // The payment has come back while the other call still runs: whoever follows has read it by the second look.
    for (let looks = 0; looks < 2; ) looks += keys((await desk.client.trace(id)).entries).includes('observation:1.1') ? 1 : 0;
    reply('They are sorry.');
    const spine = (entries: readonly TraceEntry[]) => entries.flatMap((entry) => (entry.kind === 'item' ? [entry.item.type] : []));
    const told = spine(await following);
    expect(told).toEqual(spine((await desk.client.trace(id)).entries));
    expect(told.indexOf('person')).toBeLessThan(told.indexOf('observation'));
    await till.close();
  });

  test('a server that is killed and started again does not end the following', async () => {
    const dataDir = temporaryDataDir();
    const acquire = () => acquireServer({ dataDir, report: () => undefined, env: cleanEnvironment(), ports: 'free' });
    const server = await acquire();
    const { address, namespace } = server;
    const connection = await connectClient({ kind: 'embedded', address, connectionOptions: { address } });
    const client = createClient({ connection, namespace, taskQueue: 'nobody-polls' });
    const { id } = await client.start({ agent: 'desk', task: 'Wait for me.' });
    const following = toldUntil(client, id, 'closed');
    // What the follower asks first must be answered before the server goes: these ask the same, after it.
    for (let looks = 0; looks < 3; looks += 1) await client.trace(id);
    const identity = readIdentity(readFileSync(join(dataDir, 'server', 'server.json'), 'utf8'));
    if (!identity) throw new Error('the server wrote no identity');
    process.kill(identity.pid, 'SIGKILL');
    const again = await acquire();
    await new WorkflowClient({ connection, namespace }).getHandle(id).terminate('it is over');
    expect(await following).toMatchObject([{ kind: 'closed', message: 'it is over' }]);
    await connection.close();
    await again.release();
    await server.release();
  });
});
