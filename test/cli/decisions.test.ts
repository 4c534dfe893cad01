import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../client/caseworker-client.ts';
import type { CaseworkerClient } from '../../client/types.ts';
import { heldOf } from '../support/approval-desk.ts';
import { temporaryDataDir, testServer, uniqueTaskQueue } from '../support/test-server.ts';
import { runCli, startCli, type CliResult, type RunningCli } from './run-cli.ts';

const QUEUE = uniqueTaskQueue();
/** The shared server, and a data folder of its own: what is switched off or was paid here is so nowhere else. */
const DATA = temporaryDataDir();
let address = '';
const env = () => ({ CASEWORKER_DATA: DATA, CASEWORKER_TASK_QUEUE: QUEUE, TEMPORAL_ADDRESS: address });
const caseworker = (...args: string[]): Promise<CliResult> => runCli(args, env());

/** What persons decide, through the real command, on a worker that another command keeps up. */
describe('the command line decides', { timeout: 240_000 }, () => {
  let client: CaseworkerClient;
  let worker: RunningCli;

  beforeAll(async () => {
    const { connection, namespace, address: shared } = await testServer();
    address = shared;
    client = createClient({ connection, namespace, taskQueue: QUEUE });
    worker = startCli(['worker'], env());
    await worker.said('Ctrl-C ends it.');
    return async () => {
      worker.interrupt();
      await worker.ended;
    };
  }, 120_000);

  /** A run that holds its payment. */
  const held = async (id: string, order = '88213') => {
    await client.start({ agent: 'order-desk', task: `Please refund order ${order}.`, id, requestedBy: { name: 'ravi', verified: false } });
    const [view] = await heldOf({ client }, id, 1);
    if (!view) throw new Error('nothing is held');
    return view;
  };

  test('off a terminal nothing runs without the hash or --yes, and the command that is printed works as printed', async () => {
    const view = await held('say-yes');
    const bare = await caseworker('approve', 'say-yes');
    expect(bare.code).toBe(2);
    expect(bare.stderr).toContain(`Runs      {"amount":25,"order_id":"88213","reason":"Delivered 62 minutes late; delivery policy."}\nHash      ${view.argsHash}`);
    expect(await heldOf({ client }, 'say-yes', 1)).toHaveLength(1);
    const other = await caseworker('approve', 'say-yes', '3.1', '--args-hash', '0123456789ab');
    expect(other).toMatchObject({ code: 6, stderr: expect.stringContaining('is not what 0123456789ab stands for') });
    const [, printed = ''] = /caseworker -- (approve .+)\n/.exec(bare.stderr) ?? [];
    const approved = await caseworker(...printed.split(' '), '--by', 'meera', '--reason', 'seen');
    expect(approved).toMatchObject({ code: 0, stdout: expect.stringContaining('Refunded ₹25 for order 88213.') });
  });

  test('who comes late is told who decided what and when: exit code 6', async () => {
    const late = await caseworker('reject', 'say-yes', '3.1', '--reason', 'No.', '--by', 'asha');
    expect(late.code).toBe(6);
    expect(late.stderr).toMatch(/3\.1 was decided by meera \(approve\) on \d{4}-\d\d-\d\dT/);
    await client.start({ agent: 'order-desk', task: 'Please refund orders 88215 and 88221.', id: 'two-held' });
    await heldOf({ client }, 'two-held', 1).catch(() => []);
    const [first] = await heldOf({ client }, 'two-held', 1);
    await client.reject('two-held', { call: first?.call ?? '', argsHash: first?.argsHash ?? '', reason: 'not yet', by: { name: 'meera', verified: false } });
    const lost = await caseworker('approve', 'two-held', first?.call ?? '', '--yes', '--by', 'asha');
    expect(lost.code).toBe(6);
    expect(lost.stderr).toMatch(/meera.*(rejected it on|\(reject\) on) \d{4}-\d\d-\d\dT/);
  });

  test('a rejection needs no question; the model reads why', async () => {
    await held('say-no', '88217');
    const { stdout } = await caseworker('reject', 'say-no', '--reason', 'Refunded in the shop.', '--by', 'asha');
    expect(stdout).toContain('asha rejected it: Refunded in the shop.');
  });

  test('arguments are changed in an editor; what is left as it was is not sent, and off a terminal nothing without the hash or --yes', async () => {
    await held('edited', '88221');
    const editor = async (name: string, script: string) => {
      const path = join(temporaryDataDir(), name);
      await writeFile(path, `#!/bin/sh\n${script}\n`);
      await chmod(path, 0o755);
      return { ...env(), EDITOR: path };
    };
    expect(await runCli(['edit', 'edited', '--editor'], await editor('leaves', 'exit 0'))).toMatchObject({ code: 2, stderr: expect.stringContaining('Nothing was changed') });
    expect(await runCli(['edit', 'edited', '--editor'], await editor('breaks', 'echo "{" > "$1"'))).toMatchObject({ code: 2, stderr: expect.stringContaining('is not JSON') });
    const bare = await caseworker('edit', 'edited', '--args', '{"order_id":"88221","amount":55,"reason":"Agreed."}');
    expect(bare).toMatchObject({ code: 2, stderr: expect.stringMatching(/Nothing was sent\.[^]* -- edit edited 3\.1 --args .* --args-hash [0-9a-f]{12}\n/) });
    const edited = await runCli(['edit', 'edited', '--editor', '--by', 'meera'], await editor('changes', 'sed -i "s/60/55/" "$1"'));
    expect(edited.stderr).toMatch(/Runs +\{"amount":60[^]*Instead +\{"amount":55/);
    expect(edited).toMatchObject({ code: 0, stdout: expect.stringContaining('Refunded ₹55 for order 88221.') });
  });

  test('many are decided at one go: first how many and which, and only --yes goes on', async () => {
    await held('many-1', '88213');
    await held('many-2', '88217');
    const query = ['approve', '--query', 'WorkflowId STARTS_WITH "many-"', '--tool', 'issue_refund'];
    // Visibility lags behind the runs.
    let asked = await caseworker(...query);
    for (let tries = 0; tries < 10 && !asked.stderr.includes('2 held calls in 2 runs'); tries += 1) asked = await caseworker(...query);
    expect(asked.stderr).toMatch(/2 held calls in 2 runs:[^]*many-1 3\.1[^]*many-2 3\.1[^]*Nothing was sent/);
    expect(asked.code).toBe(2);
    const done = await caseworker('reject', '--query', 'WorkflowId STARTS_WITH "many-"', '--reason', 'Trial.', '--yes', '-o', 'json');
    expect(done.code).toBe(0);
    expect(JSON.parse(done.stdout)).toEqual([
      { id: 'many-1', call: '3.1', state: 'applied', text: expect.any(String) }, { id: 'many-2', call: '3.1', state: 'applied', text: expect.any(String) },
    ]);
  });

  test('a run is taken over, its holder runs a tool and ticks off items, and gives it back', async () => {
    await client.start({ agent: 'order-desk', task: 'Is order 88213 late?', id: 'taken', limits: { turns: 1 } });
    for (let tries = 0; tries < 2_000 && (await client.progress('taken'))?.status !== 'handed_over'; tries += 1);
    expect(await caseworker('take-over', 'taken', '--by', 'meera')).toMatchObject({ code: 0, stderr: expect.stringContaining('give-back taken') });
    const mine = await caseworker('inbox', '--mine', '--by', 'meera', '-o', 'json');
    expect(JSON.parse(mine.stdout)).toEqual(expect.arrayContaining([expect.objectContaining({ run: 'taken', kind: 'taken_over' })]));
    const called = await caseworker('call', 'taken', 'get_order', '--args', '{"order_id":"88213"}', '--by', 'meera');
    expect(called).toMatchObject({ code: 0, stdout: expect.stringMatching(/Result 1\.p1[^]*62|Result 1\.p1[^]*19:02/) });
    const list = await caseworker('todo', 'taken', '--add', 'Call the customer.', '--by', 'meera');
    expect(list.stdout).toContain('1. [ ]  Call the customer.');
    expect((await caseworker('todo', 'taken', '--done', '1', '--by', 'meera')).stdout).toContain('1. [x]');
    expect((await caseworker('todo', 'taken', '--done', '1', '--by', 'asha')).code).toBe(6);
    const back = await caseworker('give-back', 'taken', '--max-turns', '12', '--note', 'Go on.', '--by', 'meera');
    expect(back).toMatchObject({ code: 0, stdout: expect.stringContaining('62 minutes late') });
  });

  test('an agent is switched off and on; what is off is listed', async () => {
    const off = await caseworker('disable', 'order-desk', 'get_order', '--reason', 'The shop is down.', '--by', 'meera');
    expect(off).toMatchObject({ code: 0, stderr: expect.stringContaining('enable order-desk get_order') });
    expect((await caseworker('disable')).stdout).toMatch(/order-desk +get_order +meera .*The shop is down\./);
    const run = await caseworker('run', 'order-desk', 'Is order 88213 late?', '-o', 'json');
    expect(JSON.parse(run.stdout)).toMatchObject({ status: 'handed_over', handOver: { reason: expect.stringContaining('The shop is down.') } });
    expect(JSON.parse(run.stdout).handOver.next).toBe('caseworker enable order-desk get_order');
    const { id } = JSON.parse(run.stdout);
    expect((await caseworker('show', id)).stderr + (await caseworker('inbox')).stdout).toMatch(new RegExp(`-- enable order-desk get_order\\n +.* resume ${id} --note`));
    await caseworker('disable', 'order-desk', '--reason', 'It misbehaves.', '--by', 'ravi');
    const on = await caseworker('enable', 'order-desk', 'get_order');
    expect(on.stderr).toMatch(/is on\.\nStill off: the agent as a whole \(ravi: It misbehaves\.\).* enable order-desk\nRuns .* inbox/);
    const stopped = await caseworker('run', 'order-desk', 'Is order 88213 late?', '-o', 'json');
    expect(JSON.parse(stopped.stdout).handOver.next).toBe('caseworker enable order-desk');
    expect((await caseworker('enable', 'order-desk')).stderr).not.toContain('Still off');
    expect((await caseworker('disable')).stderr).toContain('Nothing is switched off.');
    expect((await caseworker('disable', 'order-desk')).code).toBe(2);
    expect((await caseworker('enable', 'ordre-desk')).stderr).toContain('has no agent "ordre-desk"');
  });

  test('what cannot be meant is exit code 2, what is not there 4', async () => {
    expect((await caseworker('approve')).code).toBe(2);
    expect((await caseworker('settle', 'edited', '3.1', '--happened', '--retry')).code).toBe(2);
    expect((await caseworker('approve', 'nobody', '--yes')).code).toBe(4);
    expect((await caseworker('edit', 'nobody', '--args', '[1]')).code).toBe(2);
  });
});
