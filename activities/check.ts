import type { BlobStore, CheckInput, CheckResult } from '../core/contract.ts';
import { evidenceOf } from '../core/evidence.ts';
import type { Registry } from '../tools/registry.ts';
import { withApproval, withElsewhere } from './approval-facts.ts';
import { checkCall } from './check-call.ts';
import { createEffectBook } from './effect-book.ts';
import { knownTranscript } from './known-transcript.ts';
import type { TranscriptCache } from './transcript-cache.ts';
import { wellFormedAction } from './well-formed-action.ts';

interface CheckParts {
  readonly registry: Registry;
  readonly cache: TranscriptCache;
  readonly blobs: BlobStore;
}

/** Checks arguments that a person wrote as those of a model are checked: schema, ids, rules, and what they need. */
export function createCheck({ registry, cache, blobs }: CheckParts): (input: CheckInput) => Promise<CheckResult> {
  const book = createEffectBook(blobs);
  return async (input) => {
    const { agent, items } = await knownTranscript(cache, input);
    const { turn, call: id, tool, args, firstRunId } = input;
    const definition = registry.findAgent(agent.name, agent.version);
    const said = wellFormedAction({ kind: 'call', tool, args, raw: JSON.stringify(args) });
    if (said.kind !== 'call') throw new Error('a call stays a call');
    const evidence = evidenceOf(items, agent.tools);
    const checked = checkCall(said, { turn, agent, evidence, items, firstRunId, ...(definition ? { definition } : {}) });
    if (checked.kind === 'invalid') return { ok: false, problem: checked.text };
    const { why = 'a person asked for it', ...call } = checked;
    // Bound in any case: an order that repeats an earlier effect is held too, and an edit is approved at once.
    const held = withApproval({ ...call, id }, { firstRunId, why, agent, evidence, ...(definition ? { definition } : {}) });
    return { ok: true, call: await withElsewhere(held, firstRunId, book) };
  };
}
