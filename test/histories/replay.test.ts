import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { describe, expect, test } from 'vitest';
import { testBundle } from '../support/test-server.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json')).sort();

describe('kept histories replay on this build', () => {
  test('there is at least one for each end reason in each form', () => {
    const reasons = ['final-answer', 'step-limit', 'budget', 'time-limit', 'repeating', 'no-progress', 'hand-over', 'cancelled', 'error'];
    for (const form of ['function-calling', 'text']) {
      for (const reason of reasons) expect(files.some((name) => name.endsWith(`${form}-${reason}.json`)), `${form} ${reason}`).toBe(true);
    }
  });

  test('there is at least one for what persons can do, in each form', () => {
    const deeds = ['answered', 'approved', 'edited', 'rejected', 'responded', 'settled', 'taken-over', 'paused', 'resumed-and-resolved', 'cancelled', 'forked'];
    for (const form of ['function-calling', 'text']) {
      for (const deed of deeds) expect(files.some((name) => name.endsWith(`${form}-${deed}.json`)), `${form} ${deed}`).toBe(true);
    }
  });

  test.each(files)('%s', async (name) => {
    const history: unknown = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    // Throws when this build would have decided anything else than what the history holds.
    await Worker.runReplayHistory({ workflowBundle: await testBundle(), reuseV8Context: true }, historyFromJSON(history), 'replayed');
  });
});
