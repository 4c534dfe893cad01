import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { caseName, elsewhereOf, keptEffectKey, parseKeptEffect } from '../core/kept-effect.ts';
import type { HeldView, RunProgress } from '../core/run.ts';
import type { ServerAccess } from './server-access.ts';

/** A store that answers does so in milliseconds. */
const ANSWER_MS = 1_000;

/**
 * Held calls with what other runs of their case have done by now; the run itself knows only what they had done when it
 * held them. Where the record of effects cannot be read, that is what is told.
 */
export async function withElsewhere(access: ServerAccess, run: string, progress: RunProgress): Promise<RunProgress> {
  const { held } = progress;
  if (!held || held.length === 0) return progress;
  return { ...progress, held: await Promise.all(held.map((view) => lookedUp(access, run, view))) };
}

async function lookedUp({ blobs }: ServerAccess, run: string, view: HeldView): Promise<HeldView> {
  const { checks, case: its, tool } = view;
  if (!blobs || !checks || !its) return view;
  try {
    const digest = createHash('sha256').update(caseName(tool, its.key)).digest('hex');
    const kept = parseKeptEffect(await Promise.race([blobs.get(keptEffectKey(digest)), late()]));
    if (!kept || kept.run === run) return view;
    const { elsewhere: _before, ...others } = checks;
    const elsewhere = elsewhereOf(kept, its.hash);
    return { ...view, checks: { ...others, ...(elsewhere ? { elsewhere } : {}) } };
  } catch {
    return view;
  }
}

function late(): Promise<undefined> {
  return sleep(ANSWER_MS, undefined, { ref: false });
}
