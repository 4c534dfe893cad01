import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { speaker } from '../support/speaker.ts';
import { temporaryDataDir } from '../support/test-server.ts';
import { A_MONTH } from './a-month.ts';
import { openBrowser, SKIPS_PAGE } from './browser.ts';
import { openConsoleDesk } from './console-desk.ts';
import type { ConsoleDesk } from './console-desk.ts';
import { visitorsOf } from './visitors.ts';

const say = speaker('function-calling');
const BY = { name: 'meera', verified: true };

/** Charts, tables and costs, in a real browser. */
describe.skipIf(SKIPS_PAGE)('figures in Chromium', { timeout: 120_000 }, () => {
  let place: ConsoleDesk;
  let browser: Browser;
  const visitors = visitorsOf(() => browser);

  beforeAll(async () => {
    place = await openConsoleDesk({ dataDir: temporaryDataDir(), scripts: { guess: [say.call('I guess.', 'get_order', { order_id: '77777' }), say.answer('Nothing is to be done.')] } });
    browser = await openBrowser();
  });
  afterEach(() => visitors.leave());
  afterAll(async () => {
    await browser?.close();
    await place?.close();
  });

  const open = (address: string, width = 1_280) => visitors.open(`${place.console.url}/${address}`, { viewport: { width, height: 800 } });
  const until = (value: () => Promise<unknown>, wanted: unknown) => expect.poll(value, { timeout: 30_000, interval: 50 }).toEqual(wanted);

  /** A held call that a person decides, to the run's end. */
  async function decided(id: string, verb: 'approve' | 'edit'): Promise<void> {
    const { client } = place.desk;
    await place.start('fee', id);
    await until(async () => (await client.progress(id))?.held?.length, 1);
    const [held] = (await client.progress(id))?.held ?? [];
    const decision = { call: '2.1', argsHash: held?.argsHash ?? '', by: BY };
    await (verb === 'approve' ? client.approve(id, decision) : client.edit(id, { ...decision, args: { order_id: '88213', amount: 20, note: '' } }));
    await client.result(id, { waitMs: 30_000 });
  }

  test('the overview tells of ended runs what they took, how fast persons decided, and how often exactly what was asked was approved', async () => {
    for (const id of ['granted-1', 'granted-2', 'granted-3']) await decided(id, 'approve');
    await decided('changed', 'edit');
    const { page } = await open('#/overview');
    const row = page.getByRole('region', { name: 'By agent', exact: true }).getByRole('row').filter({ hasText: 'desk' });
    await row.waitFor();
    const cells = await row.getByRole('cell').allTextContents();
    expect(cells.slice(0, 2)).toEqual(['4', '3']);
    expect(cells[2]).toMatch(/^₹\d/);
    expect([cells[3], cells[5]]).toEqual(['4', '75 %']);
    expect(cells[4]).toMatch(/^\d+ (ms|s)/);
    await page.getByText('Not once: ').waitFor();
  });

  test('the overview counts how often guards stepped in', async () => {
    await place.start('guess', 'guessed');
    await place.desk.client.result('guessed', { waitMs: 30_000 });
    const fresh = await place.serve({});
    const { page } = await visitors.open(`${fresh.url}/#/overview`);
    const row = page.getByRole('region', { name: 'Guard counters' }).getByRole('row').filter({ hasText: 'Unseen ids' });
    await row.waitFor();
    expect(await row.getByRole('cell').allTextContents()).toEqual(['1']);
  });

  test('each chart says in words what it shows, and its numbers stand in a table beside it', async () => {
    const { page, problems } = await open('#/runs');
    await page.route('**/api/overview', (route) => route.fulfill({ json: A_MONTH }));
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    await page.getByRole('link', { name: 'Overview' }).click();
    await until(() => page.locator('.chart canvas').count(), 5);
    expect(loaded.filter((url) => /\/chart-[\w-]+\.js$/.test(url))).toHaveLength(1);
    for (const chart of await page.getByRole('img').all()) expect(await chart.getAttribute('aria-label')).toMatch(/ .*The table below has the numbers\.$/);
    for (const summary of await page.locator('summary').all()) await summary.click();
    expect(await sumIn(page, 'Turns a run, as a table')).toBe(100);
    expect(await sumIn(page, 'Cost a run (INR), as a table')).toBe(100);
    expect(await sumIn(page, 'Time until a decision, as a table')).toBe(31);
    const days = page.getByRole('region', { name: 'How runs end, as a table' });
    expect(await days.getByRole('row').count()).toBe(1 + new Set(A_MONTH.ends.map(({ day }) => day)).size);
    await page.getByRole('button', { name: 'refunds' }).click();
    await until(() => sumIn(page, 'Turns a run, as a table'), 40);
    expect(problems).toEqual([]);
  });

  test('the list tells what a running run has cost by now, and says so where it knows only what that was before', async () => {
    const { client } = place.desk;
    await place.start('slow', 'slow');
    await until(async () => (await client.progress('slow'))?.status, 'waiting_answer');
    await client.answer('slow', { call: '1.1', text: 'Fragile.', by: BY });
    await until(async () => (await client.progress('slow'))?.usage.modelCalls, 2);
    const now = (await client.progress('slow'))?.usage.cost?.amount;
    const { page } = await open('#/runs');
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'slow', exact: true }) });
    await row.getByText(new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR' }).format(Number(now)), { exact: true }).waitFor();
    expect(await page.getByText('may have cost more since').count()).toBe(0);
    const { page: without } = await open('#/start');
    await without.route('**/api/costs*', (route) => route.abort());
    await without.getByRole('link', { name: 'Runs' }).click();
    await without.getByText('may have cost more since').waitFor();
    expect(await without.getByRole('row').filter({ has: without.getByRole('link', { name: 'slow', exact: true }) }).textContent()).toMatch(/at least ≥ ₹0\.\d/);
    place.openArchive();
    await client.result('slow', { waitMs: 30_000 });
  });

  test('from 360 to 2,560 pixels no view, and nothing in it, is wider than its place; rows that became cards are tables to a screen reader', async () => {
    await place.start('refund', 'narrow-held');
    await place.start('stuck', 'narrow-stuck');
    await place.start('lost', 'narrow-lost');
    const wide: string[] = [];
    for (const width of [360, 2_560]) {
      const { page } = await open('#/runs', width);
      await page.route('**/api/overview', (route) => route.fulfill({ json: A_MONTH }));
      for (const view of ['#/inbox', '#/runs', '#/run/narrow-held', '#/run/narrow-stuck', '#/run/narrow-lost', '#/run/changed', '#/package/narrow-stuck', '#/start', '#/overview', '#/switches']) {
        await page.goto(`${place.console.url}/${view}`);
        await page.reload();
        await page.locator('main form, main .list, main .trace, main .detail, main .package').filter({ visible: true }).first().waitFor();
        for (const summary of await page.locator('summary').all()) await summary.click();
        wide.push(...(await page.evaluate<string[]>(TOO_WIDE)).map((what) => `${view} ${width}: ${what}`));
        for (const table of await page.getByRole('table').all()) if (await table.getByRole('row').count() === 0) wide.push(`${view} ${width}: a table without rows`);
      }
    }
    expect(wide).toEqual([]);
    for (const id of ['narrow-held', 'narrow-stuck', 'narrow-lost']) await place.desk.client.cancel(id, { reason: 'done', by: BY });
  });
});

async function sumIn(page: Page, table: string): Promise<number> {
  const cells = await page.getByRole('region', { name: table }).locator('tbody td').allTextContents();
  return cells.reduce((sum, text) => sum + (Number.parseInt(text, 10) || 0), 0);
}

/** Runs in the page: what can be scrolled sideways, and what stands beyond the window's edge. Fields scroll what is typed into them. */
const TOO_WIDE = `[...document.querySelectorAll('html, body, body *:not(.hidden, .hidden *, input, textarea, select, option, thead, thead *)')]
  .filter((element) => {
    const scrolls = element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== 'inline' && element.clientWidth > 0;
    return scrolls || element.getBoundingClientRect().right > document.documentElement.clientWidth + 1;
  })
  .map((element) => element.outerHTML.slice(0, 120))`;
