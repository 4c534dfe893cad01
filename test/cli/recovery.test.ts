import { describe, expect, inject, test } from 'vitest';
import { uniqueTaskQueue } from '../support/test-server.ts';
import { runCli, type CliResult } from './run-cli.ts';

const QUEUE = uniqueTaskQueue();

function caseworker(...args: string[]): Promise<CliResult> {
  return runCli(args, { CASEWORKER_DATA: inject('testDataDir'), CASEWORKER_TASK_QUEUE: QUEUE });
}

describe('looking after runs from the command line', { timeout: 300_000 }, () => {
  test('a run that changed nothing says so; a fork of it names its parent; both replay on this build', async () => {
    await caseworker('run', 'order-desk', 'Is order 88213 late?', '--id', 'cli-parent');
    const effects = await caseworker('effects', 'cli-parent');
    expect(effects).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('has changed nothing so far') });

    const forked = await caseworker('fork', 'cli-parent', '--at-turn', '1', '--id', 'cli-child', '-o', 'json');
    expect(forked.code).toBe(0);
    expect(JSON.parse(forked.stdout)).toMatchObject({ id: 'cli-child', parent: 'cli-parent', atTurn: 1 });
    expect((await caseworker('show', 'cli-child')).stdout).toContain('from cli-parent at turn 1');

    const verified = await caseworker('verify', '--last', '5', '-o', 'json');
    expect(JSON.parse(verified.stdout)).toMatchObject({ replayed: expect.any(Number), broken: [] });
    expect(verified.code).toBe(0);
  });

  test('a fork of a turn that is not there is a usage error, of a run that is not there "not found"', async () => {
    expect((await caseworker('fork', 'cli-parent', '--at-turn', '40')).code).toBe(2);
    expect((await caseworker('fork', 'no-such-run', '--at-turn', '1')).code).toBe(4);
  });
});
