// Fonts that do not come: what stands in for the book's own fits.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chapters, dist, settled } from './figures.ts';
import { launch, serve, type Site } from './site.ts';

let site: Site;
let browser: Browser;
const all = await chapters();

beforeAll(async () => {
  [site, browser] = await Promise.all([serve(dist), launch()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

/** Every font file of the site is refused; `blocked` are those that were asked for. */
async function openWithout(place: string, width: number): Promise<{ page: Page; blocked: string[] }> {
  const blocked: string[] = [];
  const context = await browser.newContext({ viewport: { width, height: 900 }, reducedMotion: 'reduce', serviceWorkers: 'block' });
  const page = await context.newPage();
  await page.route(/\.woff2?$/, (route) => (blocked.push(route.request().url()), route.abort()));
  await page.goto(site.address + place);
  for (const figure of await page.locator('[data-figure]').all()) {
    await figure.scrollIntoViewIfNeeded();
    await settled(figure);
  }
  await page.evaluate(() => document.fonts.ready);
  return { page, blocked };
}

/** Words that are cut off: in a box that hides what does not fit, or past the screen's edge. */
const clipped = (page: Page) =>
  page.evaluate(() => {
    const cut: string[] = [];
    for (const node of document.querySelectorAll<HTMLElement>('main *')) {
      if (node.closest('.visually-hidden') || node.getClientRects().length === 0 || node.clientWidth <= 1) continue; // only heard, or not there
      const style = getComputedStyle(node);
      const own = [...node.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.textContent!.trim() !== '');
      if (!own || style.textOverflow === 'ellipsis') continue;
      const hides = (side: string) => side === 'hidden' || side === 'clip';
      if ((hides(style.overflowX) && node.scrollWidth > node.clientWidth + 1) || (hides(style.overflowY) && node.scrollHeight > node.clientHeight + 1)) cut.push(`${node.className}: ${node.textContent!.trim().slice(0, 40)}`);
    }
    return cut;
  });

describe('without the book’s own fonts', () => {
  it.each(all)('%s: nothing is wider than the screen and nothing is cut off', { timeout: 300_000 }, async (place) => {
    for (const width of [360, 1280]) {
      const { page, blocked } = await openWithout(place, width);
      expect(blocked.length).toBeGreaterThan(0);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      expect(await clipped(page)).toEqual([]);
      await page.context().close();
    }
  });
});
