import { createHash } from 'node:crypto';
import { Context } from '@temporalio/activity';
import type { EarlierCall, Elsewhere } from '../core/approval-facts.ts';
import type { ActInput, BlobStore } from '../core/contract.ts';
import { caseName, didNotHappen, elsewhereOf, keptEffectKey, parseKeptEffect } from '../core/kept-effect.ts';
import type { KeptEffect } from '../core/kept-effect.ts';
import type { CallAction } from '../core/transcript.ts';
import type { Tool } from '../tools/tool.ts';
import { answerInTime } from './answer-in-time.ts';
import { thisRun } from './this-run.ts';
import type { Outcome } from './tool-observation.ts';

/**
 * What may be done: run under the key of this call, take an earlier outcome for this one's (`doneBy`: another run's), or
 * find out what happened.
 * `beganMs`: when an attempt began of which nobody reported the end.
 */
export type Opening =
  | { readonly kind: 'run'; readonly keyOf: string; readonly beganMs?: number }
  | { readonly kind: 'known'; readonly outcome: Outcome; readonly doneBy?: EarlierCall }
  | { readonly kind: 'in_doubt'; readonly why: string; readonly beganMs?: number };

/**
 * The installation's own record of effects, by the key that the other side knows them by. The run's state is the first
 * guard against doing a thing twice; this one still holds after a reset to before the call, and between runs that mean
 * the same business case.
 */
export interface EffectBook {
  /** Looks the call up and notes that it is about to be made. A store that is down is no reason not to work. */
  open(input: ActInput, tool: Tool): Promise<Opening>;
  /** Notes what came of it. */
  close(input: ActInput, outcome: Outcome): Promise<void>;
  /** What another run of the same case has done of this call; looked up for whoever is asked to approve it. */
  elsewhere(call: Pick<CallAction, 'tool' | 'hash' | 'key'>, firstRunId: string): Promise<Elsewhere | undefined>;
}

/** A look that comes behind the reply, and before the next beat. */
const LOOK_MS = 500;
/** More than any observation shows; whole results are kept elsewhere. */
const KEPT_CHARS = 20_000;

export function createEffectBook(blobs: BlobStore, now: () => number = Date.now): EffectBook {
  const read = async (name: string) => parseKeptEffect(await blobs.get(blobKey(name)));
  const write = async (input: ActInput, kept: KeptEffect) => {
    for (const name of namesOf(input)) await blobs.put(blobKey(name), JSON.stringify(kept));
  };
  return {
    open: async (input, tool) => {
      // What the record said before it failed: the server alone knows less.
      let found: Opening | undefined;
      try {
        const look = async () => {
          const [byCall, byIdentity] = await Promise.all(namesOf(input).map(read));
          return { earlier: byIdentity ?? byCall, opening: decideOpening({ input, tool, byCall, byIdentity, nowMs: now() }) };
        };
        const { earlier, opening } = await look();
        // What is in doubt and was never noted is noted now, for others that mean the same case.
        if (opening.kind === 'known' || (opening.kind === 'in_doubt' && earlier)) return opening;
        found = opening;
        const entry = freshEntry(input, earlier, now());
        // Of two that mean one effect and come at once, the one that wrote first makes it.
        if (earlier === undefined && !(await blobs.putNew(blobKey(namesOf(input)[1]), JSON.stringify(entry)))) {
          found = { kind: 'in_doubt', why: 'another call of the same case began it at the same moment' };
          return (await look()).opening;
        }
        await write(input, entry);
        return opening;
      } catch (error) {
        Context.current().log.warn('the record of effects cannot be used', { tool: tool.name, error: String(error) });
        return found ?? withoutRecord(input, tool, now());
      }
    },
    close: async (input, outcome) => {
      try {
        const kept = await read(namesOf(input)[0]);
        if (kept) await write(input, { ...kept, outcome: { status: outcome.status, text: outcome.text.slice(0, KEPT_CHARS) } });
      } catch (error) {
        Context.current().log.warn('an outcome is missing in the record of effects', { tool: input.tool, error: String(error) });
      }
    },
    elsewhere: async ({ tool, hash, key }, firstRunId) => {
      if (key === undefined) return undefined;
      try {
        // The model's reply is here and paid for: a store that hangs must not cost it.
        const kept = await answerInTime(read(caseName(tool, key)), LOOK_MS);
        return kept && kept.firstRunId !== firstRunId ? elsewhereOf(kept, hash) : undefined;
      } catch (error) {
        Context.current().log.warn('the record of effects cannot be used', { tool, error: String(error) });
        return undefined;
      }
    },
  };
}

interface Found {
  readonly input: ActInput;
  readonly tool: Tool;
  readonly byCall: KeptEffect | undefined;
  readonly byIdentity: KeptEffect | undefined;
  readonly nowMs: number;
}

function decideOpening({ input, tool, byCall, byIdentity, nowMs }: Found): Opening {
  if (byCall && byCall.hash !== input.hash) return refused(tool, 'this call was made with other arguments before the run was reset; ask for it in another turn');
  const earlier = byIdentity ?? byCall;
  // The attempt before this one came to its end, and only its report was lost.
  if (byCall?.outcome && byCall.outcome.status !== 'unknown' && Context.current().info.attempt > 1) return { kind: 'known', outcome: byCall.outcome };
  if (!earlier || input.again === true || didNotHappen(earlier)) return { ...withoutRecord(input, tool, nowMs), ...began(byCall) };
  if (earlier.hash !== input.hash) return refused(tool, `${whereOf(earlier)} did it with other arguments, and one case is one effect; a person must decide`);
  const { outcome } = earlier;
  if (outcome?.status === 'ok') {
    const { run, call, firstRunId } = earlier;
    const doneBy = firstRunId === input.firstRunId ? {} : { doneBy: { run, call } };
    return { kind: 'known', ...doneBy, outcome: { status: 'ok', text: `Already done (${whereOf(earlier)}), so it was not done again. Its outcome was: ${outcome.text}` } };
  }
  const isKept = tool.keysKeptMs === undefined || nowMs - earlier.atMs <= tool.keysKeptMs;
  if (tool.facts.effect === 'idempotent' && isKept) return { kind: 'run', keyOf: earlier.call };
  const why = isKept ? `${whereOf(earlier)} began it` : `${whereOf(earlier)} began it, and the other side keeps keys no longer than that`;
  return { kind: 'in_doubt', why, beganMs: earlier.atMs };
}

function began(kept: KeptEffect | undefined): { readonly beganMs?: number } {
  return kept ? { beganMs: kept.atMs } : {};
}

/** What only this call's own attempts decide: the server knows when it began, and that it was tried before. */
function withoutRecord({ call }: ActInput, { keysKeptMs }: Tool, nowMs: number): Opening {
  const { attempt, scheduledTimestampMs } = Context.current().info;
  const isKept = keysKeptMs === undefined || nowMs - scheduledTimestampMs <= keysKeptMs;
  return attempt === 1 || isKept ? { kind: 'run', keyOf: call } : { kind: 'in_doubt', why: 'an attempt before began it, and the other side keeps keys no longer than that' };
}

function refused(tool: Tool, why: string): Opening {
  return { kind: 'known', outcome: { status: 'error', text: `Not run: ${tool.name} has the key of another call: ${why}.` } };
}

function whereOf({ run, call }: KeptEffect): string {
  return run === thisRun().workflowId ? `call ${call} of this run` : `call ${call} of run ${run}`;
}

/** The first attempt's time and call stay: the age of a key counts from there. */
function freshEntry(input: ActInput, earlier: KeptEffect | undefined, nowMs: number): KeptEffect {
  if (earlier && input.again !== true && !didNotHappen(earlier)) return earlier;
  return { run: thisRun().workflowId, firstRunId: input.firstRunId, call: input.call, hash: input.hash, atMs: beganAt(nowMs) };
}

/** A first attempt begins now; of a later one the first is not older than the call itself. */
function beganAt(nowMs: number): number {
  const { attempt, scheduledTimestampMs } = Context.current().info;
  return attempt === 1 ? nowMs : scheduledTimestampMs;
}

/** Once by the call's own id, whose key it has; once by what makes two calls the same effect. */
function namesOf({ firstRunId, call, tool, hash, key }: ActInput): readonly [string, string] {
  const { workflowId } = thisRun();
  return [
    JSON.stringify(['call', workflowId, firstRunId, call]),
    key === undefined ? JSON.stringify(['same', workflowId, firstRunId, tool, hash]) : caseName(tool, key),
  ];
}

function blobKey(name: string): string {
  return keptEffectKey(createHash('sha256').update(name).digest('hex'));
}
