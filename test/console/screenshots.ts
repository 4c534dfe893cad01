import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { A_MONTH } from './a-month.ts';
import { openBrowser } from './browser.ts';
import { openConsoleDesk } from './console-desk.ts';
import type { ConsoleDesk } from './console-desk.ts';
import { openIssuer } from './issuer.ts';

/** Pictures of every view at phone, desk and wall width, light and dark, to be looked at: `npx tsx test/console/screenshots.ts [folder]`. */
const SIZES = [['phone', 360, 740], ['desk', 1440, 900], ['wide', 2560, 1300]] as const;
const SCHEMES = ['light', 'dark'] as const;

const folder = resolve(process.argv[2] ?? 'coverage/screenshots');
const dataDir = await mkdtemp(join(tmpdir(), 'caseworker-pictures-'));
await mkdir(folder, { recursive: true });
const place = await openConsoleDesk({ dataDir });
const issuer = await openIssuer({ staff: { is: 'viewer' } });
const signed = await place.serve({ auth: { kind: 'token', config: issuer.config } });
const browser = await openBrowser();
try {
  for (const view of ['inbox', 'runs', 'overview']) await picture(await (await browser.newContext({ viewport: { width: 1_440, height: 600 } })).newPage(), `#/${view}`, `empty-${view}`);
  await fill(place);
  for (const [size, width, height] of SIZES) {
    for (const colorScheme of SCHEMES) {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme });
      await pictures(await context.newPage(), `${size}-${colorScheme}`);
      await signIn(await context.newPage(), `sign-in-${size}-${colorScheme}`);
      await context.close();
    }
  }
  await lost(place);
} finally {
  await browser.close();
  await place.close();
  await issuer.close();
  await rm(dataDir, { recursive: true, force: true });
}

async function pictures(page: Page, name: string): Promise<void> {
  for (const [view, address] of Object.entries({
    inbox: '#/inbox', runs: '#/runs', held: '#/run/held', ended: '#/run/ended', stuck: '#/run/stuck', lost: '#/run/lost', asks: '#/run/form', package: '#/package/stuck',
    start: '#/start', overview: '#/overview', switches: '#/switches',
  })) await picture(page, address, `${view}-${name}`);
  await page.route('**/api/overview', (route) => route.fulfill({ json: A_MONTH }));
  await picture(page, '#/overview', `month-${name}`);
  await page.goto(`${place.console.url}/#/run/ended`);
  await page.getByText('Turn by turn').click();
  await page.locator('.by-turn').screenshot({ path: join(folder, `by-turn-${name}.png`) });
  await page.goto(`${place.console.url}/#/inbox`);
  await page.getByRole('button', { name: 'The customer threatens to sue.' }).click();
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  await shoot(page, `hand-over-${name}`);
  await page.goto(`${place.console.url}/#/inbox`);
  await page.reload();
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  await page.screenshot({ path: join(folder, `inbox-first-screen-${name}.png`) });
  await page.keyboard.press('e');
  await page.getByLabel('Amount').fill('25');
  await shoot(page, `edit-${name}`);
}

/** As it is after a token that is none. */
async function signIn(page: Page, name: string): Promise<void> {
  await page.goto(`${signed.url}/#/inbox`);
  await page.getByLabel('Token').fill('not.a.token');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('The token is none that is accepted here').waitFor();
  await shoot(page, name);
}

/** As high as what is on it: what sticks to the lower edge then stands where it ends. */
async function shoot(page: Page, name: string): Promise<void> {
  const size = page.viewportSize() ?? { width: 1_440, height: 900 };
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  await page.setViewportSize({ width: size.width, height: Math.max(size.height, height) });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  await page.setViewportSize(size);
}

async function picture(page: Page, address: string, name: string): Promise<void> {
  await page.goto(`${place.console.url}/${address}`);
  await page.reload();
  await page.locator('main h1').waitFor();
  await page.locator('main .notice, main .quiet, main .list, main .package, main form').filter({ visible: true }).first().waitFor();
  await page.waitForLoadState('networkidle', { timeout: 1_500 }).catch(() => undefined);
  await shoot(page, name);
}

/** What the page says when its worker, and then the console itself, is gone. */
async function lost({ desk, serve, openArchive }: ConsoleDesk): Promise<void> {
  const console = await serve({});
  const page = await (await browser.newContext({ viewport: { width: 1_440, height: 900 } })).newPage();
  const stopped = desk.stopWorker();
  openArchive();
  await stopped;
  await page.goto(`${console.url}/#/run/held`);
  await page.getByText('No worker answers for this run.').waitFor();
  await page.screenshot({ path: join(folder, 'no-worker-run.png') });
  await page.goto(`${console.url}/#/runs`);
  await page.getByText('may have cost more since').waitFor();
  await page.screenshot({ path: join(folder, 'no-worker-runs.png') });
  await page.goto(`${console.url}/#/inbox`);
  await page.locator('.entry').first().waitFor();
  await page.getByRole('article').getByText('Task:').waitFor();
  await console.close();
  await page.getByText('The connection to the console is lost.').waitFor();
  await page.screenshot({ path: join(folder, 'no-console.png') });
}

async function fill({ desk, start }: ConsoleDesk): Promise<void> {
  await start('refund', 'held');
  await untilStatus(desk.client, 'held', 'waiting_approval');
  await start('asks', 'asks');
  await start('form', 'form');
  await start('lost', 'lost');
  await start('slow', 'slow');
  await untilStatus(desk.client, 'slow', 'waiting_answer');
  await desk.client.answer('slow', { call: '1.1', text: 'Fragile.', by: { name: 'meera', verified: true } });
  for (const story of ['quick', 'quick', 'insists']) await desk.client.cancel(await start(story), { reason: 'twice', by: { name: 'meera', verified: true } }).catch(() => undefined);
  await desk.client.switches.disable({ agent: 'desk', tool: 'send_letter', reason: 'The printer is out of paper.', by: { name: 'meera', verified: true } });
  await start('stuck', 'stuck');
  await start('refund', 'ended');
  await untilStatus(desk.client, 'ended', 'waiting_approval');
  const held = (await desk.client.progress('ended'))?.held?.[0];
  await desk.client.edit('ended', { call: '2.1', argsHash: held?.argsHash ?? '', args: { order_id: '88213', amount: 25, note: 'late delivery' }, by: { name: 'meera', verified: true }, reason: 'only the fee' });
  await desk.client.result('ended', { waitMs: 30_000 });
  await untilStatus(desk.client, 'stuck', 'handed_over');
  await untilStatus(desk.client, 'asks', 'waiting_answer');
  await untilStatus(desk.client, 'lost', 'waiting_outcome');
}

async function untilStatus(client: ConsoleDesk['desk']['client'], id: string, status: string): Promise<void> {
  for (let tries = 0; tries < 2_000; tries += 1) {
    if ((await client.progress(id))?.status === status) return;
  }
  throw new Error(`${id} does not get to ${status}: ${JSON.stringify(await client.show(id))}`);
}
