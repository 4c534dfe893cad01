import { describe, expect, test } from 'vitest';
import { binsBetween, quantile, roundBins, wholeBins } from '../../console/page/spread.ts';
import type { Bin } from '../../console/page/spread.ts';

const counted = (bins: readonly Bin[]): number => bins.reduce((sum, { count }) => sum + count, 0);

describe('how values are spread', () => {
  test('few whole numbers have a bin each, also those that did not occur', () => {
    expect(wholeBins([2, 4, 4])).toEqual([{ from: 2, to: 3, count: 1 }, { from: 3, to: 4, count: 0 }, { from: 4, to: 5, count: 2 }]);
  });

  test.each([[[0]], [[0.1, 0.2, 0.3]], [[3.59, 1.65]], [[0.000_4, 0.09]], [[7, 4_999, 12_000]], [[1, 1, 1]]])('every value of %j is in exactly one bin, of bins that can be read', (values) => {
    for (const bins of [roundBins(values), wholeBins(values.map(Math.ceil))]) {
      expect(counted(bins)).toBe(values.length);
      expect(bins.length).toBeLessThanOrEqual(13);
      expect(bins.every(({ to = 0 }, i) => bins[i + 1] === undefined || bins[i + 1]?.from === to)).toBe(true);
    }
  });

  test('a value on a border is in the bin above, and what is above the last border in the open one', () => {
    expect(binsBetween([0, 10, 99], [0, 10, 50])).toEqual([{ from: 0, to: 10, count: 1 }, { from: 10, to: 50, count: 1 }, { from: 50, count: 1 }]);
    expect(roundBins([0.3, 0.6, 2.4]).find(({ from }) => Math.abs(from - 0.6) < 1e-9)?.count).toBe(1);
  });

  test('half of the values, and nine of ten, do not exceed what is told of them; of none nothing is told', () => {
    const values = [5, 1, 2, 3, 4, 6, 7, 8, 9, 100];
    expect([quantile(values, 0.5), quantile(values, 0.9), quantile([7], 0.5), quantile([], 0.5)]).toEqual([5, 9, 7, undefined]);
    expect([wholeBins([]), roundBins([])]).toEqual([[], []]);
  });
});
