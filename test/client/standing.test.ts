import { expect, test } from 'vitest';
import { riskOf } from '../../client/risk.ts';
import { standingOfRecord } from '../../client/standing.ts';
import type { TraceEntry } from '../../client/types.ts';
import type { Item } from '../../core/transcript.ts';

const MEERA = { name: 'meera', verified: false };
const usage = { model: 'm', inputTokens: 1, outputTokens: 1, cachedTokens: 0, estimatedTokens: 0, attempts: 1, ms: 1, promptBytes: 1 };
const asked: Item = {
  type: 'reply', turn: 1, notes: [], usage,
  actions: [{ id: '1.1', kind: 'call', tool: 'pay', args: { order: '88213' }, hash: 'h', effect: 'once', needsApproval: false }],
};
const lost: Item = { type: 'observation', call: '1.1', tool: 'pay', status: 'unknown', text: 'lost', seen: [], hash: 'r', ms: 5 };
const settled: Item = { type: 'person', verb: 'settle', by: MEERA, id: 'd1', text: 'It is in the ledger.', call: '1.1', outcome: 'happened' };

const standing = (...items: readonly Item[]) =>
  standingOfRecord(items.map((item, number): TraceEntry => ({ kind: 'item', number, item, atMs: 1_000 })), 'running');

test('a call whose outcome is unknown waits for a person until one has said what became of it, whichever was written first', () => {
  expect(standing(asked, lost).doubts).toMatchObject([{ call: '1.1', tool: 'pay', args: { order: '88213' } }]);
  expect(standing(asked, lost, settled).doubts).toEqual([]);
  expect(standing(asked, settled, lost).doubts).toEqual([]);
});

test('a held call that only the record tells of says so: who may decide it is not in there, and it is no low risk', () => {
  const [view] = standing(asked, { type: 'held', call: '1.1', tool: 'pay', facts: { argsHash: 'a', why: 'pay has an effect' }, deadlineMs: 9_000 }).held;
  expect(view).toMatchObject({ call: '1.1', args: { order: '88213' }, effect: 'once', fromRecord: true });
  expect(view && riskOf(view)).toMatchObject({ level: 'some', reasons: [{ kind: 'not_recorded' }, { kind: 'once' }] });
});
