import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CaseworkerClient } from '../../client/types.ts';
import { createClient } from '../../client/caseworker-client.ts';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { runningServer } from '../../worker/embedded-server.ts';
import { temporaryDataDir, testServer, uniqueTaskQueue } from '../support/test-server.ts';
import { runCli, startCli, type CliResult } from './run-cli.ts';

const LATE = 'Is order 88213 late?';
const QUEUE = uniqueTaskQueue();
/** Where no worker ever polls. */
const IDLE = uniqueTaskQueue();

/** The command on the shared server, so that it need not start one each time. */
function caseworker(...args: string[]): Promise<CliResult> {
  return runCli(args, { CASEWORKER_DATA: inject('testDataDir'), CASEWORKER_TASK_QUEUE: QUEUE });
}

function idle(...args: string[]): Promise<CliResult> {
  return runCli(args, { CASEWORKER_DATA: inject('testDataDir'), CASEWORKER_TASK_QUEUE: IDLE });
}

describe('the command line on real runs', { timeout: 180_000 }, () => {
  let client: CaseworkerClient;

  beforeAll(async () => {
    const { connection, namespace } = await testServer();
    client = createClient({ connection, namespace, taskQueue: IDLE });
  });

  test('a run that is answered: trace and answer on standard output, messages beside it, exit code 0', async () => {
    const { code, stdout, stderr } = await caseworker('run', 'order-desk', LATE, '--id', 'cli-late');
    expect(stderr).toContain('npm run -s caseworker -- trace cli-late');
    expect(stdout).toMatch(
      /^order-desk .*\n[^]*Turn 1 · [^]*Action +get_order \{"order_id":"88213"\}[^]*Answer .*62 minutes late[^]*answered \(final_answer\)/,
    );
    expect(code).toBe(0);
  });

  test('the trace reads the same afterwards, with no worker up', async () => {
    const { code, stdout } = await idle('trace', 'cli-late');
    expect(stdout).toMatch(/Turn 1 · [^]*Observation +\{[^]*Answer .*62 minutes late/);
    expect(code).toBe(0);
  });

  test('a run that has ended is shown with its goal, and with the version and form of its agent, as one that goes on', async () => {
    const { code, stdout } = await idle('show', 'cli-late');
    expect(stdout).toMatch(/Agent +order-desk \S+ · function-calling\n[^]*Goal +Is order 88213 late\?\n/);
    expect(code).toBe(0);
  });

  test('an id is used once: exit code 6', async () => {
    const { code, stderr } = await idle('run', 'order-desk', LATE, '--id', 'cli-late', '--detach');
    expect(stderr).toContain('"cli-late" exists already');
    expect(code).toBe(6);
  });

  test('an unknown run is exit code 4, whatever is asked of it', async () => {
    for (const args of [
      ['trace', 'nobody'],
      ['message', 'nobody', 'hello'],
    ]) {
      const { code, stdout, stderr } = await idle(...args);
      expect(stderr).toMatch(/No run has the id "nobody" here\.\nAll runs: .* list\n/);
      expect(stdout).toBe('');
      expect(code).toBe(4);
    }
  });

  test('an agent that is not there is named with those that are: exit code 2', async () => {
    const { code, stderr } = await caseworker('run', 'refund-desk', LATE);
    expect(stderr).toMatch(/no agent "refund-desk"[^]*order-desk/);
    expect(code).toBe(2);
  });

  test('--output json is one document and nothing else, --output jsonl one line each', async () => {
    const whole = await caseworker('run', 'order-desk', LATE, '--output', 'json');
    expect(JSON.parse(whole.stdout)).toMatchObject({
      status: 'ended',
      endReason: 'final_answer',
      answer: expect.stringContaining('62 minutes'),
    });
    const lines = await caseworker('run', 'order-desk', LATE, '--form', 'text', '--output', 'jsonl');
    const entries = lines.stdout
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(entries[0]).toMatchObject({ kind: 'item', item: { type: 'task', agent: { form: 'text' } } });
    expect(entries.at(-1)).toMatchObject({ kind: 'end', result: { endReason: 'final_answer' } });
    const list = await idle('list', '--agent', 'order-desk', '--output', 'json');
    expect(JSON.parse(list.stdout)).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: 'cli-late', status: 'ended' })]),
    );
  });

  test('a run without an answer is exit code 3; with a raised limit it goes on and answers', async () => {
    const stopped = await caseworker(
      'run',
      'order-desk',
      LATE,
      '--id',
      'cli-short',
      '--max-turns',
      '1',
      '--output',
      'json',
    );
    expect(JSON.parse(stopped.stdout)).toMatchObject({
      status: 'handed_over',
      endReason: 'step_limit',
      handOver: { goal: LATE },
    });
    expect(stopped.code).toBe(3);
    expect(stopped.stderr).toContain('npm run -s caseworker -- resume cli-short');
    const { code, stdout, stderr } = await caseworker(
      'resume',
      'cli-short',
      '--max-turns',
      '12',
      '--note',
      'Take your time.',
    );
    expect(stderr).toContain('resume: The run goes on.');
    expect(stdout).toContain('Person ');
    expect(stdout).not.toContain('Turn 1 ·');
    expect(stdout).toMatch(/Answer .*62 minutes late/);
    expect(code).toBe(0);
    expect((await caseworker('resume', 'cli-short')).code).toBe(6);
  });

  test("a person resolves a handed-over run: it ends with the person's answer", async () => {
    await caseworker('run', 'order-desk', LATE, '--id', 'cli-resolve', '--max-turns', '1');
    const { code, stderr } = await caseworker('resolve', 'cli-resolve', '--answer', 'Yes, by an hour.', '--by', 'Ravi');
    expect(stderr).toContain('resolve: ');
    expect(code).toBe(0);
    expect(await client.result('cli-resolve')).toMatchObject({
      answer: 'Yes, by an hour.',
      resolvedBy: { name: 'Ravi', verified: false },
    });
  });

  test('a file of tasks: one run a row, and a second go starts nothing again', async () => {
    const file = join(temporaryDataDir(), 'tasks.csv');
    await writeFile(file, 'ticket,question\ncli-row-1,Is order 88213 late?\ncli-row-2,Is order 88214 late?\n');
    const args = ['run', 'order-desk', '--each', file, '--id-column', 'ticket', '--task-column', 'question'];
    const first = await caseworker(...args);
    expect(first.stderr).toContain('2 of 2 runs started, 0 were there already.');
    expect(first.stdout).toMatch(/cli-row-1 {2}answered: .*62 minutes/);
    const second = await caseworker(...args);
    expect(second.stderr).toContain('0 of 2 runs started, 2 were there already.');
    expect(second.stdout.split('\n').sort()).toEqual(first.stdout.split('\n').sort());
    expect(second.code).toBe(first.code);
  });

  test('a row whose id is that of a run with another task gets no answer of that run: it is named, exit code 6', async () => {
    const file = join(temporaryDataDir(), 'tasks.csv');
    const each = (...rows: string[]) => writeFile(file, ['id,task', ...rows, ''].join('\n'));
    await each('cli-mine,Is order 88213 late?', 'cli-theirs,Is order 88213 late?');
    expect((await caseworker('run', 'order-desk', '--each', file)).code).toBe(0);
    await each('cli-theirs,What does order 88214 cost?', 'cli-mine,Is order 88213 late?');
    const { code, stdout, stderr } = await caseworker('run', 'order-desk', '--each', file, '--output', 'json');
    expect(stderr).toContain('0 of 2 runs started, 1 was there already.');
    expect(stderr).toMatch(/cli-theirs: not started.*show cli-theirs/);
    expect(JSON.parse(stdout)).toMatchObject([{ id: 'cli-mine', endReason: 'final_answer' }]);
    expect(code).toBe(6);
    const single = await caseworker('run', 'order-desk', 'What does order 88214 cost?', '--id', 'cli-theirs');
    expect(single.stderr).toMatch(/with another task[^]*How that one stands: .*show cli-theirs/);
    expect(single.code).toBe(6);
  });

  test('Ctrl-C ends the watching, says so with the commands to go on, and leaves the run: exit code 130', async () => {
    await client.start({ agent: 'order-desk', task: LATE, id: 'cli-watched' });
    const watching = startCli(['trace', 'cli-watched', '-f'], {
      CASEWORKER_DATA: inject('testDataDir'),
      CASEWORKER_TASK_QUEUE: IDLE,
    });
    await watching.said('Following cli-watched');
    watching.interrupt();
    const { code, stderr } = await watching.ended;
    expect(stderr).toContain('Detached from cli-watched; it was not cancelled.');
    expect(stderr).toContain('npm run -s caseworker -- cancel cli-watched');
    expect(code).toBe(130);
    const shown = await idle('show', 'cli-watched', '--output', 'json');
    expect(JSON.parse(shown.stdout)).toMatchObject({ summary: { status: 'running' } });
  });

  test('--wait runs out: exit code 124, and the run goes on', async () => {
    const { code, stderr } = await idle('trace', 'cli-watched', '-f', '--wait', '100ms');
    expect(stderr).toContain('--wait ran out');
    expect(code).toBe(124);
  });

  test('many runs are cancelled at one go only when somebody agrees', async () => {
    const query = 'WorkflowId = "cli-watched"';
    const asked = await caseworker('cancel', '--query', query, '--reason', 'No longer needed.');
    expect(asked.stderr).toContain('--yes');
    expect(asked.code).toBe(2);
    expect((await client.show('cli-watched')).summary.status).toBe('running');
  });
});

describe('a command that starts its own server', { timeout: 180_000 }, () => {
  test('leaves nothing running, and the next command finds what it did', async () => {
    const env = { CASEWORKER_DATA: temporaryDataDir() };
    const started = await runCli(['start', '--form', 'text', '--output', 'json'], env);
    const { id, answer }: { readonly id: string; readonly answer: string } = JSON.parse(started.stdout);
    expect(answer).toContain('₹25');
    expect(started.code).toBe(0);
    expect(await runningServer(env.CASEWORKER_DATA)).toBeUndefined();
    const unread = startCli(['list'], env);
    await unread.said('Looking for');
    unread.stopReading();
    await unread.ended;
    expect(await runningServer(env.CASEWORKER_DATA)).toBeUndefined();
    const traced = await runCli(['trace', id], env);
    expect(traced.stdout).toMatch(/Answer .*₹25/);
    expect(await runningServer(env.CASEWORKER_DATA)).toBeUndefined();
  });
});
