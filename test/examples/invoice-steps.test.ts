import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as activities from '../../examples/invoice-steps/activities.ts';
import { invoiceAgent } from '../../examples/invoice-steps/agent.ts';
import type { checkInvoice } from '../../examples/invoice-steps/workflows.ts';
import { openDesk } from '../support/desk.ts';
import { speaker } from '../support/speaker.ts';
import { temporaryDataDir, testServer, uniqueTaskQueue } from '../support/test-server.ts';

const dataDir = temporaryDataDir();
const recorded = (invoice: string) => readFile(join(dataDir, 'invoice-steps', `${invoice}.txt`), 'utf8');

beforeAll(() => {
  vi.stubEnv('CASEWORKER_DATA', dataDir);
});
afterAll(() => {
  vi.unstubAllEnvs();
});

describe('the four steps as a plain workflow', () => {
  test('every verdict is reached and written down, with no model at all', async () => {
    const { nativeConnection, namespace, client } = await testServer();
    const taskQueue = uniqueTaskQueue();
    const worker = await Worker.create({
      connection: nativeConnection, namespace, taskQueue, activities,
      workflowsPath: fileURLToPath(new URL('../../examples/invoice-steps/workflows.ts', import.meta.url)),
    });
    const check = (id: string): Promise<string> =>
      client.workflow.execute<typeof checkInvoice>('checkInvoice', { taskQueue, workflowId: randomUUID(), args: [id] });
    await worker.runUntil(async () => {
      expect(await check('INV-2041')).toBe('INV-2041: pay');
      expect(await check('INV-2042')).toBe('INV-2042: ask: totals differ');
      expect(await check('INV-2043')).toBe('INV-2043: ask: no such order');
      await expect(check('INV-1')).rejects.toThrow();
    });
    expect(await recorded('INV-2042')).toBe('ask: totals differ\n');
  });
});

describe('the same job as an agent', () => {
  test('comes to the same verdict, for five model calls', async () => {
    const say = speaker('function-calling');
    const desk = await openDesk({
      agents: [invoiceAgent],
      script: [
        say.call('I read it.', 'get_invoice', { invoice: 'INV-2041' }),
        say.call('I find its order.', 'get_purchase_order', { order: 'PO-310' }),
        say.call('I compare.', 'compare_totals', { invoice: 'INV-2041' }),
        say.call('I record it.', 'record_verdict', { invoice: 'INV-2041', verdict: 'pay' }),
        say.answer('INV-2041: pay.'),
      ],
    });
    const { result } = await desk.run({ task: 'Check invoice INV-2041.' });
    expect(result).toMatchObject({ endReason: 'final_answer', answer: 'INV-2041: pay.', usage: { modelCalls: 5, toolCalls: 4 } });
    expect(await recorded('INV-2041')).toBe('pay\n');
  });
});
