// The built book in Chromium, for the tests of chapters: one browser and one served site a file, a fresh context a page,
// and after every test no page has complained.

import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { complaintsOf, launch, root, serve, type Site } from './site.ts';

/** Opens a page of the book: its file name and fragment. */
export type OpenPage = (place: string, options?: BrowserContextOptions) => Promise<Page>;

/** Sets up a test file. */
export function useBook(): OpenPage {
  let browser: Browser;
  let site: Site;
  const pages: { page: Page; complaints: string[] }[] = [];

  beforeAll(async () => {
    [browser, site] = await Promise.all([launch(), serve(process.env['LOOKBACK_DIST'] ?? join(root, 'web/dist'))]);
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });
  afterEach(async () => {
    const complaints = pages.flatMap((opened) => opened.complaints);
    await Promise.all(pages.splice(0).map(({ page }) => page.context().close()));
    expect(complaints).toEqual([]);
  });

  return async (place, options = {}) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', ...options });
    // A machine may be busy with other things.
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    pages.push({ page, complaints: complaintsOf(page) });
    await page.goto(site.address + place);
    return page;
  };
}
