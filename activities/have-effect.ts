import { Context } from '@temporalio/activity';
import type { EffectNote } from '../core/transcript.ts';
import type { EffectBook, Opening } from './effect-book.ts';
import { idempotencyKey, lostOutcome, runTool } from './run-tool.ts';
import type { ToolRun } from './run-tool.ts';
import type { Outcome } from './tool-observation.ts';

/** A call with an effect goes through the book of effects, and its observation says how it was tried. */
export async function haveEffect(run: ToolRun, kind: EffectNote['kind'], book: EffectBook): Promise<Outcome> {
  const { input, tool } = run;
  const opening = await book.open(input, tool);
  if (opening.kind === 'known' && opening.outcome.status === 'error') return opening.outcome;
  const keyOf = opening.kind === 'run' ? opening.keyOf : input.call;
  const outcome = await tried({ ...run, input: { ...input, call: keyOf } }, opening);
  if (opening.kind !== 'known') await book.close(input, outcome);
  const { attempt } = Context.current().info;
  const note = { kind, hash: input.hash, key: idempotencyKey({ ...input, call: keyOf }) };
  if (opening.kind === 'known' && opening.doneBy) return { ...outcome, effect: { ...note, attempts: 0, doneBy: opening.doneBy } };
  return { ...outcome, effect: { ...note, attempts: attempt } };
}

function tried(run: ToolRun, opening: Opening): Promise<Outcome> {
  if (opening.kind === 'known') return Promise.resolve(opening.outcome);
  const { beganMs } = opening;
  const overMs = beganMs === undefined ? undefined : beganMs + run.tool.facts.timeoutMs;
  if (opening.kind === 'in_doubt') return lostOutcome(run, { why: opening.why, overMs });
  // Whatever allowed this attempt: what may happen once is not sent a second time.
  if (run.tool.facts.effect === 'once' && Context.current().info.attempt > 1) return lostOutcome(run, { why: 'the worker that ran it was lost', overMs });
  return runTool(run);
}
