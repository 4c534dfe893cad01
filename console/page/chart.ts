import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

/** One row of values, a value for each label. */
export interface ChartRow {
  readonly name: string;
  readonly colour: string;
  readonly values: readonly (number | null)[];
}

/** `bars` are stacked, the first row at the bottom. */
export interface ChartData {
  readonly kind: 'bars' | 'line';
  readonly labels: readonly string[];
  readonly rows: readonly ChartRow[];
  /** The upper end at least. */
  readonly upTo: number;
  readonly unit?: string;
}

const HEIGHT = 200;
/** Wide enough for the longest label, so that none is written over another. */
const LABEL_PX = 64;
/** More bars than this leave no room for numbers above them. */
const MOST_NUMBERED = 16;

/** Draws into a place and follows its width. @returns what removes it */
export function drawChart(place: HTMLElement, data: ChartData): () => void {
  const style = getComputedStyle(place);
  const axis = { stroke: style.color, font: `12px ${style.fontFamily}`, grid: { stroke: 'rgba(128, 128, 128, 0.18)', width: 1 }, ticks: { show: false } };
  const { labels, kind, upTo, unit = '' } = data;
  const most = Math.max(upTo, ...totalsOf(data));
  const chart = new uPlot({
    width: widthOf(place), height: HEIGHT, legend: { show: false }, cursor: { show: false }, padding: [18, 12, 0, 0],
    series: [{}, ...(kind === 'bars' ? stackedSeries(data) : lineSeries(data, style.backgroundColor))],
    scales: { x: { time: false, range: () => [-0.5, labels.length - 0.5] }, y: { range: () => [0, most] } },
    axes: [
      { ...axis, grid: { show: false }, size: 26, splits: (self) => everySo(labels.length, self.width), values: (_self, splits) => splits.map((at) => labels[at] ?? '') },
      { ...axis, size: 46, incrs: [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1_000, 2_000], values: (_self, splits) => splits.map((value) => `${value}${unit}`) },
    ],
    hooks: { draw: [(self) => { if (kind === 'bars' && labels.length <= MOST_NUMBERED) writeTotals(self, data, style); }] },
  }, [labels.map((_, at) => at), ...drawnRows(data)], place);
  const observer = new ResizeObserver(() => chart.setSize({ width: widthOf(place), height: HEIGHT }));
  observer.observe(place);
  return () => {
    observer.disconnect();
    chart.destroy();
  };
}

function widthOf({ clientWidth }: HTMLElement): number {
  return Math.max(200, clientWidth);
}

/** The highest bar is drawn first, and the lower ones over it. What is nothing is not drawn at all. */
function drawnRows({ kind, rows }: ChartData): (number | null)[][] {
  if (kind === 'line') return rows.map(({ values }) => [...values]);
  const sums = rows.map(({ values }, row) => values.map((value, at) => (value ? sumUpTo(rows, row, at) : null)));
  return sums.reverse();
}

function sumUpTo(rows: readonly ChartRow[], row: number, at: number): number {
  return rows.slice(0, row + 1).reduce((sum, { values }) => sum + (values[at] ?? 0), 0);
}

function totalsOf({ kind, labels, rows }: ChartData): readonly number[] {
  return kind === 'bars' ? labels.map((_, at) => sumUpTo(rows, rows.length - 1, at)) : rows.flatMap(({ values }) => values.map((value) => value ?? 0));
}

function stackedSeries({ rows }: ChartData): uPlot.Series[] {
  const bars = uPlot.paths.bars?.({ size: [0.7, 56] });
  return [...rows].reverse().map(({ name, colour }) => ({ label: name, fill: colour, stroke: colour, width: 0, points: { show: false }, ...(bars ? { paths: bars } : {}) }));
}

function lineSeries({ rows }: ChartData, paper: string): uPlot.Series[] {
  return rows.map(({ name, colour }) => ({ label: name, stroke: colour, width: 2, spanGaps: true, points: { show: true, size: 7, fill: paper } }));
}

/** Positions whose labels have room. */
function everySo(count: number, width: number): number[] {
  const step = Math.max(1, Math.ceil((count * LABEL_PX) / width));
  return Array.from({ length: count }, (_, at) => at).filter((at) => (count - 1 - at) % step === 0);
}

function writeTotals({ ctx, valToPos }: uPlot, data: ChartData, { color, fontFamily }: CSSStyleDeclaration): void {
  ctx.save();
  Object.assign(ctx, { fillStyle: color, font: `${12 * devicePixelRatio}px ${fontFamily}`, textAlign: 'center', textBaseline: 'bottom' });
  totalsOf(data).forEach((total, at) => { if (total > 0) ctx.fillText(String(total), valToPos(at, 'x', true), valToPos(total, 'y', true) - 3 * devicePixelRatio); });
  ctx.restore();
}
