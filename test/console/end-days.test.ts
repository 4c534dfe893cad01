import { expect, test } from 'vitest';
import { endDays, runsOf } from '../../console/page/end-days.ts';
import type { EndCount } from '../../console/api/overview.ts';

const ENDS: readonly EndCount[] = [
  { agent: 'a', day: '2026-02-27', reason: 'step_limit', runs: 1 }, { agent: 'a', day: '2026-02-27', reason: 'final_answer', runs: 2 },
  { agent: 'b', day: '2026-02-27', reason: 'final_answer', runs: 1 }, { agent: 'b', day: '2026-03-01', reason: 'final_answer', runs: 5 },
];

test('days without runs are days too, at least a week of them, across the end of a month', () => {
  const { days } = endDays(ENDS);
  expect(days).toEqual(['2026-02-23', '2026-02-24', '2026-02-25', '2026-02-26', '2026-02-27', '2026-02-28', '2026-03-01']);
});

test('each run is counted once, under its day and reason, whichever agent it was', () => {
  const { reasons, countsOf } = endDays(ENDS);
  expect(reasons).toEqual(['final_answer', 'step_limit']);
  expect(countsOf('final_answer')).toEqual([0, 0, 0, 0, 3, 0, 5]);
  expect(reasons.flatMap(countsOf).reduce((sum, runs) => sum + runs, 0)).toBe(runsOf(ENDS));
});

test('the share at the step limit is of that day\'s runs, and a day without runs has none rather than nothing', () => {
  expect(endDays(ENDS).stepLimitShare).toEqual([null, null, null, null, 25, null, 0]);
});
