import { describe, expect, test } from 'vitest';
import { foldEffects } from '../../client/effects.ts';
import type { TraceEntry } from '../../client/types.ts';
import type { CallAction, Item, ObservationItem } from '../../core/transcript.ts';

const ASHA = { name: 'asha', verified: false };

function pay(id: string, changes: Partial<CallAction> = {}): CallAction {
  return { id, kind: 'call', tool: 'refund', args: { order: '88213' }, hash: 'h', effect: 'once', needsApproval: false, ...changes };
}

function reply(...actions: readonly CallAction[]): Item {
  const usage = { model: 'm', inputTokens: 1, outputTokens: 1, cachedTokens: 0, estimatedTokens: 0, attempts: 1, ms: 1, promptBytes: 1 };
  return { type: 'reply', turn: 3, actions, notes: [], usage, atMs: 1_000 };
}

function seen(call: string, changes: Partial<ObservationItem> = {}): Item {
  return {
    type: 'observation', call, tool: 'refund', status: 'ok', text: 'paid', seen: [], hash: 'r', ms: 5, atMs: 2_000,
    effect: { kind: 'once', key: `key-${call}`, attempts: 1 }, ...changes,
  };
}

const trace = (...items: readonly Item[]): readonly TraceEntry[] => items.map((item, number) => ({ kind: 'item', number, item, atMs: item.atMs ?? 0 }));

describe('the record of effects', () => {
  test('a call that was made has one line: kind, key, attempts, outcome and when', () => {
    expect(foldEffects(trace(reply(pay('3.1')), seen('3.1')), 'first')).toEqual([
      { call: '3.1', tool: 'refund', args: { order: '88213' }, kind: 'once', key: 'key-3.1', attempts: 1, outcome: 'ok', text: 'paid', atMs: 2_000 },
    ]);
  });

  test('reads, calls that were refused and calls that a person answered leave none', () => {
    const { effect: _, ...look } = pay('3.1');
    const { effect: __, ...answered } = seen('3.3') as ObservationItem;
    const items = trace(reply(look, pay('3.2'), pay('3.3')), seen('3.2', { status: 'skipped' }), answered);
    expect(foldEffects(items, 'first')).toEqual([]);
  });

  test('a call whose result was lost is in doubt, its key known all the same', () => {
    const lost = seen('3.1', { status: 'unknown', text: 'lost', effect: { kind: 'once', attempts: 1 } });
    const [line] = foldEffects(trace(reply(pay('3.1')), lost), 'first');
    expect(line).toMatchObject({ outcome: 'unknown', key: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(foldEffects(trace(reply(pay('3.1')), lost))[0]?.key).toBeUndefined();
  });

  test('what a person found out counts also where it was said before the observation was written', () => {
    const lost = seen('3.1', { status: 'unknown', text: 'lost' });
    const said: Item = { type: 'person', verb: 'settle', by: ASHA, id: 'd1', text: 'Seen at the bank.', call: '3.1', outcome: 'happened', atMs: 1_900 };
    for (const items of [[said, lost], [lost, said]]) {
      expect(foldEffects(trace(reply(pay('3.1')), ...items), 'first')).toMatchObject([{ outcome: 'ok', settledBy: { person: ASHA } }]);
    }
  });

  test('what another run had done is not this run\'s doing, and its line says whose it was', () => {
    const doneBy = { run: 'case-1', call: '2.1' };
    const [line] = foldEffects(trace(reply(pay('3.1')), seen('3.1', { effect: { kind: 'once', key: 'k', attempts: 0, doneBy } })), 'first');
    expect(line).toMatchObject({ outcome: 'earlier', doneBy, attempts: 0, text: 'paid' });
  });

  test('it says who approved a call and when', () => {
    const yes: Item = { type: 'person', verb: 'approve', by: ASHA, id: 'd1', text: '', call: '3.1', atMs: 1_500 };
    const refused: Item = { ...yes, id: 'd0', by: { name: 'ravi', verified: false }, refused: 'may not' };
    const [line] = foldEffects(trace(reply(pay('3.1')), refused, yes, seen('3.1')), 'first');
    expect(line).toMatchObject({ approvedBy: { person: ASHA, atMs: 1_500 }, outcome: 'ok' });
  });

  test('a call that runs, and one that waits for a person, are told before their outcome', () => {
    const held: Item = { type: 'held', call: '3.2', tool: 'refund', facts: { argsHash: 'a', why: 'has an effect' }, deadlineMs: 9_000, atMs: 1_100 };
    const entries: readonly TraceEntry[] = [
      ...trace(reply(pay('3.1'), pay('3.2')), held),
      { kind: 'call_started', call: '3.1', tool: 'refund', args: {}, atMs: 1_200, attempt: 1 },
    ];
    expect(foldEffects(entries).map(({ call, outcome }) => [call, outcome])).toEqual([['3.1', 'running'], ['3.2', 'held']]);
  });

  test.each([['happened', 'ok'], ['not_happened', 'error'], ['retry', 'unknown']] as const)('what a person found out counts: %s', (said, outcome) => {
    const settle: Item = { type: 'person', verb: 'settle', by: ASHA, id: 'd', call: '3.1', outcome: said, text: 'seen at the bank' };
    const [line] = foldEffects(trace(reply(pay('3.1')), seen('3.1', { status: 'unknown' }), settle));
    expect(line).toMatchObject({ outcome, settledBy: { person: ASHA } });
  });

  test('a second try under the same key is the same effect, with the outcome of the second', () => {
    const again = seen('3.p1', { effect: { kind: 'once', key: 'key-3.1', attempts: 1 }, text: 'paid at last' });
    const lines = foldEffects(trace(reply(pay('3.1')), seen('3.1', { status: 'unknown' }), again));
    expect(lines).toMatchObject([{ call: '3.1', outcome: 'ok', attempts: 2, text: 'paid at last' }]);
  });
});
