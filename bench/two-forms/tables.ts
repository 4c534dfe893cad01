import { cpus } from 'node:os';
import type { Counters, Form } from '../../core/agent.ts';
import type { RunResult } from '../../core/run.ts';
import { FORMS } from './fault-runs.ts';
import type { MeasuredFault } from './fault-runs.ts';
import type { FormLines } from './lines.ts';
import type { MeasuredTask } from './tasks.ts';

/** A table in Markdown. */
function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(headings), line(headings.map(() => '---')), ...rows.map(line)].join('\n');
}

function number(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

export function machineLine(date: Date): string {
  return `Measured on ${date.toISOString().slice(0, 10)} with Node ${process.versions.node} on ${process.platform} ${process.arch}, ${cpus().length} cores.`;
}

export function taskTable(tasks: readonly MeasuredTask[]): string {
  const rows = tasks.flatMap(({ agent, kind, results }) => FORMS.map((form) => [`${agent}: ${kind}`, form, ...figures([results[form]]), `\`${results[form].endReason}\``]));
  const totals = FORMS.map((form) => ['**all**', form, ...figures(tasks.map(({ results }) => results[form])), '']);
  return table(['task', 'form', 'turns', 'tool calls', 'prompt tokens', 'of them a turn', 'output tokens', 'end'], [...rows, ...totals]);
}

function figures(results: readonly RunResult[]): readonly string[] {
  const sum = (of: (usage: RunResult['usage']) => number) => results.reduce((total, { usage }) => total + of(usage), 0);
  const [turns, prompt] = [sum((u) => u.turns), sum((u) => u.inputTokens)];
  return [turns, sum((u) => u.toolCalls), prompt, Math.round(prompt / turns), sum((u) => u.outputTokens)].map(number);
}

export function counterTable(tasks: readonly MeasuredTask[]): string {
  const total = (form: Form, name: keyof Counters) => tasks.reduce((sum, { results }) => sum + results[form].counters[name], 0);
  const [first] = tasks;
  const names = Object.keys(first?.results.text.counters ?? {}) as (keyof Counters)[];
  return table(['counter', ...FORMS], names.map((name) => [`\`${name}\``, ...FORMS.map((form) => number(total(form, name)))]));
}

export function faultTable(faults: readonly MeasuredFault[]): string {
  const cells = ({ name, became }: MeasuredFault) => [name, ...FORMS.map((form) => became[form] ?? 'cannot happen')];
  return table(['reply', ...FORMS], faults.map(cells));
}

export function lineTable(lines: Readonly<Record<Form, FormLines>>): string {
  const rows = FORMS.map((form) => [form, number(lines[form].lines), lines[form].files.map((file) => `\`${file}\``).join(', ')]);
  return table(['form', 'lines of code', 'files'], rows);
}
