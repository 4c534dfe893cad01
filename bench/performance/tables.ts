import { cpus } from 'node:os';
import type { Measure } from './figures.ts';
import { ROW } from './rows.ts';

/** Tables of one part in Markdown: figures with their range, then the ratios. */
export function partTables(all: readonly Measure[]): string {
  const figures = unique(all.map(({ figure }) => figure));
  const subjects = inOrder(unique(all.map(({ subject }) => subject)));
  const find = (subject: string, figure: string) => all.find((one) => one.subject === subject && one.figure === figure);
  const unit = (figure: string) => all.find((one) => one.figure === figure)?.unit ?? '';
  const rows = subjects.map((subject) => [subject, ...figures.map((figure) => cell(find(subject, figure)))]);
  const table = markdown(['', ...figures.map((figure) => `${figure}${unit(figure) ? ` (${unit(figure)})` : ''}`)], rows);
  const ratios = all.flatMap((one) => (one.ratios ?? []).map(({ to, ...ratio }) => ({ subject: one.subject, to, figure: one.figure, ratio })));
  const pairs = inOrder(unique(ratios.map(({ subject, to }) => `${subject}\n${to}`)));
  if (pairs.length === 0) return table;
  const ratioRows = pairs.map((pair) => {
    const [subject = '', to = ''] = pair.split('\n');
    return [`${subject} / ${to}`, ...figures.map((figure) => cell(ratios.find((one) => one.subject === subject && one.to === to && one.figure === figure)?.ratio))];
  });
  return `${table}\n\n${markdown(['ratio', ...figures], ratioRows)}`;
}

function cell(value: { readonly median: number; readonly low: number; readonly high: number } | undefined): string {
  if (value === undefined) return '–';
  const { median, low, high } = value;
  return low === high ? short(median) : `${short(median)} (${short(low)}–${short(high)})`;
}

/** Three digits: what is beyond them is noise. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toFixed(digits).replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ',');
}

export function markdown(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(headings), line(headings.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

/** As `ROW` has them, whichever was measured first. */
function inOrder(names: readonly string[]): readonly string[] {
  const place = (name: string) => Object.values<string>(ROW).findIndex((row) => row === name.split('\n')[0]);
  return [...names].sort((a, b) => place(a) - place(b));
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}

export function machineText(date: Date): string {
  const [cpu] = cpus();
  return `${date.toISOString().slice(0, 10)}, Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} cores${cpu ? ` (${cpu.model.trim()})` : ''}`;
}
