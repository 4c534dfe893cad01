import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mayDecide } from '../../client/inbox-filter.ts';
import type { ApprovalEntry, InboxEntry, InboxRequest } from '../../client/inbox-entry.ts';
import type { Person } from '../../core/run.ts';
import type { Scripts } from '../../models/index.ts';
import { openApprovalDesk } from '../support/approval-desk.ts';
import type { ApprovalDesk } from '../support/approval-desk.ts';
import { speaker } from '../support/speaker.ts';

const MEERA: Person = { name: 'meera', verified: false };
const ASHA: Person = { name: 'asha', verified: false };

describe('everything that waits for persons', () => {
  const say = speaker('function-calling');
  const scripts: Scripts = {
    pays: [say.call('I pay.', 'pay', { order_id: '88213', amount: 25 }), say.answer('₹25 is paid back for order 88213.')],
    asks: [say.call('I ask.', 'ask_person', { question: 'Which order?' }), say.answer('Thank you.')],
    gives: [say.call('Not mine.', 'hand_over', { reason: 'The lawyers have to look.', queue: 'legal' }), say.answer('Done.')],
  };
  const NAME = 'inbox-desk';
  let desk: ApprovalDesk;
  const runs: Record<string, string> = {};

  const start = async (script: string) => (await desk.client.start({ agent: NAME, task: `script:${script} Order 88213.`, requestedBy: ASHA })).id;
  const inbox = (request: InboxRequest = {}) => desk.client.inbox({ agent: NAME, ...request });
  /** Visibility lags: asked again until the runs stand there. */
  const inboxOf = async (request: InboxRequest, isComplete: (entries: readonly InboxEntry[]) => boolean) => {
    for (let tries = 0; tries < 200; tries += 1) {
      const entries = await inbox(request);
      if (isComplete(entries)) return entries;
    }
    throw new Error(`the inbox stays ${JSON.stringify(await inbox(request))}`);
  };

  beforeAll(async () => {
    desk = await openApprovalDesk(scripts, [{ name: NAME, approvals: { fourEyes: '500 INR', unverified: 'allowed' } }]);
    runs['held'] = (await desk.untilHeld('pays', 1, { requestedBy: ASHA })).id;
    runs['asks'] = await start('asks');
    runs['handed'] = await start('gives');
    runs['taken'] = await start('gives');
    await desk.client.takeOver(runs['taken'], { by: MEERA });
  });
  afterAll(async () => desk.till.close());

  const all = () => inboxOf({}, (entries) => ['approval', 'question', 'hand_over', 'taken_over'].every((kind) => entries.some((entry) => entry.kind === kind)));

  test('held calls, questions, hand-overs and taken-over runs stand in one list, the oldest first, each with what a decision needs', async () => {
    const entries = await all();
    expect(entries.map(({ run }) => run)).toEqual(expect.arrayContaining(Object.values(runs)));
    expect(entries.map(({ sinceMs }) => sinceMs)).toEqual(entries.map(({ sinceMs }) => sinceMs).sort((a, b) => a - b));
    expect(entries.find(({ run }) => run === runs['held'])).toMatchObject({
      kind: 'approval', agent: NAME, requestedBy: 'asha', status: 'waiting_approval', source: 'run', call: '1.1', tool: 'pay',
      args: { order_id: '88213', amount: 25 }, argsHash: expect.stringMatching(/^[0-9a-f]{64}$/), amount: { amount: '25', currency: 'INR' },
      summary: 'Pay ₹25 back for order 88213', roles: [], fourEyes: false, deadlineMs: expect.any(Number),
    });
    expect(entries.find(({ run }) => run === runs['asks'])).toMatchObject({ kind: 'question', question: { call: '1.1', question: 'Which order?' } });
    expect(entries.find(({ run }) => run === runs['handed'])).toMatchObject({ kind: 'hand_over', queue: 'legal', handOver: { goal: expect.any(String) } });
    expect(entries.find(({ run, kind }) => run === runs['taken'] && kind === 'taken_over')).toMatchObject({ heldBy: MEERA });
  });

  test('it can be asked for the calls of one tool, for one queue, and for what is mine', async () => {
    await all();
    expect((await inbox({ tool: 'pay' })).every((entry) => entry.kind === 'approval' && entry.tool === 'pay')).toBe(true);
    expect(await inbox({ queue: 'legal' })).toEqual([expect.objectContaining({ run: runs['handed'] })]);
    const mine = await inbox({ mine: MEERA });
    expect(mine.map(({ run, kind }) => ({ run, kind }))).toEqual(expect.arrayContaining([{ run: runs['held'], kind: 'approval' }, { run: runs['taken'], kind: 'taken_over' }]));
    expect(mine.some(({ kind }) => kind === 'question')).toBe(false);
    expect((await inbox({ mine: ASHA })).some(({ kind }) => kind === 'taken_over')).toBe(false);
    expect(await inbox({ limit: 1 })).toHaveLength(1);
  });

  test('a run that was taken over while a call of it is held stands there as both', async () => {
    const { id } = await desk.untilHeld('pays');
    await desk.client.takeOver(id, { by: MEERA });
    const entries = await inboxOf({}, (found) => found.some(({ run }) => run === id));
    expect(entries.filter(({ run }) => run === id)).toEqual([
      expect.objectContaining({ kind: 'approval', heldBy: MEERA }), expect.objectContaining({ kind: 'taken_over', heldBy: MEERA }),
    ]);
  });

  test('a paused run stands in it from the moment that it was paused', async () => {
    const { id } = await desk.untilHeld('pays');
    const beforeMs = Date.now();
    await desk.client.pause(id, { by: MEERA });
    const entries = await inboxOf({}, (found) => found.some(({ run, kind }) => run === id && kind === 'paused'));
    expect(entries.filter(({ run }) => run === id)).toEqual([
      expect.objectContaining({ kind: 'approval', status: 'paused' }), expect.objectContaining({ kind: 'paused', sinceMs: expect.any(Number) }),
    ]);
    expect(entries.find(({ run, kind }) => run === id && kind === 'paused')?.sinceMs).toBeGreaterThanOrEqual(beforeMs);
  });

  test('with no worker up the record tells the same, with the arguments and the hash that a decision must name', async () => {
    const told = await all();
    await desk.stopWorker();
    const entries = await inbox();
    expect(entries.every(({ source }) => source === 'record')).toBe(true);
    for (const name of ['held', 'asks', 'handed', 'taken']) {
      const of = (list: readonly InboxEntry[]) => list.filter(({ run }) => run === runs[name]).map((entry) => ({ ...entry, source: '', sinceMs: 0 }));
      expect(of(entries), name).toEqual(of(told));
    }
  }, 60_000);
});

describe('whose decision a held call is', () => {
  const entry: ApprovalEntry = {
    kind: 'approval', run: 'r', status: 'waiting_approval', sinceMs: 0, source: 'run', call: '1.1', tool: 'pay', args: {}, argsHash: 'h', why: 'w',
    heldAtMs: 0, deadlineMs: 1, roles: ['support'], fourEyes: true, excluded: ['Asha'], risk: { level: 'high', reasons: [{ kind: 'four_eyes' }] },
  };
  const person = (name: string, verified: boolean, ...roles: string[]): Person => ({ name, verified, roles });

  test.each([
    ['a proven role of it may', person('meera', true, 'support'), true],
    ['another role may not', person('meera', true, 'finance'), false],
    ['whoever had a hand in it may not, however the name is written', person(' ASHA', true, 'support'), false],
    ['a name that nobody has proven may, where the agent allows it', person('meera', false), true],
  ])('%s', (_, who, may) => {
    expect(mayDecide(entry, who)).toBe(may);
  });

  test('a name that nobody has proven may not, where the agent does not allow it', () => {
    expect(mayDecide({ ...entry, provenOnly: true }, person('meera', false))).toBe(false);
  });
});
