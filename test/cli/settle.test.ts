import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../tools/define-tool.ts';
import { deskAgent, openDesk } from '../support/desk.ts';
import { speaker } from '../support/speaker.ts';
import { testServer } from '../support/test-server.ts';
import { runCli } from './run-cli.ts';

const say = speaker('function-calling');

describe('what a person found out about a lost call is said at the command line', { timeout: 120_000 }, () => {
  test.each([
    ['it happened', ['--happened', 'receipt 7'], ['receipt 7'], { outcome: 'ok', settledBy: { person: { name: 'meera' } } }],
    ['it did not', ['--not-happened', 'The bank has nothing.'], [], { outcome: 'error', settledBy: { person: { name: 'meera' } } }],
    ['it is tried again', ['--retry'], ['paid on try 2'], { outcome: 'ok', text: 'paid on try 2' }],
  ] as const)('%s: the run goes on with it, and its record of effects says who said so', async (_, said, read, effect) => {
    let tries = 0;
    const pay = defineTool({
      name: 'pay', description: 'Pays.', input: z.object({ order: z.string() }), effect: 'once', needsApproval: false,
      run: () => {
        tries += 1;
        if (tries === 1) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
        return `paid on try ${tries}`;
      },
    });
    const desk = await openDesk({ script: [say.call('I pay.', 'pay', { order: '88213' }), say.answer('Finished.')], agents: [deskAgent({ onStop: 'wait', tools: [pay] })] });
    const { address } = await testServer();
    const { id } = await desk.client.start({ agent: 'desk', task: 'Pay order 88213.' });
    await expect.poll(async () => (await desk.client.progress(id))?.status, { timeout: 30_000 }).toBe('waiting_outcome');

    const env = { CASEWORKER_DATA: desk.dataDir, CASEWORKER_TASK_QUEUE: desk.taskQueue, TEMPORAL_ADDRESS: address };
    const settled = await runCli(['settle', id, '1.1', ...said, '--by', 'meera'], env);
    expect(settled, settled.stderr).toMatchObject({ code: 0 });
    expect(await desk.client.result(id, { waitMs: 30_000 })).toMatchObject({ endReason: 'final_answer' });
    expect(tries).toBe(said[0] === '--retry' ? 2 : 1);
    expect((await desk.client.effects(id)).effects).toMatchObject([{ call: '1.1', ...effect }]);
    const requests = JSON.stringify(desk.model.requests().map(({ body }) => body));
    for (const text of read) expect(requests).toContain(text);
  });
});
