import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

export interface Visit {
  readonly page: Page;
  /** What must not happen on a page: errors, dialogs, scripts that the policy stopped, requests to other places. */
  readonly problems: string[];
}

/** Persons' browsers: each visit is one of its own, in India, at desk width. */
export interface Visitors {
  open(address: string, options?: BrowserContextOptions): Promise<Visit>;
  leave(): Promise<void>;
}

export function visitorsOf(browser: () => Browser): Visitors {
  const contexts: BrowserContext[] = [];
  return {
    open: async (address, options = {}) => {
      const context = await browser().newContext({ viewport: { width: 1_280, height: 900 }, timezoneId: 'Asia/Kolkata', locale: 'en-IN', ...options });
      contexts.push(context);
      const page = await context.newPage();
      const problems = watched(page, new URL(address).origin);
      await page.goto(address);
      return { page, problems };
    },
    leave: async () => {
      for (const context of contexts.splice(0)) await context.close();
    },
  };
}

function watched(page: Page, origin: string): string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) problems.push(`csp: ${message.text()}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) problems.push(`request: ${request.url()}`);
  });
  return problems;
}
