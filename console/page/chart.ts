import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { EndCount } from '../api/overview.ts';
import { END_WORDS } from './words.ts';

/** Told apart without colour too: the table beside the chart has the numbers. */
const COLOURS = ['#2f7d4f', '#c2570c', '#8a5cd6', '#b3261e', '#0b7285', '#946c00', '#5f6b7a', '#a61e6b', '#4263eb'];
const HEIGHT = 220;

/** Draws a line for each reason over the days; the chart follows the width of its place. @returns what removes it */
export function drawEnds(place: HTMLElement, ends: readonly EndCount[]): () => void {
  const days = daysBetween(ends.map(({ day }) => day));
  const reasons = [...new Set(ends.map(({ reason }) => reason))];
  const ink = getComputedStyle(place).color;
  const rows = reasons.map((reason) => days.map((day) => ends.filter((one) => one.day === day && one.reason === reason).reduce((sum, { runs }) => sum + runs, 0)));
  const axis = { stroke: ink, grid: { stroke: 'rgba(128, 128, 128, 0.25)' } };
  const chart = new uPlot({
    width: Math.max(200, place.clientWidth), height: HEIGHT,
    series: [{}, ...reasons.map((reason, i) => ({ label: END_WORDS[reason], stroke: COLOURS[i % COLOURS.length] ?? ink, width: 2, points: { show: true, size: 7 } }))],
    scales: { x: { time: true }, y: { range: (_chart, _least, most) => [0, Math.max(1, most)] } },
    axes: [{ ...axis, incrs: [1, 2, 7, 14, 30].map((day) => day * 86_400), values: (_chart, ticks) => ticks.map((seconds) => new Date(seconds * 1_000).toISOString().slice(5, 10)) }, { ...axis, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000] }],
    legend: { show: false }, padding: [10, 34, 0, 0],
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
  }, [days.map((day) => Date.parse(day) / 1_000), ...rows], place);
  place.append(legend(reasons.map((reason, i) => [END_WORDS[reason], COLOURS[i % COLOURS.length] ?? ink])));
  const observer = new ResizeObserver(() => chart.setSize({ width: Math.max(200, place.clientWidth), height: HEIGHT }));
  observer.observe(place);
  return () => {
    observer.disconnect();
    chart.destroy();
    place.replaceChildren();
  };
}

function legend(names: readonly (readonly [name: string, colour: string])[]): HTMLElement {
  const list = document.createElement('div');
  list.className = 'legend';
  for (const [name, colour] of names) {
    const mark = document.createElement('span');
    mark.className = 'mark';
    mark.style.background = colour;
    list.append(mark, name);
  }
  return list;
}

/** Every day from the first to the last, at least a week, so that a day without runs is one. */
function daysBetween(days: readonly string[]): readonly string[] {
  const sorted = [...days].sort();
  const [first, last] = [Date.parse(sorted[0] ?? ''), Date.parse(sorted.at(-1) ?? '')];
  const from = Math.min(first, last - 6 * 86_400_000);
  return Array.from({ length: Math.round((last - from) / 86_400_000) + 1 }, (_, i) => new Date(from + i * 86_400_000).toISOString().slice(0, 10));
}
