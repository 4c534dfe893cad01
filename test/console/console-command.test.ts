import { createServer } from 'node:net';
import { describe, expect, inject, test } from 'vitest';
import { COMMANDS } from '../../cli/commands/index.ts';
import { VERBS } from '../../core/verbs.ts';
import { startCli, runCli } from '../cli/run-cli.ts';
import { uniqueTaskQueue } from '../support/test-server.ts';

/** The real command, on the tests' own server. */
describe('the page from the command line', { timeout: 120_000 }, () => {
  const env = (): Readonly<Record<string, string>> => ({ CASEWORKER_DATA: inject('testDataDir'), CASEWORKER_TASK_QUEUE: uniqueTaskQueue() });

  test('whatever a person can do to a run, start or switch on the page is a command too', () => {
    const names = COMMANDS.map((command) => command().name());
    expect(names).toEqual(expect.arrayContaining([...VERBS, 'run', 'inbox', 'list', 'show', 'trace', 'effects', 'enable', 'disable']));
  });

  test('console serves it beside a cluster to the user of this machine, on the port that was asked for, until Ctrl-C', async () => {
    const port = await freePort();
    const command = startCli(['console', '--port', String(port), '--role', 'finance'], env());
    await command.said('Ctrl-C ends it.');
    const url = `http://127.0.0.1:${port}`;
    expect(await (await fetch(`${url}/api/me`)).json()).toMatchObject({ how: 'local', person: { verified: true, roles: ['finance'] }, grants: [{ is: 'operator' }] });
    expect(await (await fetch(url)).text()).toContain('<div id="app">');
    command.interrupt();
    const { code, stderr } = await command.ended;
    expect(stderr).toContain(`Console  ${url}`);
    expect(code).toBe(0);
    await expect(fetch(url)).rejects.toThrow();
  });

  test('dev brings it up with a worker: a run that is started there is answered', async () => {
    const command = startCli(['dev'], env());
    const url = /Console {2}(\S+)/.exec(await command.said('Ctrl-C ends it.'))?.[1] ?? '';
    const started = await fetch(`${url}/api/runs`, {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"agent":"order-desk","task":"Is order 88213 late?"}',
    });
    const { id } = (await started.json()) as { readonly id: string };
    await expect.poll(async () => (await fetch(`${url}/api/runs/${id}`)).json(), { timeout: 60_000 }).toMatchObject({ result: { endReason: 'final_answer' } });
    command.interrupt();
    expect((await command.ended).code).toBe(0);
  });

  test('console does not listen for other machines without sign-in, and says what to do', async () => {
    const { code, stderr } = await runCli(['console', '--host', '0.0.0.0', '--port', '0'], env());
    expect(stderr).toMatch(/needs sign-in.*--auth/s);
    expect(code).toBe(2);
  });

  test('start --open runs once, leads to that run\'s page, and stays up until Ctrl-C', async () => {
    const command = startCli(['start', '--open'], env());
    await command.said('Ctrl-C ends it.');
    command.interrupt();
    const { code, stdout, stderr } = await command.ended;
    expect(stdout).toContain('answered (final_answer)');
    expect(stderr).toMatch(/Console: (http:\/\/127\.0\.0\.1:\d+)\n[^]*This run on the operators' page: \1\/#\/run\/order-desk-/);
    expect(code).toBe(0);
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
