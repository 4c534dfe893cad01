import type { Elsewhere } from './approval-facts.ts';
import { isJsonObject } from './json.ts';
import type { ObservationStatus } from './transcript.ts';

/** What is kept of a call with an effect, beside the run: a reset makes the run forget, and other runs never knew. */
export interface KeptEffect {
  readonly run: string;
  readonly firstRunId: string;
  readonly call: string;
  readonly hash: string;
  /** When the first attempt began. */
  readonly atMs: number;
  /** Absent while the outcome is not known. */
  readonly outcome?: { readonly status: ObservationStatus; readonly text: string };
}

/** What an effect of a business case is known by, whichever run has it. */
export function caseName(tool: string, key: string): string {
  return JSON.stringify(['key', tool, key]);
}

/** Where it is kept: by the SHA-256 of its name, in hexadecimal digits. */
export function keptEffectKey(digest: string): string {
  return `effects/${digest.slice(0, 2)}/${digest.slice(2)}.json`;
}

export function parseKeptEffect(text: string | undefined): KeptEffect | undefined {
  if (text === undefined) return undefined;
  const value: unknown = JSON.parse(text);
  return isKept(value) ? value : undefined;
}

function isKept(value: unknown): value is KeptEffect {
  if (!isJsonObject(value)) return false;
  return [value.run, value.firstRunId, value.call, value.hash].every((text) => typeof text === 'string') && typeof value.atMs === 'number';
}

export function didNotHappen({ outcome }: KeptEffect): boolean {
  return outcome !== undefined && outcome.status !== 'ok' && outcome.status !== 'unknown';
}

/** How a call of the same case, with these arguments, is told of it. */
export function elsewhereOf(kept: KeptEffect, hash: string): Elsewhere | undefined {
  if (didNotHappen(kept)) return undefined;
  const { run, call, outcome } = kept;
  return { run, call, stands: kept.hash !== hash ? 'other' : outcome?.status === 'ok' ? 'done' : 'begun' };
}
