import { beforeAll, describe, expect, test } from 'vitest';
import type { Scripts } from '../../models/index.ts';
import { deskAgent, openDesk } from '../support/desk.ts';
import type { Desk } from '../support/desk.ts';
import { speaker } from '../support/speaker.ts';
import { testServer } from '../support/test-server.ts';
import { runCli } from './run-cli.ts';

describe.each(['function-calling', 'text'] as const)('a question with a form in the %s form', { timeout: 120_000 }, (form) => {
  const say = speaker(form);
  const fields = { order_id: { type: 'text', label: 'On the receipt' }, channel: { type: 'choice', options: ['card', 'cash'] }, paid: { type: 'boolean', required: false } };
  const scripts: Scripts = {
    asks: [say.call('I ask.', 'ask_person', { question: 'Which order, and how was it paid?', fields }), say.answer('Order 88214 was paid by card.')],
  };
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk({ script: scripts, agents: [deskAgent({ form, onStop: 'wait' })] });
  });

  test('is filled in by name; what does not fit is said before anything is sent, and the model reads the fields', async () => {
    const { address } = await testServer();
    const caseworker = (...args: string[]) => runCli(args, { CASEWORKER_DATA: desk.dataDir, CASEWORKER_TASK_QUEUE: desk.taskQueue, TEMPORAL_ADDRESS: address });
    const { id } = await desk.client.start({ agent: 'desk', task: 'script:asks Which one?' });
    for (let tries = 0; tries < 2_000 && !(await desk.client.progress(id))?.question; tries += 1);
    expect((await desk.client.progress(id))?.question).toMatchObject({ question: 'Which order, and how was it paid?', form: fields });
    const shown = await caseworker('show', id);
    expect(shown.stdout).toContain('order_id: text (On the receipt)');
    expect(shown.stdout).toContain('channel: one of card, cash');
    expect(shown.stdout).toContain(`answer ${id} --field "order_id=…" --field "channel=…"`);
    expect(await caseworker('answer', id, 'card')).toMatchObject({ code: 2, stderr: expect.stringContaining('The question has a form') });
    const wrong = await caseworker('answer', id, '--field', 'channel=cheque');
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('"order_id" is missing; "channel" must be one of card, cash') });
    const answered = await caseworker('answer', id, '--field', 'order_id=88214', '--field', 'channel=card', '--field', 'paid=yes');
    expect(answered).toMatchObject({ code: 0, stdout: expect.stringContaining('Order 88214 was paid by card.') });
    const said = desk.model.requests().map(({ body }) => JSON.stringify(body));
    expect(said.some((body) => /order_id: 88214[^]*channel: card[^]*paid: true/.test(body))).toBe(true);
  });
});
