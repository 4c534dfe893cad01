import { expect, test } from 'vitest';
import { riskOf } from '../../client/risk.ts';
import type { HeldView } from '../../core/run.ts';

const held: HeldView = {
  call: '2.1', tool: 'pay', args: { amount: 25 }, argsHash: 'h', why: 'pay has an effect', amount: { amount: '25', currency: 'INR' },
  checks: { fields: 1, ids: [], amountSeen: true, rules: true }, heldAtMs: 0, deadlineMs: 1, roles: [], fourEyes: false,
};
const person = { name: 'meera', verified: true };

test.each<[string, Partial<HeldView>, string, readonly string[]]>([
  ['a read whose amount stands in the evidence', {}, 'low', []],
  ['an effect that a repeat does not add to', { effect: 'idempotent' }, 'some', ['idempotent']],
  ['an effect that is had once', { effect: 'once' }, 'some', ['once']],
  ['a call that a person has changed', { editedBy: person }, 'some', ['by_person']],
  ['a call that a person wants made', { orderedBy: person }, 'some', ['by_person']],
  ['an amount that stands nowhere in the evidence', { checks: { fields: 1, ids: [], amountSeen: false, rules: true }, effect: 'once' }, 'high', ['amount_unseen', 'once']],
  ['more than a role decides', { beyond: [{ role: 'support', upTo: { amount: '20', currency: 'INR' } }] }, 'high', ['beyond_role']],
  ['what needs four eyes', { fourEyes: true }, 'high', ['four_eyes']],
  ['rules that are not deployed any more', { checks: { fields: 1, ids: [], rules: false } }, 'high', ['rules_gone']],
  ['what was done before', { repeats: true, why: 'already done at turn 3 (3.1)' }, 'high', ['repeated']],
  ['what another run of the case has done', { checks: { fields: 1, ids: [], rules: true, elsewhere: { run: 'r1', call: '1.1', stands: 'done' } }, effect: 'once' }, 'high', ['elsewhere', 'once']],
  ['what only sounds like it, in a tool author\'s words', { why: 'already done at turn 3 of the market' }, 'low', []],
  ['what only the record tells of', { fromRecord: true }, 'some', ['not_recorded']],
])('%s has the risk that it has', (_what, change, level, reasons) => {
  const risk = riskOf({ ...held, ...change });
  expect([risk.level, risk.reasons.map(({ kind }) => kind)]).toEqual([level, reasons]);
});

test('a call that an older build held is not called a low risk: what was checked is not known', () => {
  const { checks: _, ...older } = held;
  expect(riskOf(older)).toEqual({ level: 'some', reasons: [{ kind: 'not_recorded' }] });
});
