import { expect, test } from 'vitest';
import { deskAgent, openDesk } from '../support/desk.ts';
import { speaker } from '../support/speaker.ts';

const say = speaker('function-calling');

test('what a build is asked to replay: a run that has waited for long comes before newer ones that are over', async () => {
  const desk = await openDesk({
    script: { asks: [say.call('I must know.', 'ask_person', { question: 'Which order?' }), say.answer('Finished.')], answers: [say.answer('Finished.')] },
    agents: [deskAgent({ onStop: 'wait' })],
  });
  const { id: waiting } = await desk.client.start({ agent: 'desk', task: 'script:asks Look.' });
  await expect.poll(async () => (await desk.client.progress(waiting))?.status, { timeout: 30_000 }).toBe('waiting_answer');
  const over = [await desk.run({ task: 'script:answers Look.' }), await desk.run({ task: 'script:answers Look.' })].map(({ id }) => id);

  /** The list of runs lags behind; the server is shared with other tests. */
  const asked = async (): Promise<readonly string[]> => {
    const ids: string[] = [];
    for await (const { id } of desk.client.histories(1_000)) ids.push(id);
    return ids.filter((id) => [waiting, ...over].includes(id));
  };
  await expect.poll(asked, { timeout: 30_000 }).toHaveLength(3);
  expect((await asked())[0]).toBe(waiting);
  await desk.client.cancel(waiting, { by: { name: 'asha', verified: false }, reason: 'a test' });
});
