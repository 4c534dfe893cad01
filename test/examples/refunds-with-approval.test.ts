import { describe, expect, test } from 'vitest';
import { refunds } from '../../examples/refunds-with-approval/agent.ts';
import { pinnedFrom } from '../../tools/pinned-from.ts';
import { runCli } from '../cli/run-cli.ts';
import type { CliResult } from '../cli/run-cli.ts';
import { temporaryDataDir, testServer, uniqueTaskQueue } from '../support/test-server.ts';

const QUEUE = uniqueTaskQueue();
/** Its ledger and its record of effects are its own: an order is refunded once. */
const DATA = temporaryDataDir();

async function caseworker(...args: string[]): Promise<CliResult> {
  const { address } = await testServer();
  return runCli(args, { CASEWORKER_DATA: DATA, CASEWORKER_TASK_QUEUE: QUEUE, TEMPORAL_ADDRESS: address });
}

test('its policy is pinned: support up to ₹500, finance above, four eyes above, two days', () => {
  const pinned = pinnedFrom(refunds, { model: 'm', searchAttributes: [], promptBytes: () => 0 });
  expect(pinned).toMatchObject({
    ok: true,
    agent: {
      approvals: {
        deciders: [{ role: 'support', tools: ['issue_refund'], upTo: { amount: '500', currency: 'INR' } }, { role: 'finance' }],
        fourEyes: { above: { amount: '500', currency: 'INR' } }, allowUnverified: true, deadlineMs: 2 * 86_400_000, remindAfterMs: 4 * 3_600_000,
      },
    },
  });
});

describe('its README', { timeout: 240_000 }, () => {
  test('the run waits and prints the command that says yes to what is shown; the inbox has it; approved it pays and answers', async () => {
    const waits = await caseworker('run', 'refunds', 'Please refund order 88213.', '--id', 'case-1', '--by', 'ravi');
    expect(waits.code).toBe(3);
    expect(waits.stderr).toContain('[refunds] waits: Refund ₹25 for order 88213 (3.1). Next: npm run -s caseworker -- show case-1 (run case-1)\n');
    expect(waits.stderr).toMatch(/issue_refund \{"amount":25,"order_id":"88213","reason":[^\n]+\}\n/);
    const [, printed = ''] = /caseworker -- (approve case-1 3\.1 --args-hash [0-9a-f]{12})\n/.exec(waits.stderr) ?? [];
    const inbox = await caseworker('inbox', '--agent', 'refunds');
    expect(inbox.stdout).toContain(printed);
    expect(inbox.stdout).toContain('needs the role support or finance');
    const approved = await caseworker(...printed.split(' '));
    expect(approved.stderr).toContain('approve: issue_refund (3.1) is approved and runs now.');
    expect(approved.stdout).toMatch(/Refunded ₹25 for order 88213[^]*Answer +Refunded ₹25[^]*answered \(final_answer\)/);
    expect(approved.code).toBe(0);
  });

  test('₹600 need four eyes: whoever asked may not change it, and whoever changed it may not approve it', async () => {
    await caseworker('run', 'refunds', 'Please refund order 88217.', '--id', 'case-2', '--by', 'ravi');
    const change = ['edit', 'case-2', '--args', '{"order_id":"88217","amount":600}', '--yes'];
    expect(await caseworker(...change, '--by', 'ravi')).toMatchObject({ code: 5, stderr: expect.stringContaining('four eyes are needed, and ravi asked for this run') });
    expect(await caseworker(...change, '--by', 'asha')).toMatchObject({ code: 3, stderr: expect.stringContaining("waits for somebody else's approval") });
    expect((await caseworker('approve', 'case-2', '--by', 'asha', '--yes')).code).toBe(5);
    const approved = await caseworker('approve', 'case-2', '--by', 'meera', '--yes');
    expect(approved.code).toBe(0);
    expect(approved.stdout).toContain('Refunded ₹600 for order 88217.');
    const { stdout } = await caseworker('trace', 'case-2');
    expect(stdout).toMatch(/asha \(name not verified\): edit 3\.1\n {2}was +\{"amount":30[^]*?\n {2}now +\{"amount":600,"order_id":"88217"\}/);
    expect(stdout).toMatch(/asha \(name not verified\): approve 3\.1\. Refused, because four eyes[^]*meera \(name not verified\): approve 3\.1\n/);
  });
});
