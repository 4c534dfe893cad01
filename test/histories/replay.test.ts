import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { END_REASONS } from '../../core/run.ts';
import { VERBS } from '../../core/verbs.ts';
import { testBundle } from '../support/test-server.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json')).sort();

/** What a history itself says, whatever its file is called: its form, how it ended, what persons did in it, whether it begins as runs do now. */
function kept(name: string): { readonly form: string; readonly endReason: string | undefined; readonly verbs: readonly string[]; readonly isNew: boolean } {
  const { events } = historyFromJSON(JSON.parse(readFileSync(join(folder, name), 'utf8')));
  const [result] = (events ?? []).flatMap((event) => event.workflowExecutionCompletedEventAttributes?.result?.payloads ?? []);
  const { endReason } = z.object({ endReason: z.string().optional() }).parse(result?.data ? JSON.parse(Buffer.from(result.data).toString()) : {});
  const verbs = (events ?? []).flatMap(({ workflowExecutionUpdateAcceptedEventAttributes: update }) => update?.acceptedRequest?.input?.name ?? []);
  const isNew = (events ?? []).some(({ markerRecordedEventAttributes: marker }) => marker?.markerName === 'core_patch');
  return { form: /(function-calling|text)-/.exec(name)?.[1] ?? '', endReason, verbs, isNew };
}

const FORMS = ['function-calling', 'text'] as const;
const all = files.map(kept);
/** Those of older builds alone would let a change pass that breaks each run of this one. */
const newest = all.filter(({ isNew }) => isNew);

describe('kept histories replay on this build', () => {
  test.each(FORMS.flatMap((form) => END_REASONS.map((reason) => [form, reason] as const)))('there is at least one for each end reason in each form: %s, %s', (form, reason) => {
    expect(newest.filter((one) => one.form === form && one.endReason === reason)).not.toEqual([]);
  });

  test.each(FORMS.flatMap((form) => VERBS.map((verb) => [form, verb] as const)))('there is at least one for each thing that a person can do, in each form: %s, %s', (form, verb) => {
    expect(newest.filter((one) => one.form === form && one.verbs.includes(verb))).not.toEqual([]);
  });

  test.each(FORMS)('there is at least one of a fork: %s', (form) => {
    expect(files.some((name) => name.endsWith(`${form}-forked.json`))).toBe(true);
  });

  test.each(files)('%s', async (name) => {
    const history: unknown = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    // Throws when this build would have decided anything else than what the history holds.
    await Worker.runReplayHistory({ workflowBundle: await testBundle(), reuseV8Context: true }, historyFromJSON(history), 'replayed');
  });
});
