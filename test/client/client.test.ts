import { WorkflowClient } from '@temporalio/client';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../client/caseworker-client.ts';
import type { CaseworkerClient, TraceEntry } from '../../client/types.ts';
import { connectClient } from '../../worker/connect.ts';
import { acquireServer, type EmbeddedServer } from '../../worker/embedded-server.ts';

const RAVI = { name: 'Ravi', verified: false } as const;
const START = { agent: 'order-desk', task: 'Is order 88213 late?', requestedBy: RAVI } as const;

describe('the client of a server where no worker is up', { timeout: 30_000 }, () => {
  let dataDir: string;
  let server: EmbeddedServer;
  let connection: Awaited<ReturnType<typeof connectClient>>;
  let client: CaseworkerClient;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'caseworker-client-'));
    server = await acquireServer({ dataDir, report: () => undefined, ports: 'free' });
    connection = await connectClient({
      kind: 'embedded',
      address: server.address,
      connectionOptions: { address: server.address },
    });
    client = createClient({ connection, namespace: server.namespace, taskQueue: 'nobody-polls' });
  }, 120_000);

  afterAll(async () => {
    await connection.close();
    await server.release();
    await rm(dataDir, { recursive: true, force: true });
  });

  const terminate = (id: string) =>
    new WorkflowClient({ connection, namespace: server.namespace }).getHandle(id).terminate('by hand');

  test("a made id starts with the agent's name and is one short word", async () => {
    const { id } = await client.start(START);
    expect(id).toMatch(/^order-desk-[2-9a-z]{6}$/);
  });

  test('an id is used once: by a run that goes on, and by one that has ended', async () => {
    const { id } = await client.start({ ...START, id: 'ticket/47-11' });
    await expect(client.start({ ...START, id })).rejects.toMatchObject({ kind: 'exists', id });
    await terminate(id);
    await expect(client.start({ ...START, id })).rejects.toMatchObject({ kind: 'exists', id });
  });

  test('what cannot be sent is refused before anything is sent', async () => {
    await expect(client.start({ ...START, id: 'never-sent', task: '' })).rejects.toMatchObject({ kind: 'usage' });
    await expect(client.show('never-sent')).rejects.toMatchObject({ kind: 'not_found' });
  });

  test('a list tells agent and asker on a server that knows no search attributes of ours', async () => {
    const { id } = await client.start(START);
    await expect
      .poll(() => client.list({ limit: 50, agent: 'order-desk', status: 'running' }), { timeout: 10_000 })
      .toEqual(
        expect.arrayContaining([
          expect.objectContaining({ id, agent: 'order-desk', requestedBy: 'Ravi', status: 'running' }),
        ]),
      );
    expect(await client.list({ limit: 50, agent: 'no-such-agent' })).toEqual([]);
  });

  test("a query that the server cannot read is a usage error with the server's words", async () => {
    await expect(client.list({ limit: 1, query: 'NoSuchAttribute = 3' })).rejects.toThrow(/NoSuchAttribute/);
  });

  test('a name in a filter is only a name, whatever signs it has', async () => {
    expect(await client.list({ limit: 5, agent: 'x" OR WorkflowType = "agentRun' })).toEqual([]);
  });

  test('a decision is left for the run when nobody takes it', async () => {
    const { id } = await client.start(START);
    expect(await client.message(id, { by: RAVI, text: 'The customer has called.' })).toEqual({ state: 'delivered' });
    const { events } = await new WorkflowClient({ connection, namespace: server.namespace })
      .getHandle(id)
      .fetchHistory();
    expect(
      events?.filter((event) => event.workflowExecutionSignaledEventAttributes?.signalName === 'message'),
    ).toHaveLength(1);
  });

  test('a malformed decision is not sent', async () => {
    const { id } = await client.start(START);
    await expect(client.redirect(id, { by: RAVI })).rejects.toMatchObject({ kind: 'usage' });
  });

  test('a run that has ended is told from one that never was', async () => {
    const { id } = await client.start(START);
    await terminate(id);
    await expect(client.cancel(id, { by: RAVI, reason: 'x' })).rejects.toMatchObject({ kind: 'ended' });
    await expect(client.cancel('never-was', { by: RAVI, reason: 'x' })).rejects.toMatchObject({ kind: 'not_found' });
    for (const ask of [client.show, client.trace, client.result, client.progress]) {
      await expect(ask('never-was')).rejects.toMatchObject({ kind: 'not_found' });
    }
  });

  test('a run that was ended from outside closes its trace, and has no result', async () => {
    const { id } = await client.start(START);
    const entries: TraceEntry[] = [];
    const following = (async () => {
      for await (const entry of client.follow(id)) entries.push(entry);
    })();
    await terminate(id);
    await following;
    expect(entries).toMatchObject([{ kind: 'closed', how: 'terminated', message: 'by hand' }]);
    await expect(client.result(id)).rejects.toMatchObject({ kind: 'failed' });
    expect((await client.show(id)).summary.status).toBe('terminated');
  });

  test('who stops following gets back at once, and the run goes on', async () => {
    const { id } = await client.start(START);
    const left = AbortSignal.timeout(50);
    for await (const entry of client.follow(id, { signal: left })) expect(entry).toBeUndefined();
    expect((await client.show(id)).summary.status).toBe('running');
    expect(await client.result(id)).toBeUndefined();
  });
});
