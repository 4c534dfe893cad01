import { createColors } from 'picocolors';
import { commandText } from './command-name.ts';
import { wrap } from './plain-text.ts';
import type { TraceStyle } from './trace-style.ts';

export const OUTPUT_FORMATS = ['text', 'json', 'jsonl'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** Data goes to standard output and nothing else does; what the command says to a person goes to standard error. */
export interface Output {
  readonly format: OutputFormat;
  /** Lines of data for people; only for `text`. */
  lines(lines: readonly string[]): void;
  /** Data for programs: one document for `json`, one line for `jsonl`. */
  value(value: unknown): void;
  say(message: string): void;
  readonly style: TraceStyle;
}

const MAX_WIDTH = 100;

export function createOutput(format: OutputFormat, options: { readonly full?: boolean } = {}): Output {
  const { stdout, stderr, env } = process;
  const colours = createColors(wantsColour(env, stdout.isTTY));
  return {
    format,
    lines: (lines) => {
      for (const line of lines) stdout.write(`${line}\n`);
    },
    value: (value) => {
      stdout.write(`${format === 'jsonl' ? JSON.stringify(value) : JSON.stringify(value, undefined, 2)}\n`);
    },
    say: (message) => {
      stderr.write(`${message}\n`);
    },
    style: {
      width: Math.min(stdout.columns ?? 80, MAX_WIDTH),
      full: options.full ?? false,
      dim: colours.dim,
      bold: colours.bold,
      warn: colours.yellow,
      command: commandText,
    },
  };
}

/** https://no-color.org: any value that is not empty turns colour off. */
function wantsColour(env: NodeJS.ProcessEnv, isTerminal: boolean | undefined): boolean {
  if (env['NO_COLOR']) return false;
  return env['FORCE_COLOR'] ? env['FORCE_COLOR'] !== '0' : isTerminal === true && env['TERM'] !== 'dumb';
}

/** Rows under headings, as wide as they need to be; the last column is cut to the terminal. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
): readonly string[] {
  const widths = headings.map((heading, i) =>
    Math.max(heading.length, ...rows.map((row) => [...(row[i] ?? '')].length)),
  );
  return [headings, ...rows].map((row) => {
    const line = row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd();
    return wrap(line, Math.max(width, 200))[0] ?? line;
  });
}
