import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Scripts } from '../../models/index.ts';
import { speaker } from '../support/speaker.ts';
import { temporaryDataDir } from '../support/test-server.ts';
import { openBrowser, SKIPS_PAGE } from './browser.ts';
import { openConsoleDesk } from './console-desk.ts';
import type { ConsoleDesk } from './console-desk.ts';
import { visitorsOf } from './visitors.ts';

const say = speaker('function-calling');
/** Each is in the middle of its first model call until the test lets it go. */
const NAMES = ['told', 'shared', 'turned', 'ruled', 'halted'] as const;
const look = say.call('I look at the order.', 'get_order', { order_id: '88214' });
const scripts: Scripts = {
  ...Object.fromEntries(NAMES.map((name) => [name, [{ ...look, heldBy: name }, say.answer('The order 88214 is in transit.')]])),
  answers: [{ ...say.answer('Nothing is to be done.'), heldBy: 'answers' }],
};

/** What a person says to a run that goes on, through the page, and what the run then does. */
describe.skipIf(SKIPS_PAGE)('a run is steered from the page', { timeout: 120_000 }, () => {
  let place: ConsoleDesk;
  let browser: Browser;
  const visitors = visitorsOf(() => browser);

  beforeAll(async () => {
    place = await openConsoleDesk({ dataDir: temporaryDataDir(), scripts });
    browser = await openBrowser();
  });
  afterEach(() => visitors.leave());
  afterAll(async () => {
    await browser?.close();
    await place?.close();
  });

  /** The run in a browser, its first model call under way. */
  async function thinking(name: (typeof NAMES)[number] | 'answers') {
    await place.start(name, name);
    await place.desk.model.until((requests) => requests.some(({ key }) => key === name));
    return visitors.open(`${place.console.url}/#/run/${name}`);
  }

  const send = async (page: Page, words: string): Promise<void> => page.locator('.acts form').getByRole('button', { name: words, exact: true }).click();
  const act = async (page: Page, verb: string): Promise<void> => page.locator('.acts > .buttons').getByRole('button', { name: verb, exact: true }).click();
  const told = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();
  const ended = (page: Page) => page.locator('.line.end').getByText('The order 88214 is in transit.').waitFor();
  const heard = (name: string) => place.desk.model.requestsFor(name).map(({ body }) => JSON.stringify(body));
  const acts = async (id: string) => (await place.desk.client.trace(id)).entries.flatMap((entry) => (entry.kind === 'item' && entry.item.type === 'person' ? [entry.item] : []));
  const by = { name: 'asha', verified: true };

  test('a message is read by the model with its next turn, not with the one that is under way', async () => {
    const { page, problems } = await thinking('told');
    await act(page, 'Message');
    await page.getByLabel('Message', { exact: true }).fill('The customer called: he moved house.');
    await send(page, 'Send');
    await told(page, 'The run reads it before its next turn.');
    expect(await page.locator('.acts form').count()).toBe(0);
    await act(page, 'Pause');
    await expect.poll(() => page.getByRole('status').textContent()).toBe('');
    place.desk.model.release('told');
    await ended(page);
    await page.locator('.trace .line.person').getByText('The customer called: he moved house.').waitFor();
    expect(await acts('told')).toMatchObject([{ verb: 'message', by, text: 'The customer called: he moved house.' }]);
    expect(heard('told').map((body) => body.includes('he moved house'))).toEqual([false, true]);
    expect(problems).toEqual([]);
  });

  test('what a person said stands on the pages of others before the agent has read it, marked as such; afterwards it is in the trace, once', async () => {
    const { page } = await thinking('shared');
    const { page: other, problems } = await visitors.open(`${place.console.url}/#/run/shared`);
    await other.locator('.trace .line.task').waitFor();
    await act(page, 'Message');
    await page.getByLabel('Message', { exact: true }).fill('The customer called: he moved house.');
    await send(page, 'Send');
    const line = other.locator('.trace .line.person');
    await line.getByText('The customer called: he moved house.').waitFor();
    await other.reload();
    await line.getByText('not yet read by the agent').waitFor();
    place.desk.model.release('shared');
    await ended(other);
    expect(await line.allTextContents()).toEqual([expect.stringMatching(/asha: message.*he moved house\.$/)]);
    expect(problems).toEqual([]);
  });

  test('a message to a run that waits for an answer is no answer, and one without a word is not sent', async () => {
    await place.start('asks', 'silent');
    const { page, problems } = await visitors.open(`${place.console.url}/#/run/silent`);
    await act(page, 'Message');
    await send(page, 'Send');
    await page.locator('.acts form :invalid').first().waitFor();
    await page.getByLabel('Message', { exact: true }).fill('I ask the customer.');
    await send(page, 'Send');
    await told(page, 'The run reads it before its next turn.');
    expect(await place.desk.client.progress('silent')).toMatchObject({ status: 'waiting_answer', usage: { modelCalls: 1 } });
    await page.getByLabel('Your answer').fill('It was closed.');
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await page.locator('.line.end').getByText('The parcel was closed.').waitFor();
    expect(await acts('silent')).toMatchObject([{ verb: 'message', by, text: 'I ask the customer.' }, { verb: 'answer', by, text: 'It was closed.' }]);
    expect(problems).toEqual([]);
  });

  test('whatever form is open, no two buttons of a run\'s page have one name', async () => {
    await place.start('asks', 'named');
    await place.start('stuck', 'named-too');
    for (const [id, status] of [['named', 'waits for an answer'], ['named-too', 'handed over']] as const) {
      const { page } = await visitors.open(`${place.console.url}/#/run/${id}`);
      await page.getByRole('heading', { level: 1 }).getByText(status).waitFor();
      const verbs = page.locator('.acts > .buttons').getByRole('button');
      for (const verb of await verbs.all()) {
        await verb.click();
        await page.locator('.acts form').waitFor();
        const names = await page.getByRole('button').allTextContents();
        expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
      }
    }
  });

  test('a redirect starts from the goal that the run has, and the model works on the new one', async () => {
    const { page, problems } = await thinking('turned');
    await act(page, 'Redirect');
    expect(await page.getByLabel('New goal').inputValue()).toBe('script:turned Orders 88213 and 88214.');
    await page.getByLabel('New goal').fill('script:turned Only order 88214.');
    await send(page, 'Set this goal');
    await told(page, 'The run follows this from its next turn on.');
    expect(await place.desk.client.progress('turned')).toMatchObject({ goal: 'script:turned Only order 88214.' });
    await act(page, 'Redirect');
    await expect.poll(() => page.getByLabel('New goal').inputValue(), { timeout: 20_000 }).toBe('script:turned Only order 88214.');
    place.desk.model.release('turned');
    await ended(page);
    expect(await acts('turned')).toMatchObject([{ verb: 'redirect', by, goal: 'script:turned Only order 88214.' }]);
    expect(heard('turned').map((body) => body.includes('Only order 88214.'))).toEqual([false, true]);
    expect(problems).toEqual([]);
  });

  test('the goal in force and the rules stand above the trace once they are others than the first, with who changed them', async () => {
    const { page, problems } = await thinking('ruled');
    await page.locator('.trace .line.task').waitFor();
    const now = page.getByRole('region', { name: 'Task now' });
    expect(await now.count()).toBe(0);
    await act(page, 'Redirect');
    await page.getByLabel('New goal').fill('script:ruled Only order 88214.');
    await send(page, 'Set this goal');
    await now.getByText('script:ruled Only order 88214.').waitFor();
    expect(await now.textContent()).toMatch(/^Goal now: script:ruled Only order 88214\.Changed by asha, .*\. The trace begins with the first task\.$/);
    await place.desk.client.redirect('ruled', { constraints: ['Call before noon.'], by: { name: 'meera', verified: true } });
    await now.getByText('Call before noon.').waitFor();
    expect(await now.textContent()).toMatch(/^Goal now: .*Only order 88214\.Rule now: Call before noon\.Changed by meera, /);
    place.desk.model.release('ruled');
    await ended(page);
    await page.reload();
    await now.getByText('Call before noon.').waitFor();
    expect(problems).toEqual([]);
  });

  test('a pause in a model call: its call does not run and no other turn begins; the run goes on when the person says so, with their note', async () => {
    const { page, problems } = await thinking('halted');
    await act(page, 'Pause');
    await page.getByText('Nothing more is started. A model call or tool under way ends, but the calls in that reply do not run.').waitFor();
    await page.getByLabel('Reason').fill('The courier calls back at noon.');
    await send(page, 'Pause it');
    await told(page, 'The run is paused: calls in flight end, nothing more is started.');
    await page.getByRole('heading', { level: 1 }).getByText('paused').waitFor();
    place.desk.model.release('halted');
    await page.locator('.trace .observation').getByText('Not run: a person paused the run before this call.').waitFor();
    expect(await place.desk.client.progress('halted')).toMatchObject({ status: 'paused', turn: 1, usage: { modelCalls: 1, toolCalls: 0 } });
    await act(page, 'Resume');
    await page.getByLabel('Note to the agent').fill('He says that it is on its way.');
    await send(page, 'Let it go on');
    await told(page, 'The run goes on.');
    await ended(page);
    expect(await acts('halted')).toMatchObject([
      { verb: 'pause', by, text: 'The courier calls back at noon.' }, { verb: 'resume', by, text: 'He says that it is on its way.' },
    ]);
    expect(heard('halted').map((body) => body.includes('on its way'))).toEqual([false, true]);
    expect(problems).toEqual([]);
  });

  test('a pause does not hold back an answer that is on its way, as its form says', async () => {
    const { page } = await thinking('answers');
    await act(page, 'Pause');
    await page.getByText('If the reply is the answer, or hands over, the run stops with it.').waitFor();
    await send(page, 'Pause it');
    await page.getByRole('heading', { level: 1 }).getByText('paused').waitFor();
    place.desk.model.release('answers');
    await page.locator('.line.end').getByText('Nothing is to be done.').waitFor();
  });

  test('a run that waits for a person says so and for how long, before that wait is over and counted', async () => {
    await place.start('asks', 'waits');
    const { page } = await visitors.open(`${place.console.url}/#/run/waits`);
    const waited = page.locator('.spent > div').filter({ hasText: 'Waited for persons' });
    await waited.getByText(/^waits now, for \d+/).waitFor();
    expect(await place.desk.client.progress('waits')).toMatchObject({ status: 'waiting_answer', usage: { waitingMs: 0 } });
    await page.getByLabel('Your answer').fill('It was closed.');
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await page.locator('.line.end').waitFor();
    const { waitingMs } = (await place.desk.client.result('waits', { waitMs: 30_000 }))?.usage ?? { waitingMs: 0 };
    expect(waitingMs).toBeGreaterThan(0);
    await expect.poll(() => waited.textContent()).toMatch(/^Waited for persons\d+ (ms|s)/);
  });

  test('on a phone the fields of limits that are raised stand in line, however long what is beside their names', async () => {
    await place.start('stuck', 'raised');
    const { page } = await visitors.open(`${place.console.url}/#/run/raised`, { viewport: { width: 360, height: 740 } });
    await act(page, 'Resume');
    const [turns, seconds] = await Promise.all(['Turns', 'Active seconds'].map((name) => page.getByRole('spinbutton', { name }).boundingBox()));
    expect(turns?.y).toBeGreaterThan(0);
    expect(seconds?.y).toBe(turns?.y);
  });

  test('whoever holds a run adds to its to-do list and ticks items off, which the page shows and the agent gets with it', async () => {
    await place.start('stuck', 'listed');
    const { page, problems } = await visitors.open(`${place.console.url}/#/run/listed`);
    await act(page, 'Take over');
    await send(page, 'Hold the run');
    for (const item of ['Call the customer', 'Ask our lawyer']) {
      await act(page, 'To-do list');
      await page.getByLabel('New item').fill(item);
      await send(page, 'Add item');
      await page.locator('.todo').getByText(item).waitFor();
    }
    await told(page, 'The to-do list is changed.');
    expect(await page.locator('.todo .said').allTextContents()).toEqual(['Call the customer', 'Ask our lawyer']);
    const { page: other } = await visitors.open(`${(await place.serve({ auth: { kind: 'local', name: 'meera' } })).url}/#/run/listed`);
    await page.getByRole('button', { name: 'Tick off: Ask our lawyer' }).click();
    await page.locator('.todo .done').getByText('Ask our lawyer').waitFor();
    expect(await place.desk.client.progress('listed')).toMatchObject({ todo: [{ text: 'Call the customer', done: false }, { text: 'Ask our lawyer', done: true }] });
    expect(await page.getByRole('button', { name: /^Tick off/ }).count()).toBe(1);
    await other.locator('.todo .done').getByText('Ask our lawyer').waitFor();
    expect(await other.getByRole('button', { name: /^Tick off/ }).count()).toBe(0);
    await act(page, 'Give back');
    await send(page, 'Let the agent go on');
    await ended(page);
    expect((await acts('listed')).map(({ verb }) => verb)).toEqual(['take-over', 'todo', 'todo', 'todo', 'give-back']);
    expect(heard('stuck').at(-1)).toMatch(/Call the customer.*Ask our lawyer/s);
    expect(problems).toEqual([]);
  });
});
