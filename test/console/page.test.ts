import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { temporaryDataDir } from '../support/test-server.ts';
import { openBrowser, SKIPS_PAGE } from './browser.ts';
import { openConsoleDesk } from './console-desk.ts';
import type { ConsoleDesk } from './console-desk.ts';
import { HOSTILE, HOSTILE_AGENT, HOSTILE_STORY } from './hostile.ts';
import { visitorsOf } from './visitors.ts';

/** The whole page in a real browser, against a real server, a real worker and the scripted model. */
describe.skipIf(SKIPS_PAGE)('the page in Chromium', { timeout: 120_000 }, () => {
  let place: ConsoleDesk;
  let browser: Browser;
  const visitors = visitorsOf(() => browser);

  beforeAll(async () => {
    place = await openConsoleDesk({ dataDir: temporaryDataDir(), scripts: HOSTILE_STORY, agents: [HOSTILE_AGENT] });
    browser = await openBrowser();
  });
  afterEach(async () => {
    await visitors.leave();
  });
  afterAll(async () => {
    await browser?.close();
    await place?.close();
  });

  const open = (address = '#/inbox', url = place.console.url) => visitors.open(`${url}/${address}`);

  const entryOf = (page: Page, run: string) => page.getByRole('article').filter({ has: page.getByRole('link', { name: run, exact: true }) });
  const choose = async (page: Page, title: string): Promise<void> => page.getByRole('button', { name: title }).first().click();

  test('the refund story: a run is started, its call is held, changed, approved, and the answer is there', async () => {
    const { page, problems } = await open('#/start');
    await page.getByLabel('Agent').fill('desk');
    await page.getByLabel('Task').fill('script:refund Refund order 88213.');
    await page.getByLabel('Id').fill('story-refund');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByRole('heading', { name: 'Pay ₹505 back for order 88213' }).waitFor();
    await page.getByRole('link', { name: 'Inbox' }).click();
    await entryOf(page, 'story-refund').getByRole('button', { name: 'get_order (1.1)' }).waitFor();
    await page.keyboard.press('e');
    await page.getByLabel('Amount').fill('25');
    await page.getByText('is now 25').waitFor();
    const before = place.paid.length;
    await page.getByRole('button', { name: 'Run with these arguments' }).click();
    await page.getByRole('status').getByText('runs now with the changed arguments').waitFor();
    await page.goto(`${place.console.url}/#/run/story-refund`);
    await page.locator('.line.end').getByText('₹25 is paid back for order 88213.').waitFor();
    expect(place.paid.slice(before)).toEqual([{ order: '88213', amount: 25 }]);
    expect(await page.locator('.trace').textContent()).toContain('asha: edit');
    expect(problems).toEqual([]);
  });

  test('the evidence of an id is one click from the observation that it came from', async () => {
    await place.start('refund', 'evidence');
    const { page } = await open('#/run/evidence');
    await page.getByRole('button', { name: 'get_order (1.1)' }).click();
    await page.locator('.trace .marked').getByText('"fee":"₹25"').waitFor();
    await place.desk.client.cancel('evidence', { reason: 'seen', by: { name: 'asha', verified: true } });
  });

  test('keys: j and k move, r asks for the reason, and the model reads it', async () => {
    await place.start('insists', 'rejected');
    const { page } = await open();
    await choose(page, 'Pay ₹25 back for order 88213');
    await entryOf(page, 'rejected').waitFor();
    await page.keyboard.press('r');
    await page.getByLabel('Reason').fill('Paid in the shop already.');
    const before = place.paid.length;
    await page.getByRole('button', { name: 'Reject: do not run it' }).click();
    await page.getByRole('status').getByText('is rejected and does not run').waitFor();
    expect((await place.desk.client.result('rejected', { waitMs: 30_000 }))?.answer).toBe('It was not paid.');
    expect(place.paid.slice(before)).toEqual([]);
    expect(place.desk.model.requests().some(({ body }) => JSON.stringify(body).includes('Paid in the shop already.'))).toBe(true);
  });

  test('j and k go down and up the inbox', async () => {
    await place.start('asks', 'keys-1');
    await place.start('stuck', 'keys-2');
    const { page } = await open();
    await page.locator('.entry').nth(1).waitFor();
    await page.locator('li:nth-child(1) > .entry[aria-current]').waitFor();
    await page.keyboard.press('j');
    await page.locator('li:nth-child(2) > .entry[aria-current]').waitFor();
    await page.keyboard.press('k');
    await page.locator('li:nth-child(1) > .entry[aria-current]').waitFor();
    await page.evaluate(TWO_KEYS_BEFORE_A_FRAME);
    expect(await page.locator('li:nth-child(1) > .entry[aria-current]').count()).toBe(1);
    for (const id of ['keys-1', 'keys-2']) await place.desk.client.cancel(id, { reason: 'done', by: { name: 'asha', verified: true } });
  });

  test('a question is answered', async () => {
    await place.start('asks', 'asked');
    const { page } = await open('#/run/asked');
    await page.getByLabel('Your answer').fill('No, it was closed.');
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await page.locator('.line.end').getByText('The parcel was closed.').waitFor();
    expect(await page.locator('.trace').textContent()).toContain('No, it was closed.');
  });

  test('a question with a form is answered field by field', async () => {
    await place.start('form', 'formed');
    const { page } = await open('#/run/formed');
    await page.getByLabel('State').selectOption('broken');
    await page.getByLabel('Pieces').fill('3');
    await page.getByLabel('Seen').fill('2026-03-04');
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await page.locator('.line.end').getByText('It is noted.').waitFor();
    expect(await page.locator('.trace').textContent()).toMatch(/state: broken\s*pieces: 3\s*seen: 2026-03-04/);
  });

  test('a hand-over is read, printed, and the run goes on with a raised limit', async () => {
    await place.start('stuck', 'handed');
    const { page } = await open('#/run/handed');
    await page.getByRole('link', { name: 'Hand-over package' }).click();
    await page.getByRole('heading', { name: 'Hand-over: handed' }).waitFor();
    expect(await page.getByRole('article').textContent()).toContain('The customer threatens to sue.');
    await page.getByRole('link', { name: 'Back to the run' }).click();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByLabel('Note to the agent').fill('He only asked where it is.');
    await page.getByRole('spinbutton', { name: 'Turns' }).fill('20');
    await page.getByRole('button', { name: 'Let it go on' }).click();
    await page.locator('.line.end').getByText('The order 88214 is in transit.').waitFor();
    await page.getByRole('meter', { name: 'Turns', exact: true }).and(page.locator('[max="20"]')).waitFor();
  });

  test('a person answers in the tool\'s place: the call does not run, and the model reads what they said', async () => {
    await place.start('fee', 'responded');
    const { page } = await open('#/run/responded');
    await page.getByRole('button', { name: 'Respond instead' }).click();
    await page.getByLabel('What the model is told').fill('Paid in the shop, receipt 12.');
    const before = place.paid.length;
    await page.getByRole('button', { name: 'Answer instead of the tool' }).click();
    await page.locator('.trace .observation').getByText('Paid in the shop, receipt 12.').waitFor();
    expect(await place.desk.client.result('responded', { waitMs: 30_000 })).toBeDefined();
    expect(place.paid.slice(before)).toEqual([]);
  });

  test('a hand-over is resolved: what the person writes is the answer, and the run ends', async () => {
    await place.start('stuck', 'resolved');
    const { page } = await open('#/run/resolved');
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByLabel('The answer').fill('Our lawyer takes it from here.');
    await page.getByRole('button', { name: 'End with this answer' }).click();
    await page.locator('.line.end').getByText('Our lawyer takes it from here.').waitFor();
    expect(await place.desk.client.result('resolved', { waitMs: 30_000 })).toMatchObject({ answer: 'Our lawyer takes it from here.' });
  });

  test('a run is taken over, given a tool call of the person\'s own, and given back', async () => {
    await place.start('stuck', 'taken');
    const { page } = await open('#/run/taken');
    await page.getByRole('button', { name: 'Take over' }).click();
    await page.getByRole('button', { name: 'Hold the run' }).click();
    await page.getByRole('button', { name: 'Run a tool' }).click();
    await page.getByLabel('Tool').fill('get_order');
    await page.getByLabel('Arguments').fill('{"order_id":"88214"}');
    await page.getByRole('button', { name: 'Run it' }).click();
    await page.locator('.observation').getByText('by asha').waitFor();
    await page.getByRole('button', { name: 'Give back' }).click();
    await page.getByRole('button', { name: 'Let the agent go on' }).click();
    await page.locator('.line.end').getByText('The order 88214 is in transit.').waitFor();
  });

  test('a run is cancelled, and what was asked for does not run', async () => {
    await place.start('refund', 'cancelled');
    const { page } = await open('#/run/cancelled');
    const before = place.paid.length;
    await page.getByRole('button', { name: 'Cancel the run' }).click();
    await page.getByLabel('Reason').fill('Wrong customer.');
    await page.getByRole('button', { name: 'End the run' }).click();
    await page.locator('.line.end').getByText('cancelled').waitFor();
    expect(place.paid.slice(before)).toEqual([]);
  });

  test('two browsers race for one approval: one wins, the other is told who decided what and when, and it runs once', async () => {
    const other = await place.serve({ auth: { kind: 'local', name: 'meera' } });
    await place.start('refund', 'race');
    const [one, two] = [await open('#/run/race'), await open('#/run/race', other.url)];
    const before = place.paid.length;
    for (const { page } of [one, two]) await page.getByRole('button', { name: /^Approve/ }).click();
    await Promise.all([one, two].map(({ page }) => page.getByRole('button', { name: 'Approve: run it now' }).click()));
    await Promise.all([one, two].map(({ page }) => page.getByRole('status').locator('p').waitFor()));
    const said = await Promise.all([one, two].map(({ page }) => page.getByRole('status').textContent()));
    expect(said.filter((text) => text?.includes('is approved and runs now'))).toHaveLength(1);
    expect(said.filter((text) => /Not taken \(approve\): (asha|meera) approved it on \d{1,2} \w{3} 2\d{3}, \d{1,2}:\d{2}/.test(text ?? ''))).toHaveLength(1);
    await place.desk.client.result('race', { waitMs: 30_000 });
    expect(place.paid.slice(before)).toEqual([{ order: '88213', amount: 505 }]);
    await other.close();
  });

  test('what somebody else decides meanwhile gives no way to another call under the person\'s hand', async () => {
    await place.start('insists', 'meantime-1');
    await place.start('refund', 'meantime-2');
    const { page } = await open();
    await choose(page, 'Pay ₹25 back for order 88213');
    await entryOf(page, 'meantime-1').waitFor();
    await page.getByRole('button', { name: 'Pay ₹505 back for order 88213' }).waitFor();
    await place.desk.client.cancel('meantime-1', { reason: 'twice', by: { name: 'meera', verified: true } });
    await page.getByText('This does not wait any more.').waitFor();
    await page.keyboard.press('a');
    expect(await page.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
    await page.keyboard.press('j');
    await entryOf(page, 'meantime-2').waitFor();
    await place.desk.client.cancel('meantime-2', { reason: 'done', by: { name: 'asha', verified: true } });
  });

  test('the console goes away and comes back: the page says so, keeps what it showed, and goes on by itself', async () => {
    const first = await place.serve({});
    await place.start('asks', 'away');
    const { page } = await open('#/inbox', first.url);
    await choose(page, 'Was the parcel of order 88213 opened?');
    await first.close();
    await page.getByText('The connection to the console is lost.').waitFor();
    expect(await page.locator('.entry').count()).toBeGreaterThan(0);
    await place.start('stuck', 'meanwhile');
    await place.serve({ port: Number(new URL(first.url).port) });
    await page.getByRole('button', { name: 'The customer threatens to sue.' }).waitFor();
    await page.getByText('The connection to the console is lost.').waitFor({ state: 'detached' });
    for (const id of ['away', 'meanwhile']) await place.desk.client.cancel(id, { reason: 'done', by: { name: 'asha', verified: true } });
  });

  test('the runs\' filters stand in the address, and a shared address shows the same', async () => {
    await place.start('asks', 'filtered');
    await place.desk.client.cancel('filtered', { reason: 'done', by: { name: 'asha', verified: true } });
    await place.desk.client.result('filtered', { waitMs: 30_000 });
    const { page } = await open('#/runs');
    await page.getByLabel('How it ended').selectOption('cancelled');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('link', { name: 'filtered' }).waitFor();
    expect(page.url()).toContain('endReason=cancelled');
    const { page: shared } = await open(new URL(page.url()).hash);
    await shared.getByText('CaseworkerEndReason = "cancelled"').waitFor();
    await shared.getByRole('link', { name: 'filtered' }).waitFor();
    expect(await shared.getByRole('link', { name: 'story-refund' }).count()).toBe(0);
  });

  test(`${HOSTILE.length} hostile texts as task, notes, names, arguments and errors are text everywhere: none runs, loads or leads away`, async () => {
    await place.desk.client.switches.disable({ agent: 'nobody', tool: HOSTILE[1] ?? '', reason: HOSTILE.join('\n'), by: { name: HOSTILE[2] ?? '', verified: true } });
    const { id } = await place.desk.client.start({ agent: HOSTILE_AGENT.name, task: `script:hostile ${HOSTILE.join('\n')}`, id: 'hostile' });
    for (const address of [`#/run/${id}`, '#/inbox', '#/runs', '#/overview', '#/switches', `#/package/${id}`]) {
      const { page, problems } = await open(address);
      await page.locator('main h1').waitFor();
      if (address === `#/run/${id}`) {
        await page.getByRole('heading', { name: 'What will run' }).or(page.getByText('What will run')).first().waitFor();
        const shown = await page.locator('main').textContent();
        expect(HOSTILE.filter((text) => !shown?.includes(text.slice(0, 40)))).toEqual([]);
      }
      if (address === '#/switches') await page.getByText('javascript:pwned = 1').first().waitFor();
      expect({ pwned: await page.evaluate(() => 'pwned' in globalThis), foreign: await page.locator('main').locator('img, iframe, script, object, embed, svg, video, style, link, base, math').count() }).toEqual({ pwned: false, foreign: 0 });
      expect(await page.locator('main a:not([href^="#"]):not([href^="http://127.0.0.1:1/"])').count()).toBe(0);
      expect(problems).toEqual([]);
    }
    await place.desk.client.cancel(id, { reason: HOSTILE[0] ?? '', by: { name: 'asha', verified: true } });
  });

  test('nobody is shut out: axe finds nothing serious on any view, light or dark, at phone and desk width', { timeout: 400_000 }, async () => {
    await place.start('refund', 'axe-held');
    await place.start('stuck', 'axe-stuck');
    await place.start('asks', 'axe-asks');
    const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    const found: string[] = [];
    for (const [width, colorScheme] of [[1_280, 'light'], [1_280, 'dark'], [360, 'light'], [360, 'dark']] as const) {
      const { page } = await visitors.open(place.console.url, { viewport: { width, height: 800 }, colorScheme, bypassCSP: true });
      for (const view of ['#/inbox', '#/runs', '#/run/axe-held', '#/run/axe-stuck', '#/run/axe-asks', '#/package/axe-stuck', '#/start', '#/overview', '#/switches']) {
        await page.goto(`${place.console.url}/${view}`);
        await page.reload();
        await page.locator('main h1').waitFor();
        await page.locator('main form, main .list, main .trace, main .detail, main .package').filter({ visible: true }).first().waitFor();
        if (view.startsWith('#/run/')) await page.getByText('Turn by turn').click();
        await page.evaluate(source);
        found.push(...(await page.evaluate(axeFindings)).map((finding) => `${view} ${width} ${colorScheme}: ${finding}`));
        const overflow = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth);
        if (overflow > 0) found.push(`${view} ${width}: ${overflow} px too wide`);
      }
    }
    expect(found).toEqual([]);
    for (const id of ['axe-held', 'axe-stuck', 'axe-asks']) {
      await place.desk.client.cancel(id, { reason: 'done', by: { name: 'asha', verified: true } });
      await place.desk.client.result(id, { waitMs: 30_000 });
    }
  });

  test('a stopped worker: the page says so, still tells the trace, and a decision is kept for later', async () => {
    await place.start('asks', 'stopped');
    await place.start('form', 'before');
    await place.desk.client.cancel('before', { reason: 'done', by: { name: 'asha', verified: true } });
    await place.desk.client.result('before', { waitMs: 30_000 });
    const { page } = await open('#/run/stopped');
    await page.getByLabel('Your answer').waitFor();
    await place.desk.stopWorker();
    await page.getByText('No worker answers for this run.').waitFor();
    expect(await page.locator('.trace').textContent()).toContain('Was the parcel of order 88213 opened?');
    const { page: inbox } = await open();
    await choose(inbox, 'Was the parcel of order 88213 opened?');
    await entryOf(inbox, 'stopped').getByText('No worker answers for this run.').waitFor();
    await inbox.getByLabel('Your answer').fill('No.');
    await inbox.getByRole('button', { name: 'Answer', exact: true }).click();
    await inbox.getByRole('status').getByText('Delivered, not yet applied').waitFor();
    const { page: ended } = await open('#/run/before');
    await ended.locator('.line.end').getByText('cancelled').waitFor();
  });
});

/** Runs in the page. */
async function axeFindings(): Promise<string[]> {
  const { axe } = globalThis as unknown as { axe: { run: () => Promise<{ violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[] }> } };
  const { violations } = await axe.run();
  return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => `${id} ${nodes.slice(0, 2).map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary.slice(0, 200)}`).join(' | ')}`);
}

/** Down and up again, faster than the page can draw; done once it has drawn. */
const TWO_KEYS_BEFORE_A_FRAME = `
  for (const key of ['j', 'k']) dispatchEvent(new KeyboardEvent('keydown', { key }));
  new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(true))));
`;
