import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineAgent } from '../../tools/define-agent.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { speaker } from '../support/speaker.ts';
import { getOrder } from '../support/start-desk.ts';
import { temporaryDataDir } from '../support/test-server.ts';
import { openBrowser, SKIPS_PAGE } from './browser.ts';
import { openConsoleDesk } from './console-desk.ts';
import type { ConsoleDesk } from './console-desk.ts';
import { visitorsOf } from './visitors.ts';

const say = speaker('function-calling');
const look = say.call('I look again.', 'get_order', { order_id: '88213' });
const readLog = defineTool({
  name: 'read_log', description: 'The log of an order.', effect: 'read', input: z.strictObject({ order_id: z.string() }), ids: { order_id: 'order' },
  run: () => `${'A line of the log.\n'.repeat(3_000)}The very last line.`,
});
const READER = defineAgent({ name: 'reader', version: '1', instructions: 'You read.', tools: [getOrder, readLog] });

/** How the page is read: what is there at first, page by page, line by line, wherever the person is. */
describe.skipIf(SKIPS_PAGE)('reading in Chromium', { timeout: 120_000 }, () => {
  let place: ConsoleDesk;
  let browser: Browser;
  const visitors = visitorsOf(() => browser);

  beforeAll(async () => {
    place = await openConsoleDesk({
      dataDir: temporaryDataDir(), agents: [READER],
      scripts: { repeats: [look, look, look, look], long: [say.call('I read the log.', 'read_log', { order_id: '88213' }), say.answer('Read.')] },
    });
    browser = await openBrowser();
  });
  afterEach(() => visitors.leave());
  afterAll(async () => {
    await browser?.close();
    await place?.close();
  });

  const open = async (address: string, options?: BrowserContextOptions) => (await visitors.open(`${place.console.url}/${address}`, options)).page;
  const read = async (script: string): Promise<string> => (await place.desk.client.start({ agent: 'reader', task: `script:${script} Order 88213.` })).id;

  test('a first start: inbox, runs and overview each say what is going on and what to do', async () => {
    const page = await open('#/inbox');
    await page.getByText('Nothing waits for you.').waitFor();
    await page.getByRole('link', { name: 'Start a run' }).waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('No run has ended yet.').waitFor();
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    await page.getByText('No runs yet.').waitFor();
    await page.getByRole('link', { name: 'Start the first one' }).click();
    await page.getByRole('heading', { name: 'Start a run' }).waitFor();
  });

  test('a run is started from the form with constraints and limits, and its own page has them and leads to Temporal\'s', async () => {
    const page = await open('#/start');
    await page.getByLabel('Agent').fill('desk');
    await page.getByLabel('Task').fill('script:asks Order 88213.');
    await page.getByLabel('Constraints').fill('Be kind.\n\n  Write in Hindi. ');
    await page.getByLabel('Id').fill('limited');
    for (const [label, value] of [['Turns', '7'], ['Budget', '9.50'], ['Active seconds', '90']] as const) await page.getByLabel(label).fill(value);
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('Rule: Write in Hindi.').waitFor();
    await page.getByText('Rule: Be kind.').waitFor();
    expect((await place.desk.client.progress('limited'))?.limits).toMatchObject({ turns: 7, timeMs: 90_000 });
    expect(await page.locator('.spent').textContent()).toMatch(/of 7.*of ₹9\.50.*of 1 min 30 s/);
    expect(await page.getByRole('link', { name: 'Temporal\'s Web UI' }).getAttribute('href')).toBe('http://127.0.0.1:1/namespaces/default/workflows/limited');
    await place.desk.client.cancel('limited', { reason: 'done', by: { name: 'asha', verified: true } });
  });

  test('nudges and stops stand in the trace where they happened, with the reason', async () => {
    const page = await open(`#/run/${encodeURIComponent(await read('repeats'))}`);
    await page.locator('.line').getByText('Stopped: repeated itself').waitFor();
    const labels = await page.locator('.trace .label').allTextContents();
    const at = (label: string): number => labels.findIndex((text) => text.startsWith(label));
    expect(at('Nudge (repeating)')).toBeGreaterThan(at('Turn 1'));
    expect(at('Stopped: repeated itself')).toBeGreaterThan(at('Nudge (repeating)'));
    expect(await page.locator('.line.guard .body').first().textContent()).toMatch(/\w+ \w+/);
  });

  test('a long observation is cut, and the rest is there on demand', async () => {
    const page = await open(`#/run/${encodeURIComponent(await read('long'))}`);
    await page.locator('.line.end').waitFor();
    expect(await page.locator('.trace').textContent()).not.toContain('The very last line.');
    await page.getByRole('button', { name: /^Show all 57,019 characters/ }).click();
    await page.locator('.observation').getByText('The very last line.').waitFor();
  });

  test('times are those of the person\'s zone', async () => {
    const { summary: { startedAtMs } } = await place.desk.client.show('limited');
    for (const [timezoneId, locale] of [['Asia/Kolkata', 'en-IN'], ['America/New_York', 'en-US']] as const) {
      const page = await open('#/run/limited', { timezoneId, locale });
      const words = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone: timezoneId }).format(startedAtMs);
      await page.getByText(words.replaceAll('\u202f', ' ')).first().waitFor();
    }
  });

  test('runs come page by page, none twice, and one that begins meanwhile is there without being asked for', async () => {
    for (let n = 0; n < 60; n += 10) await Promise.all(Array.from({ length: 10 }, () => place.start('quick')));
    await expect.poll(async () => (await place.desk.client.list({ limit: 100 })).filter(({ status }) => status === 'running').length, { timeout: 60_000 }).toBe(0);
    const all = (await place.desk.client.list({ limit: 100 })).map(({ id }) => id);
    const page = await open('#/runs');
    const rows = page.locator('.runs tbody tr');
    await rows.nth(49).waitFor();
    expect(await rows.count()).toBe(50);
    await page.getByRole('button', { name: 'More' }).click();
    await rows.nth(all.length - 1).waitFor();
    const shown = await rows.locator('th').allTextContents();
    expect([...shown].sort()).toEqual([...all].sort());
    await place.start('asks', 'begins-later');
    await page.getByRole('link', { name: 'begins-later' }).waitFor();
    await place.desk.client.cancel('begins-later', { reason: 'done', by: { name: 'asha', verified: true } });
  });

  test('with no worker up a held call keeps its task, its thought and the evidence of its ids', async () => {
    await place.start('refund', 'kept');
    await expect.poll(async () => (await place.desk.client.progress('kept'))?.status, { timeout: 30_000 }).toBe('waiting_approval');
    await place.desk.stopWorker();
    const page = await open('#/inbox');
    await page.getByRole('button', { name: 'Pay ₹505 back for order 88213' }).click();
    const entry = page.getByRole('article');
    await entry.getByText('No worker answers for this run.').waitFor();
    await entry.locator('.goal').getByText('script:refund Orders 88213 and 88214.').waitFor();
    await entry.locator('.thought').getByText('The whole price and the fee come to ₹505.').waitFor();
    await entry.getByRole('button', { name: 'get_order (1.1)' }).click();
    await page.locator('.trace .marked').getByText('"fee":"₹25"').waitFor();
  });
});
