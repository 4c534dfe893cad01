import { expect, test } from 'vitest';
import { forkRun } from '../../core/fork.ts';
import { startRun } from '../../core/state.ts';
import type { Item } from '../../core/transcript.ts';
import { pinnedAgent } from '../support/pinned-agent.ts';

const person = (name: string) => ({ name, verified: true });

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
