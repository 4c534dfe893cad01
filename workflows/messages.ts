import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { TranscriptPage } from '../core/contract.ts';
import { QUERY } from '../core/names.ts';
import type { RunProgress } from '../core/run.ts';
import type { Verb, VerbOutcome, VerbPayloads } from '../core/verbs.ts';

export const progressQuery = defineQuery<RunProgress | undefined>(QUERY.progress);
export const transcriptQuery = defineQuery<TranscriptPage | undefined, [{ readonly from: number }]>(QUERY.transcript);

export function verbSignal<V extends Verb>(verb: V) {
  return defineSignal<[VerbPayloads[V]]>(verb);
}

export function verbUpdate<V extends Verb>(verb: V) {
  return defineUpdate<VerbOutcome, [VerbPayloads[V]]>(verb);
}
