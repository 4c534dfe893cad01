import { describe, expect, test } from 'vitest';
import { startProblem } from '../../client/start-problem.ts';

const GOOD = { agent: 'order-desk', task: 'Is order 88213 late?' };

describe('what is checked before a run is started', () => {
  test('a usual request passes, with everything set', () => {
    expect(startProblem(GOOD)).toBeUndefined();
    expect(
      startProblem({ ...GOOD, id: 'ticket/4711', constraints: ['be kind'], form: 'text', limits: { turns: 3 } }),
    ).toBeUndefined();
  });

  test('a task of more than 128 KiB in UTF-8 is refused: it would fail on the server again and again', () => {
    expect(startProblem({ ...GOOD, task: '₹'.repeat(43_690) })).toBeUndefined();
    expect(startProblem({ ...GOOD, task: '₹'.repeat(43_691) })).toMatch(/128 KiB/);
  });

  test('an id is one printable word of at most 255 bytes', () => {
    expect(startProblem({ ...GOOD, id: 'é'.repeat(127) })).toBeUndefined();
    expect(startProblem({ ...GOOD, id: 'é'.repeat(128) })).toMatch(/256 bytes/);
    for (const id of ['a b', 'a\u0007', 'a\nb', '\ud800', '']) expect(startProblem({ ...GOOD, id })).toBeDefined();
  });

  test('an empty task, an odd agent name, a limit of no turns and an empty constraint each say what to do', () => {
    expect(startProblem({ ...GOOD, task: ' \n' })).toMatch(/empty/);
    expect(startProblem({ ...GOOD, agent: 'order desk' })).toMatch(/letters, digits/);
    expect(startProblem({ ...GOOD, limits: { turns: 0 } })).toMatch(/limits/);
    expect(startProblem({ ...GOOD, constraints: [''] })).toMatch(/constraint/);
  });
});
