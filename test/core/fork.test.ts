import { expect, test } from 'vitest';
import { forkRun } from '../../core/fork.ts';
import { earlierEffect } from '../../core/policy.ts';
import { startRun } from '../../core/state.ts';
import type { CallAction, Item, ObservationItem, PersonItem } from '../../core/transcript.ts';
import { pinnedAgent } from '../support/pinned-agent.ts';
import { observed, replyWith } from '../support/simulated-run.ts';

const person = (name: string) => ({ name, verified: true });
const BY = person('asha');
const agent = pinnedAgent();
const start = startRun({ agent: 'desk', task: 'Refund order 88213.' }, agent, { id: 'run', firstRunId: 'first', nowMs: 0 });
const asked: CallAction = {
  kind: 'call', id: '1.1', tool: 'refund', args: { id: '88213' }, hash: 'asked', key: 'order-88213', effect: 'once', needsApproval: false,
};

function forkOf(...after: readonly Item[]) {
  const items = [{ ...replyWith(start, [asked]), turn: 1 }, ...after];
  return forkRun(start, { parent: { id: 'parent' }, turn: 1, items }, 0);
}

function result(changes: Partial<ObservationItem>): ObservationItem {
  return { ...observed(asked, 'Paid.'), effect: { kind: 'once', hash: asked.hash, key: 'order-88213' }, ...changes };
}

function settle(outcome: PersonItem['outcome']): PersonItem {
  return { type: 'person', verb: 'settle', by: BY, id: 'd1', text: 'Seen at the bank.', call: '1.1', ...(outcome ? { outcome } : {}) };
}

test('a call that a person had changed is known by what ran, not by what the model had asked for', () => {
  const fork = forkOf(result({ effect: { kind: 'once', hash: 'changed', key: 'order-88214' } }));
  expect(fork.effects).toMatchObject([{ call: '1.1', hash: 'changed', key: 'order-88214' }]);
  expect(earlierEffect(fork, { ...asked, hash: 'other', key: 'order-88214' })).toMatchObject({ call: '1.1' });
  expect(earlierEffect(fork, asked)).toBeUndefined();
});

test.each([['happened', 'ok'], ['not_happened', 'error'], ['retry', 'unknown'], [undefined, 'unknown']] as const)(
  'what a person said of a call in doubt holds in the copy: %s', (said, status) => {
    expect(forkOf(result({ status: 'unknown' }), settle(said)).effects).toMatchObject([{ call: '1.1', status }]);
  },
);

test('what a person said while the turn of the call was still open holds too', () => {
  expect(forkOf(settle('happened'), result({ status: 'unknown' })).effects).toMatchObject([{ call: '1.1', status: 'ok' }]);
  const again = result({ call: '1.p1', status: 'ok', retryOf: '1.1', by: BY });
  expect(forkOf(settle('retry'), again, result({ status: 'unknown' })).effects).toMatchObject([{ call: '1.1', status: 'ok' }]);
});

test('a call that a person orders in the fork has a number of its own', () => {
  const again = result({ call: '1.p3', status: 'ok', retryOf: '1.1', by: BY });
  expect(forkOf(result({ status: 'unknown' }), settle('retry'), again).orderCount).toBe(3);
  expect(forkOf(result({})).orderCount).toBe(0);
});

test.each([['ok', 'ok'], ['error', 'unknown']] as const)('a second try that came back %s is no second effect', (second, status) => {
  const again = result({ call: '1.p1', status: second, retryOf: '1.1', by: BY });
  expect(forkOf(result({ status: 'unknown' }), settle('retry'), again).effects).toMatchObject([{ call: '1.1', status }]);
});

test('whoever asked for the parent, or changed its course, is no second pair of eyes in the fork', () => {
  const fresh = startRun({ agent: 'desk', task: 'Go on.', requestedBy: person('carl') }, pinnedAgent(), { id: 'fork', firstRunId: 'f', nowMs: 0 });
  const said = (verb: string, name: string, more: object = {}): Item => ({ type: 'person', verb, by: person(name), id: `${verb}-${name}`, text: '', ...more });
  const items = [
    said('redirect', 'asha', { constraints: ['cash only'] }), said('message', 'ravi'), said('resume', 'lena', { goal: 'Refund A-2.' }),
    said('redirect', 'late', { goal: 'x', refused: 'the run has ended' }),
  ];
  const forked = forkRun(fresh, { parent: { id: 'parent', requestedBy: 'meera' }, turn: 1, items }, 1);
  expect(forked.involved).toEqual(['carl', 'meera', 'asha', 'lena']);
});

test('a summary that was copied without its words leaves none behind with the items before it', () => {
  const seen = result({ status: 'ok', tool: 'get_order', text: 'order 88213, note HELP-12' });
  const summary = { type: 'summary', before: 3, goal: 'g', constraints: [], todo: [], text: '[1.1] …' } as const;
  expect(forkOf(seen, summary).items.at(-1)).toMatchObject({ type: 'summary', seen: expect.arrayContaining(['help-12', '88213']) });
});
