import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { defineAgent } from '../../tools/define-agent.ts';
import { getOrder } from '../support/start-desk.ts';
import { temporaryDataDir } from '../support/test-server.ts';
import { openBrowser, SKIPS_PAGE } from './browser.ts';
import { openConsoleDesk } from './console-desk.ts';
import type { ConsoleDesk } from './console-desk.ts';
import { openIssuer } from './issuer.ts';
import type { Issuer } from './issuer.ts';
import { visitorsOf } from './visitors.ts';

const BY = { name: 'asha', verified: true };
/** Ends where it stops, so that runs can be counted. */
const HASTY = defineAgent({ name: 'hasty', version: '1', instructions: 'Be quick.', tools: [getOrder], onStop: 'end' });

/** What the page shows beside the stories of page.test.ts, in a real browser. */
describe.skipIf(SKIPS_PAGE)('the views in Chromium', { timeout: 120_000 }, () => {
  let place: ConsoleDesk;
  let browser: Browser;
  let issuer: Issuer;
  const visitors = visitorsOf(() => browser);

  beforeAll(async () => {
    place = await openConsoleDesk({ dataDir: temporaryDataDir(), agents: [HASTY] });
    browser = await openBrowser();
    issuer = await openIssuer({
      staff: { is: 'viewer' }, small: { is: 'approver', tools: ['pay'], upTo: { amount: '100', currency: 'INR' } }, ops: { is: 'operator' },
    });
  });
  afterEach(() => visitors.leave());
  afterAll(async () => {
    await browser?.close();
    await issuer?.close();
    await place?.close();
  });

  const open = (address: string, url = place.console.url) => visitors.open(`${url}/${address}`);
  const cancel = (id: string) => place.desk.client.cancel(id, { reason: 'done', by: BY });
  const ended = (id: string) => place.desk.client.result(id, { waitMs: 30_000 });

  test('what a held call risks, what was checked, and where each id and amount comes from, one click from its observation', async () => {
    await place.start('fee', 'checked');
    await place.start('refund', 'risky');
    const { page } = await open('#/run/checked');
    const held = page.getByRole('region', { name: 'Held call 2.1' });
    await held.getByText('Some risk').waitFor();
    const passed = await held.locator('.checks .passed').allTextContents();
    expect(passed.join('\n')).toMatch(/All 3 fields have the form.*Order id 88213 was seen in this run.*The amount ₹25.00 was seen in this run.*none forbids it.*had not done it when it was held.*exactly these values/s);
    await held.locator('.checks').getByText('The run has used: turn 2 of 12').waitFor();
    expect(await held.locator('.checks .failed').count()).toBe(0);
    expect(await held.locator('.thought').textContent()).toContain('The fee of ₹25 is due.');
    await held.getByRole('row', { name: 'Amount' }).getByRole('button', { name: 'get_order (1.1)' }).click();
    await page.locator('.trace .marked').getByText('"fee":"₹25"').waitFor();
    const { page: risky } = await open('#/run/risky');
    await risky.getByText('High risk').waitFor();
    await risky.getByText('The amount ₹505.00 stands nowhere in what this run has seen').waitFor();
    expect(await risky.locator('.checks .failed').allTextContents()).toEqual([expect.stringContaining('The amount ₹505.00 was not seen in this run')]);
    const { page: inbox } = await open('#/inbox');
    for (const id of ['checked', 'risky']) await inbox.locator('.entry').filter({ hasText: id }).waitFor();
    const rows = await inbox.locator('.entry').filter({ hasText: '88213' }).allTextContents();
    expect(rows.filter((text) => text.includes('checked') && text.includes('Some risk') && text.includes('₹25.00'))).toHaveLength(1);
    expect(rows.filter((text) => text.includes('risky') && text.includes('High risk') && text.includes('₹505.00'))).toHaveLength(1);
    for (const id of ['checked', 'risky']) await cancel(id);
  });

  test('a call whose outcome nobody knows is settled by a person, and the run goes on', async () => {
    await place.start('lost', 'lost');
    const { page } = await open('#/inbox');
    await page.getByRole('button', { name: 'Did book_courier happen?' }).click();
    await page.getByText('it may have happened').first().waitFor();
    await page.getByLabel('What became of it').selectOption('happened');
    await page.getByLabel('Result').fill('Booked for Monday, receipt 7.');
    await page.getByRole('button', { name: 'Say so' }).click();
    await page.getByRole('status').getByText('book_courier').waitFor();
    await page.goto(`${place.console.url}/#/run/lost`);
    await page.locator('.line.end').getByText('The courier for order 88213 is booked.').waitFor();
    expect(await page.locator('.trace').textContent()).toContain('asha: settle');
    expect(await page.getByRole('region', { name: 'Effects' }).textContent()).toMatch(/book_courier/);
  });

  test('tokens, cost and time of each turn and of the run stand against the limits, as numbers and as bars', async () => {
    await place.start('fee', 'spent');
    const { page } = await open('#/run/spent');
    await page.getByText('Turn by turn').click();
    const table = page.getByRole('region', { name: 'Tokens, cost and time by turn' });
    await table.getByRole('rowheader', { name: '2 of 12' }).waitFor();
    const rows = await table.locator('tbody tr').allTextContents();
    const total = (await table.locator('tfoot tr').textContent()) ?? '';
    expect(rows).toHaveLength(2);
    const { usage } = (await place.desk.client.progress('spent')) ?? {};
    const money = (amount: string | undefined): string => new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR', maximumFractionDigits: Number(amount) < 1 ? 4 : 2 }).format(Number(amount));
    expect(total).toContain(money(usage?.cost?.amount));
    expect(rows[1]).toContain(money(usage?.cost?.amount));
    expect(await table.locator('meter').count()).toBe(2);
    expect(await page.locator('.spent meter').count()).toBe(3);
    expect(await page.locator('.trace .usage').last().textContent()).toContain('so far');
    await cancel('spent');
  });

  test('runs are filtered by agent, status, who asked for them and when they began', async () => {
    const { client } = place.desk;
    await place.start('asks', 'open-one');
    await place.start('asks', 'ended-one');
    await client.start({ agent: 'desk', task: 'script:asks Order 88213.', id: 'of-another', requestedBy: { name: 'night shift', verified: false } });
    for (const id of ['open-one', 'ended-one', 'of-another']) await expect.poll(async () => (await client.progress(id))?.status, { timeout: 30_000 }).toBe('waiting_answer');
    await cancel('ended-one');
    const { page } = await open('#/runs');
    const listed = async (wanted: readonly string[]) => {
      const shown = () => page.locator('.runs tbody th').allTextContents();
      await expect.poll(async () => (await shown()).filter((id) => ['open-one', 'ended-one', 'of-another'].includes(id)).sort(), { timeout: 30_000 }).toEqual(wanted);
    };
    const search = page.getByRole('search', { name: 'Filter runs' });
    const filter = async () => search.getByRole('button', { name: 'Filter' }).click();
    await search.getByLabel('Agent').fill('desk');
    await search.getByLabel('Status').selectOption({ label: 'waits for an answer' });
    await filter();
    await listed(['of-another', 'open-one']);
    await search.getByLabel('Asked for by').fill('night shift');
    await filter();
    await listed(['of-another']);
    await search.getByLabel('Started from').fill('2999-01-01T00:00');
    await filter();
    await page.getByText('No run matches.').waitFor();
    for (const id of ['open-one', 'of-another']) await cancel(id);
  });

  test('a run is copied as JSON and as Markdown', async () => {
    await place.start('fee', 'copied');
    const { page } = await open('#/run/copied');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('region', { name: 'Held call 2.1' }).waitFor();
    const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()');
    await page.getByRole('button', { name: 'Copy as Markdown' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const markdown = await clipboard();
    expect(markdown).toMatch(/^# Run copied\n/);
    expect(markdown).toContain('I look at the order.');
    expect(markdown).toContain('**2.1 pay is held**');
    await page.getByRole('button', { name: 'Copy as JSON' }).click();
    await page.getByRole('button', { name: 'Copied' }).nth(1).waitFor();
    expect(JSON.parse(await clipboard())).toMatchObject({ summary: { id: 'copied' }, trace: { entries: expect.arrayContaining([expect.objectContaining({ kind: 'item' })]) } });
    await cancel('copied');
  });

  test('the hand-over package prints whole: without the page around it, and nothing of it is hidden or cut off', async () => {
    await place.start('stuck', 'printed');
    const { page } = await open('#/run/printed');
    await page.getByRole('link', { name: 'Hand-over package' }).click();
    await page.getByRole('heading', { name: 'Hand-over: printed' }).waitFor();
    const onScreen = await page.getByRole('article').locator('h2, p:not(.no-print), li').allTextContents();
    // The width of an A4 page at 96 pixels an inch, without its margins.
    await page.setViewportSize({ width: 718, height: 1_000 });
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('header').isVisible()).toBe(false);
    expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
    for (const part of await page.getByRole('article').locator('h1, h2, h3, p:not(.no-print), li').all()) expect(await part.isVisible()).toBe(true);
    expect(onScreen.join('\n')).toMatch(/The customer threatens to sue\..*Done.*in transit.*What remains.*Next/s);
    expect(await page.evaluate<string[]>(CUT_OFF)).toEqual([]);
    expect((await page.pdf({ format: 'A4' })).subarray(0, 5).toString()).toBe('%PDF-');
    await cancel('printed');
  });

  test('runs are filtered by cost, as a list filter that the server itself applies', async () => {
    await place.start('quick', 'cheap');
    await place.start('fee', 'dear');
    const [cheap] = [await ended('cheap')];
    await place.desk.client.cancel('dear', { reason: 'done', by: BY });
    const dear = await ended('dear');
    const between = (Number(cheap?.usage.cost?.amount) + Number(dear?.usage.cost?.amount)) / 2;
    const { page } = await open('#/runs');
    await page.getByLabel('Cost at least').fill(between.toFixed(3));
    await page.getByLabel('Currency').fill('inr');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('link', { name: 'dear', exact: true }).waitFor();
    expect(page.url()).toContain(`costFrom=${between.toFixed(3)}`);
    await page.getByText(`CaseworkerCost >= ${between.toFixed(3)} AND CaseworkerCurrency = "INR"`).waitFor();
    expect(await page.getByRole('link', { name: 'cheap', exact: true }).count()).toBe(0);
    await page.goto(`${place.console.url}/#/runs?costTo=${between.toFixed(3)}`);
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'cheap', exact: true }) });
    await row.waitFor();
    expect(await row.textContent()).toMatch(/₹0\.\d+/);
    expect(await page.getByRole('link', { name: 'dear', exact: true }).count()).toBe(0);
  });

  test('a rising share of runs that end at the step limit is marked, and the numbers stand in a table', async () => {
    const run = async (task: string, limits: object) => ended((await place.desk.client.start({ agent: 'hasty', task, ...limits })).id);
    const many = async (count: number, task: string, limits: object) => {
      for (let n = 0; n < count; n += 5) await Promise.all(Array.from({ length: Math.min(5, count - n) }, () => run(task, limits)));
    };
    await many(20, 'script:quick Go.', {});
    const calm = await place.serve({});
    const { page: before } = await open('#/overview', calm.url);
    await before.getByRole('region', { name: 'How runs end, by agent' }).waitFor();
    expect(await before.getByText('more runs than before end at the step limit').count()).toBe(0);
    await many(16, 'script:quick Go.', {});
    await many(4, 'script:fee Orders 88213.', { limits: { turns: 1 } });
    const fresh = await place.serve({});
    const { page } = await open('#/overview', fresh.url);
    await page.getByRole('alert').getByText('hasty: more runs than before end at the step limit.').waitFor();
    await page.getByRole('region', { name: 'Share that ended at the step limit' }).getByText('rising: hasty').waitFor();
    await page.getByText('By day, as a table').click();
    await page.getByRole('group', { name: 'Agent' }).getByRole('button', { name: 'hasty' }).click();
    const table = page.getByRole('region', { name: 'How runs end, as a table' });
    expect(await table.locator('thead').textContent()).toMatch(/answered.*turns used up|turns used up.*answered/);
    const column = (await table.locator('thead th').allTextContents()).findIndex((head) => head.includes('turns used up'));
    const cells = await table.locator(`tbody tr > :nth-child(${column + 1})`).allTextContents();
    expect(cells.reduce((sum, text) => sum + (Number.parseInt(text, 10) || 0), 0)).toBe(4);
    await page.getByRole('link', { name: 'look at those runs' }).click();
    await page.getByText('CaseworkerEndReason = "step_limit"').waitFor();
    await page.locator('.runs tbody tr').nth(3).waitFor();
    await calm.close();
    await fresh.close();
  });

  test('an operator switches a tool off and on, and a run that needs it is handed over', async () => {
    const { page } = await open('#/switches');
    await page.getByLabel('Agent', { exact: true }).fill('desk');
    await page.getByLabel('Tool').fill('get_order');
    await page.getByLabel('Reason').fill('The shop is being moved.');
    await page.getByRole('button', { name: 'Switch off' }).click();
    await page.getByRole('region', { name: 'desk: get_order' }).getByText('The shop is being moved.').waitFor();
    await place.start('fee', 'switched');
    await page.goto(`${place.console.url}/#/run/switched`);
    await page.locator('.waits').getByText('The shop is being moved.').first().waitFor();
    await page.goto(`${place.console.url}/#/switches`);
    await page.getByRole('button', { name: 'Switch on again' }).click();
    await page.getByText('Every agent and every tool is on.').waitFor();
    await cancel('switched');
  });

  test('somebody signs in with a token, sees what their role may, and decides under the token\'s name', async () => {
    const signed = await place.serve({ auth: { kind: 'token', config: issuer.config } });
    await place.start('fee', 'signed');
    const { page } = await open('#/run/signed', signed.url);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByLabel('Token').fill('not.a.token');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The token is none that is accepted here').waitFor();
    await page.getByLabel('Token').fill(await issuer.token('ravi', ['staff']));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('You may look, but not decide.').waitFor();
    expect(await page.locator('.me').textContent()).toBe('ravi viewer');
    expect(await page.getByRole('button', { name: /Approve|Cancel the run/ }).count()).toBe(0);
    await page.goto(`${signed.url}/#/switches`);
    await page.getByText('To switch something needs the role operator.').waitFor();
    const { page: approver } = await open('#/run/signed', signed.url);
    await approver.getByLabel('Token').fill(await issuer.token('meera', ['small']));
    await approver.getByRole('button', { name: 'Sign in' }).click();
    await approver.getByRole('button', { name: /^Edit/ }).click();
    await approver.getByLabel('Amount').fill('101');
    await approver.getByRole('button', { name: 'Run with these arguments' }).click();
    await approver.getByRole('status').getByText('pay of 101 INR is above what meera may decide (100 INR)').waitFor();
    await approver.getByLabel('Amount').fill('20');
    await approver.getByRole('button', { name: 'Run with these arguments' }).click();
    await approver.getByRole('status').getByText('runs now with the changed arguments').waitFor();
    await ended('signed');
    const { entries } = await place.desk.client.trace('signed');
    expect(entries.flatMap((entry) => (entry.kind === 'item' && entry.item.type === 'person' && !entry.item.refused ? [entry.item] : []))).toMatchObject([{ verb: 'edit', by: { name: 'meera', verified: true, roles: ['small'] } }]);
    await signed.close();
  });
});

/** Runs in the page: what is wider than its place, and so cut off on paper. Texts for screen readers are on no paper. */
const CUT_OFF = `[...document.querySelectorAll('article *:not(.hidden)')]
  .filter((element) => element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== 'inline')
  .map((element) => element.outerHTML.slice(0, 100))`;
