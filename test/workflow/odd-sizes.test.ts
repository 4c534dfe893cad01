import { Worker } from '@temporalio/worker';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { BlobStore } from '../../core/contract.ts';
import type { Scripts } from '../../models/index.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { deskAgent, openDesk } from '../support/desk.ts';
import type { Desk } from '../support/desk.ts';
import { failedWorkflowTasks, historyOf } from '../support/histories.ts';
import { speaker } from '../support/speaker.ts';
import { search } from '../support/start-desk.ts';
import { testBundle } from '../support/test-server.ts';

const MEGABYTE = 1024 * 1024;
const by = { name: 'asha', verified: false };
const say = speaker('function-calling');
const huge = defineTool({
  name: 'huge', description: 'Returns much.', input: z.object({ bytes: z.number() }), effect: 'read', retry: { attempts: 1 },
  run: ({ bytes }) => `INV-2041 ${'🎉'.repeat(Math.ceil(bytes / 4))} INV-2042`,
});

const scripts: Scripts = {
  result: [say.call('I look.', 'huge', { bytes: 4.5 * MEGABYTE }), say.call('I look again.', 'huge', { bytes: 11 * MEGABYTE }), say.answer('That was much.')],
  reply: [say.answer('y'.repeat(MEGABYTE)), say.answer('Shorter now.')],
  argument: [{ ...say.call('I look.', 'search', { query: 'x'.repeat(3 * MEGABYTE) }), usage: 'none' }, say.answer('Shorter now.')],
  plain: [say.call('I look.', 'search', { query: '88213' }), say.answer('All is well.')],
  held: [{ ...say.answer('All is well.'), heldBy: 'never' }],
  many: ({ turn }) => (turn < 12 ? { ...say.call(`Step ${turn}.`, 'search', { query: `q${turn} ${'z'.repeat(200)}` }), heldBy: `turn ${turn}` } : say.answer('All is well.')),
};

const agents = [
  deskAgent({ tools: [huge, search] }),
  deskAgent({ name: 'short', tools: [huge, search], context: { historyEvents: 50 }, limits: { turns: 40 } }),
];
let desk: Promise<Desk> | undefined;
const open = () => (desk ??= openDesk({ script: scripts, agents }));

/** Every execution of every run of these tests is clean, and replays. */
const runs: string[] = [];
afterEach(async () => {
  const { temporal } = await open();
  for (const id of runs.splice(0)) {
    for (let runId: string | undefined = undefined, isNewest = true; isNewest || runId !== undefined; isNewest = false) {
      const history = await historyOf(temporal, id, runId);
      expect(failedWorkflowTasks(history)).toEqual([]);
      await Worker.runReplayHistory({ workflowBundle: await testBundle(), reuseV8Context: true }, history, id);
      runId = history.events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined;
    }
  }
});

async function run(key: string) {
  const { run: start, client } = await open();
  const { id, result } = await start({ task: `script:${key} Look at order 88213.` });
  runs.push(id);
  return { id, result, trace: JSON.stringify(await client.trace(id)) };
}

describe('whatever the size, a run goes on', () => {
  test('a result of megabytes is cut for the model, and one of more than 5 MB is refused with a reason', async () => {
    const { result, trace } = await run('result');
    expect(result).toMatchObject({ endReason: 'final_answer', usage: { turns: 3, toolCalls: 2 } });
    expect(trace).toContain('brings the next part');
    expect(trace).toContain('ask for less');
    expect(trace.length).toBeLessThan(100_000);
  });

  test('a reply of a megabyte is cut off, asked for again, and kept in history in part only', async () => {
    const { result, trace } = await run('reply');
    expect(result).toMatchObject({ endReason: 'final_answer', answer: 'Shorter now.', counters: { format_errors: 1 } });
    expect(trace.length).toBeLessThan(600_000);
  });

  test('an argument of three megabytes runs nothing', async () => {
    const { result } = await run('argument');
    expect(result).toMatchObject({ endReason: 'final_answer', answer: 'Shorter now.', usage: { toolCalls: 0 } });
    expect((result.counters.format_errors ?? 0) + (result.counters.bad_arguments ?? 0)).toBe(1);
  });
});

test('a store that fails costs the rest of the texts, not the run', async () => {
  const { temporal, client, blobs } = await open();
  const { put, list, get } = blobs;
  const down = () => Promise.reject(Object.assign(new Error('connect ECONNREFUSED 10.0.0.9:9000'), { code: 'ECONNREFUSED' }));
  const store: { -readonly [Name in keyof BlobStore]: BlobStore[Name] } = blobs;
  Object.assign(store, { put: down, list: down, get: down });
  try {
    const { id } = await client.start({ agent: 'desk', task: 'script:plain Look at order 88213.' });
    runs.push(id);
    expect(await temporal.workflow.getHandle(id).result()).toMatchObject({ endReason: 'final_answer', answer: 'All is well.' });
  } finally {
    Object.assign(store, { put, list, get });
  }
}, 60_000);

describe('what comes at an odd moment', () => {
  test('a cancel while the ended run is archived is refused: it ended for the reason it ended for', async () => {
    const { client, temporal, blobs } = await open();
    const { put } = blobs;
    let reached: () => void = () => undefined;
    let letGo: () => void = () => undefined;
    const archiving = new Promise<void>((resolve) => { reached = resolve; });
    const gate = new Promise<void>((resolve) => { letGo = resolve; });
    Object.assign(blobs, { put: async (key: string, text: string) => {
      if (key.startsWith('archive/')) {
        reached();
        await gate;
      }
      return put(key, text);
    } });
    try {
      const { id } = await client.start({ agent: 'desk', task: 'script:plain Look at order 88213.' });
      runs.push(id);
      await archiving;
      expect(await client.cancel(id, { by, reason: 'too late' })).toMatchObject({ state: 'refused' });
      await temporal.workflow.getHandle(id).cancel();
      letGo();
      expect(await client.result(id, { waitMs: 30_000 })).toMatchObject({ endReason: 'final_answer', answer: 'All is well.' });
    } finally {
      letGo();
      Object.assign(blobs, { put });
    }
  });

  test('messages that land in the task that continues as new are each applied once', async () => {
    const { client, temporal, model } = await open();
    const { id } = await client.start({ agent: 'short', task: 'script:many Look at order 88213.' });
    runs.push(id);
    for (let turn = 0; turn < 12; turn += 1) {
      await model.until((requests) => requests.some((request) => request.key === 'many' && request.turn === turn));
      model.release(`turn ${turn}`);
      await temporal.workflow.getHandle(id).signal('message', { id: `m${turn}`, by, text: `note ${turn} of asha` });
    }
    expect(await client.result(id, { waitMs: 60_000 })).toMatchObject({ endReason: 'final_answer' });
    const { entries } = await client.trace(id);
    const said = entries.flatMap((entry) => (entry.kind === 'item' && entry.item.type === 'person' ? [entry.item.text] : []));
    expect([...said].sort()).toEqual(Array.from({ length: 12 }, (_, turn) => `note ${turn} of asha`).sort());
    expect((await temporal.workflow.getHandle(id).describe()).runId).not.toBe((await historyOf(temporal, id)).events?.[0]?.workflowExecutionStartedEventAttributes?.firstExecutionRunId);
  });
});
