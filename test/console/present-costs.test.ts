import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { accessServer } from '../../client/server-access.ts';
import type { ServerAccess } from '../../client/server-access.ts';
import { createPresentCosts } from '../../console/api/present-costs.ts';
import { pageOfRuns } from '../../console/api/run-pages.ts';
import { speaker } from '../support/speaker.ts';
import { temporaryDataDir } from '../support/test-server.ts';
import { openConsoleDesk } from './console-desk.ts';
import type { ConsoleDesk } from './console-desk.ts';

const say = speaker('function-calling');
/** More than are asked at once. */
const SEARCHING = 24;

describe('what running runs have cost by now', { timeout: 120_000 }, () => {
  let place: ConsoleDesk;
  let access: ServerAccess;

  beforeAll(async () => {
    place = await openConsoleDesk({ dataDir: temporaryDataDir(), scripts: { search: [say.call('I search.', 'search_archive', { order_id: '88213' }), say.answer('Order 88213 is in the archive.')] } });
    const { desk } = place;
    access = accessServer({ connection: desk.temporal.connection, namespace: desk.temporal.options.namespace, taskQueue: desk.taskQueue, blobs: desk.blobs });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  afterAll(async () => {
    await place?.close();
  });

  const listed = async (status: string) => (await pageOfRuns(access, { status }, { limit: 100 })).runs;
  const settled = (value: () => Promise<unknown>, wanted: unknown) => expect.poll(value, { timeout: 30_000, interval: 50 }).toEqual(wanted);

  /** The real client, with the runs that it asks. */
  function counting(): { readonly costs: ReturnType<typeof createPresentCosts>; readonly asked: string[] } {
    const { client } = place.desk;
    const asked: string[] = [];
    const progress: typeof client.progress = (id) => {
      asked.push(id);
      return client.progress(id);
    };
    return { costs: createPresentCosts(access, { ...client, progress }), asked };
  }

  test('is what the run itself says now, where a list has what it had cost when its status changed', async () => {
    const { client } = place.desk;
    await place.start('slow', 'slow');
    await settled(async () => (await client.progress('slow'))?.status, 'waiting_answer');
    await client.answer('slow', { call: '1.1', text: 'Fragile.', by: { name: 'meera', verified: true } });
    await settled(async () => (await client.progress('slow'))?.usage.modelCalls, 2);
    await settled(async () => (await listed('running')).map(({ id }) => id), ['slow']);
    const [now, [old]] = [(await client.progress('slow'))?.usage.cost, await listed('running')];
    const answer: unknown = await (await fetch(`${place.console.url}/api/costs`)).json();
    expect(answer).toMatchObject({ costs: { slow: now } });
    expect(Number(old?.cost?.amount)).toBeLessThan(Number(now?.amount));
  });

  test('is asked of the newest 20 of a list alone, once for however many pages are open, and of none in a list of others', async () => {
    const { client } = place.desk;
    for (let n = 0; n < SEARCHING; n += 1) await place.start('search', `search-${n}`);
    await settled(async () => (await listed('running')).filter(({ id }) => id.startsWith('search-')).length, SEARCHING);
    const newest = (await listed('running')).slice(0, 20).map(({ id }) => id);
    await settled(async () => Promise.all(newest.map(async (id) => (await client.progress(id))?.usage.modelCalls ?? 0)), newest.map(() => 1));
    const { costs, asked } = counting();
    const [first, second] = await Promise.all([costs({}), costs({})]);
    expect(second).toBe(first);
    expect([...asked].sort()).toEqual([...newest].sort());
    expect(Object.keys(first.costs).sort()).toEqual([...newest].sort());
    expect(await costs({ status: 'ended' })).toMatchObject({ costs: {} });
    expect(Object.keys((await costs({ agent: 'nobody' })).costs)).toEqual([]);
    expect(asked).toHaveLength(20);
  });

  test('no more runs are asked once it has taken too long', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const asked: string[] = [];
    // As with no worker up: each question is a wait, and nothing comes of it.
    const progress: ConsoleDesk['desk']['client']['progress'] = (id) => {
      asked.push(id);
      vi.setSystemTime(Date.now() + 3_000);
      return Promise.resolve(undefined);
    };
    expect((await createPresentCosts(access, { ...place.desk.client, progress })({})).costs).toEqual({});
    expect(asked).toHaveLength(1);
  });

  test('with no worker up nothing is told', async () => {
    const stopped = place.desk.stopWorker();
    place.openArchive();
    await stopped;
    expect((await counting().costs({})).costs).toEqual({});
  });
});
