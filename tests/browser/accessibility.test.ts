// WCAG 2.2 AA as far as axe can tell, on every page, in both themes, at each depth; and the order of headings.

import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openAlive, pages, setDepth } from './accessibility.ts';
import { useBook } from './book.ts';

const openPage = useBook();
const all = await pages();

/** What axe finds wrong, by its own rules and by those of WCAG that it leaves off. */
async function faults(page: Page, where: object | null = null): Promise<string[]> {
  return page.evaluate(async (context) => {
    const { axe: tool } = window as unknown as { axe: typeof import('axe-core') };
    const rules = { 'target-size': { enabled: true }, 'label-content-name-mismatch': { enabled: true } };
    const { violations } = await tool.run((context ?? document) as never, { resultTypes: ['violations'], rules });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target, html }) => `${id}: ${target.join(' ')} ${html.slice(0, 160)}`));
  }, where);
}

describe.each(all)('%s', (name) => {
  it('passes axe in both themes at each depth', { timeout: 900_000 }, async () => {
    const page = await openAlive(openPage, name);
    await page.evaluate(axe.source);
    const hasDepths = await page.locator('.setting-depth').isVisible();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await faults(page), colorScheme).toEqual([]);
      // Figures are the same at every depth.
      for (const depth of hasDepths ? (['Plain', 'Math', 'Detail'] as const) : []) {
        await setDepth(page, depth);
        expect(await faults(page, { include: [['body']], exclude: [['[data-figure]']] }), `${colorScheme}, ${depth}`).toEqual([]);
      }
    }
  });

  it('has one first heading, no step left out below it, and landmarks with names of their own', async () => {
    const page = await openPage(name);
    for (const depth of ['Plain', 'Detail', 'Math'] as const) {
      if (await page.locator('.setting-depth').isVisible()) await setDepth(page, depth);
      const levels = await page.locator('h1, h2, h3, h4, h5, h6').evaluateAll((found) => found.filter((heading) => heading.checkVisibility()).map((heading) => Number(heading.localName[1])));
      expect(levels.filter((level) => level === 1), depth).toHaveLength(1);
      expect(levels[0], depth).toBe(1);
      levels.forEach((level, at) => expect(level - (levels[at - 1] ?? level), `${depth}, heading ${at}`).toBeLessThanOrEqual(1));
    }
    const landmarks = await page.evaluate(() => ['header', 'main', 'footer'].map((tag) => document.querySelectorAll(`body > ${tag}`).length));
    expect(landmarks).toEqual([1, 1, 1]);
    const navigations = await page.locator('nav').evaluateAll((found) => found.map((nav) => nav.getAttribute('aria-label') ?? nav.getAttribute('aria-labelledby')));
    expect(new Set(navigations).size).toBe(navigations.length);
    expect(navigations).not.toContain(null);
  });
});
