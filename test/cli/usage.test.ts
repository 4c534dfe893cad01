import { describe, expect, test } from 'vitest';
import { runCli } from './run-cli.ts';

describe('a command that cannot be understood', { timeout: 60_000 }, () => {
  test('a mistyped command ends with exit code 2 and the one that was meant', async () => {
    const { code, stdout, stderr } = await runCli(['lsit']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/unknown command 'lsit'[^]*Did you mean list\?/);
    expect(stdout).toBe('');
  });

  test.each([
    [['run', 'order-desk', 'x', '--budget', '5'], /₹20/],
    [['run', 'order-desk', 'x', '--time-limit', '90'], /90s/],
    [['run', 'order-desk', 'x', '--max-turns', '0'], /from 1 on/],
    [['run', 'order-desk', 'x', '--form', 'yaml'], /function-calling/],
    [['run', 'order-desk', 'x', '--output', 'xml'], /json/],
    [['run', 'order-desk', 'x', '--agents', '/nowhere/agents.ts'], /agents module \/nowhere\/agents\.ts does not exist/],
    [['run', 'nobody', 'x', '--agents', 'examples/agents.ts'], /no agent "nobody"\..* has: .*order-desk/],
    [['run', 'order-desk'], /needs a task/],
    [['run', 'order-desk', 'x', '--each', 'tasks.csv'], /leave out the task/],
    [['redirect', 'some-run'], /--goal/],
    [['cancel', 'some-run'], /--reason/],
    [['show'], /'id'[^]* -- list lists the runs\)\n\(.* -- show --help/],
    [['approve'], /one run[^]* -- inbox\n[^]* -- approve --help/],
    [['reject', '--reason', 'x'], /one run[^]* -- inbox\n[^]* -- reject --help/],
    [['cancel', '--reason', 'x'], /one run, or give --query[^]* -- list\n[^]* -- cancel --help/],
    [['edit'], /'id'[^]* -- inbox lists what waits\)\n\(.* -- edit --help/],
    [['settle'], /'id'[^]* -- inbox lists/],
    [['answer'], /'id'[^]* -- inbox lists/],
  ])('%j: exit code 2, and the message names the fix', async (args, fix) => {
    const { code, stdout, stderr } = await runCli(args);
    expect(stderr).toMatch(fix);
    expect(stderr).not.toContain('Temporal server at');
    expect(code).toBe(2);
    expect(stdout).toBe('');
  });

  test('help is no error, and has examples that can be copied', async () => {
    const { code, stdout } = await runCli(['run', '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('npm run -s caseworker -- run order-desk "Is order 88213 late?"');
  });
});

describe('a server that was named', { timeout: 60_000 }, () => {
  test('and does not answer ends the command with exit code 7, its address and what to do', async () => {
    const { code, stderr } = await runCli(['list'], { TEMPORAL_ADDRESS: '127.0.0.1:1' });
    expect(stderr).toMatch(/127\.0\.0\.1:1/);
    expect(stderr).toMatch(/unset/);
    expect(code).toBe(7);
  });
});
