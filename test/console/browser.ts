import { execFileSync } from 'node:child_process';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

/** Where Chromium is on this machine, if it is. */
export const CHROMIUM = findChromium();

function findChromium(): string | undefined {
  try {
    return execFileSync('sh', ['-c', 'command -v chromium || command -v chromium-browser || command -v google-chrome'], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Where Chromium must be there, its tests fail without it instead of being skipped. */
export const SKIPS_PAGE = CHROMIUM === undefined && process.env['CASEWORKER_TEST_CHROMIUM'] !== 'required';

export async function openBrowser(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error('Chromium is not installed: apt-get install chromium.');
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'] });
}
