import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acquireServer } from '../../worker/embedded-server.ts';
import { readRecord } from '../../worker/server-record.ts';
import { temporaryDataDir } from '../support/test-server.ts';
import { openBrowser, SKIPS_PAGE } from './browser.ts';
import { openConsoleDesk } from './console-desk.ts';
import type { ConsoleDesk } from './console-desk.ts';
import { visitorsOf } from './visitors.ts';

describe.skipIf(SKIPS_PAGE)('the Temporal server goes away', { timeout: 180_000 }, () => {
  const dataDir = temporaryDataDir();
  let place: ConsoleDesk;
  let browser: Browser;
  const visitors = visitorsOf(() => browser);

  beforeAll(async () => {
    place = await openConsoleDesk({ dataDir });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await place?.close();
  });

  test('killed and started again on the same port and data: each view says what is going on and what to do, and goes on by itself', async () => {
    await place.start('fee', 'before');
    const open = async (address: string) => (await visitors.open(`${place.console.url}/${address}`)).page;
    const [inbox, runs, run] = [await open('#/inbox'), await open('#/runs'), await open('#/run/before')];
    await inbox.getByRole('button', { name: 'Pay ₹25 back for order 88213' }).waitFor();
    await runs.getByRole('link', { name: 'before' }).waitFor();
    await run.getByRole('button', { name: 'Approve' }).waitFor();
    const pid = readRecord(join(dataDir, 'server'))?.process.pid;
    if (pid === undefined) throw new Error('no server is recorded');
    process.kill(pid, 'SIGKILL');
    for (const page of [inbox, runs, run]) {
      await page.getByText('The Temporal server does not answer.', { exact: true }).waitFor({ timeout: 60_000 });
      expect(await page.getByRole('alert').first().textContent()).toMatch(/none is lost.*tries again by itself.*caseworker dev.*What you see is from/s);
    }
    await inbox.getByRole('button', { name: 'Pay ₹25 back for order 88213' }).waitFor();
    const overview = await open('#/overview');
    await overview.getByText('The Temporal server does not answer.', { exact: true }).waitFor({ timeout: 60_000 });
    const again = await acquireServer({ dataDir, report: () => undefined, ports: 'free' });
    expect(again.startedByUs).toBe(true);
    for (const page of [inbox, runs, run, overview]) await page.getByText('The Temporal server does not answer.', { exact: true }).waitFor({ state: 'detached', timeout: 60_000 });
    await run.getByRole('button', { name: 'Approve' }).click();
    await run.getByRole('button', { name: 'Approve: run it now' }).click();
    await run.locator('.line.end').getByText('₹25 is paid back for order 88213.').waitFor({ timeout: 60_000 });
    expect(place.paid).toEqual([{ order: '88213', amount: 25 }]);
    await visitors.leave();
    await again.release();
  });
});
