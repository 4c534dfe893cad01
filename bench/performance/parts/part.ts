import type { Measure } from '../figures.ts';
import type { Skipped, Subject } from '../subject.ts';
import type { Ground } from '../subjects/temporal.ts';

/** How much is measured. */
export interface Size {
  readonly isShort: boolean;
  readonly rounds: number;
}

export interface PartContext extends Size {
  readonly ground: Ground;
  /** All rows; parts about the product alone start what they need. */
  readonly subjects: () => Promise<readonly Subject[]>;
  readonly report: (message: string) => void;
}

export interface PartResult {
  readonly measures: readonly Measure[];
  readonly skipped?: readonly Skipped[];
}

export type Part = (context: PartContext) => Promise<PartResult>;
