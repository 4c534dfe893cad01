/** So many values from this one on, and below where the next bin begins. */
export interface Bin {
  readonly from: number;
  /** Absent: whatever is above. */
  readonly to?: number;
  readonly count: number;
}

const MOST_BINS = 12;

/** Whole numbers, a bin each while there are few of them, else as many to a bin as it takes. */
export function wholeBins(values: readonly number[]): readonly Bin[] {
  return values.length === 0 ? [] : evenBins(values, Math.max(1, Math.ceil(stepFor(Math.max(...values) + 1))), Math.min(...values));
}

/** Bins as wide as people count: 1, 2 or 5, and so many noughts. */
export function roundBins(values: readonly number[]): readonly Bin[] {
  const most = Math.max(0, ...values);
  return values.length === 0 ? [] : evenBins(values, most === 0 ? 1 : stepFor(most), Math.min(...values));
}

function evenBins(values: readonly number[], step: number, least: number): readonly Bin[] {
  const first = Math.floor(least / step);
  // A value on a border belongs above it, whatever the division makes of its last digit.
  const binOf = (value: number): number => Math.floor(value / step + 1e-9);
  const count = binOf(Math.max(...values)) - first + 1;
  return Array.from({ length: count }, (_, i) => ({
    from: (first + i) * step, to: (first + i + 1) * step, count: values.filter((value) => binOf(value) === first + i).length,
  }));
}

/** The least round width with which `most` is covered by no more bins than can be read. */
function stepFor(most: number): number {
  const size = 10 ** Math.floor(Math.log10(most / MOST_BINS));
  const factor = [1, 2, 5, 10].find((one) => most / (one * size) <= MOST_BINS) ?? 10;
  return factor * size;
}

/** Bins between given borders, the last one open. */
export function binsBetween(values: readonly number[], borders: readonly number[]): readonly Bin[] {
  return borders.map((from, i) => {
    const to = borders[i + 1];
    return { from, ...(to === undefined ? {} : { to }), count: values.filter((value) => value >= from && (to === undefined || value < to)).length };
  });
}

/** The value that this share of all does not exceed. */
export function quantile(values: readonly number[], share: number): number | undefined {
  return [...values].sort((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)];
}
