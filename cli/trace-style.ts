import type { Budget } from '../core/agent.ts';
import type { JsonObject } from '../core/json.ts';

export interface TraceStyle {
  /** Columns. */
  readonly width: number;
  /** Whole observations instead of their first lines. */
  readonly full: boolean;
  readonly dim: (text: string) => string;
  readonly bold: (text: string) => string;
  readonly warn: (text: string) => string;
  /** Turns the commands that runs name (`caseworker …`) into ones that work here. */
  readonly command: (text: string) => string;
}

/** What later lines need of earlier entries. */
export interface TraceMemory {
  readonly budget?: Budget;
  /** Actions of the turn that is told now: one needs no number, several do. */
  readonly actions: number;
  readonly answered: boolean;
  /** Arguments by call, as they stand: a change of them is told with what they were. */
  readonly args: Readonly<Record<string, JsonObject>>;
}

/** Where the text of a line begins that belongs to a turn. */
export const INDENT = 15;

export function place(style: TraceStyle, indent: number): { readonly indent: number; readonly width: number } {
  return { indent, width: style.width };
}

export function cut(text: string, characters: number): string {
  return text.length > characters ? `${text.slice(0, characters)}…` : text;
}
