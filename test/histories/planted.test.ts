import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { beforeAll, describe, expect, test } from 'vitest';
import { verify } from '../../worker/verify.ts';
import { bundleWith } from '../support/planted-bundle.ts';
import { testBundle } from '../support/test-server.ts';

/**
 * The gate is worth what it catches: each of these changes looks harmless in a review and would break running runs.
 */
const PLANTED = {
  'another order: the calls of a turn begin in reverse': {
    file: 'workflows/calls.ts',
    from: 'for (const ready of readyCalls(run.get())) if',
    to: 'for (const ready of [...readyCalls(run.get())].reverse()) if',
  },
  'an activity more: the end is archived twice': {
    file: 'workflows/agent-run.ts',
    from: 'run.set({ ...run.get(), ended: true });',
    to: 'run.set({ ...run.get(), ended: true });\n  await archiveItems(run);',
  },
  'another timer: a stopped run waits without an end': {
    file: 'core/waiting.ts',
    from: 'export function waitEndsMs(',
    to: 'export function waitEndsMs(state: RunState): number | undefined {\n  return state.stopped ? undefined : plainWaitEndsMs(state);\n}\n\nfunction plainWaitEndsMs(',
  },
  'another branch: one call a turn': {
    file: 'core/policy.ts',
    from: 'export const MAX_CALLS_A_TURN = 16;',
    to: 'export const MAX_CALLS_A_TURN = 1;',
  },
  'chance: a number that is drawn anew': {
    file: 'workflows/run-call.ts',
    from: 'activityId: call.id,',
    to: 'activityId: `${call.id}-${Math.random()}`,',
  },
} as const;

const folder = fileURLToPath(new URL('.', import.meta.url));
/** One form is enough here; all of them replay on this build in replay.test.ts. */
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /function-calling-[a-z-]+\.json$/.test(name)).sort();

async function* histories() {
  for (const name of files) yield { id: name, history: historyFromJSON(JSON.parse(readFileSync(join(folder, name), 'utf8'))) };
}

async function brokenOn(bundle: { readonly codePath: string }): Promise<readonly string[]> {
  const broken: string[] = [];
  for await (const { id, problem } of verify({ workflowBundle: bundle, histories: histories() })) if (problem !== undefined) broken.push(id);
  return broken;
}

// Each history that breaks is news only to the test.
beforeAll(() => void Runtime.install({ logger: new DefaultLogger('ERROR', () => undefined) }));

describe('the replay gate', () => {
  test('lets this build pass', async () => {
    expect(await brokenOn(await testBundle())).toEqual([]);
  });

  test.each(Object.entries(PLANTED))('catches %s', async (_what, planted) => {
    expect(await brokenOn(await bundleWith(planted))).not.toEqual([]);
  });
});
