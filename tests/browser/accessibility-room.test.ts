// Room for everybody: narrow screens, the page at 200 %, letters at 200 %, and text set wider. Nothing is wider than the
// screen, no label is cut, and no control lies on another.

import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openAlive, pages, setDepth, unlessFull } from './accessibility.ts';
import { useBook } from './book.ts';

const openPage = useBook();
const all = unlessFull(await pages());

const rooms: Record<string, { options: BrowserContextOptions; prepare?: (page: Page) => Promise<unknown> }> = {
  '320 pixels': { options: { viewport: { width: 320, height: 640 } } },
  'the page at 200 %': { options: { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 } },
  // As a reader sets it in the browser.
  'letters at 200 %': {
    options: { viewport: { width: 1280, height: 900 } },
    prepare: async (page) => (await page.context().newCDPSession(page)).send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } }),
  },
  'text set wider': {
    options: { viewport: { width: 390, height: 800 } },
    // The distances of WCAG 1.4.12.
    prepare: (page) => page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('*:not(math, math *) { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; } p { margin-bottom: 2em !important; }');
      document.adoptedStyleSheets = [sheet];
    }),
  },
};

/** What does not fit. */
async function misfits(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const name = (node: Element) => `${node.closest('[data-figure]')?.id ?? ''} ${node.localName}.${node.getAttribute('class')} “${(node.getAttribute('aria-label') ?? node.textContent ?? '').trim().slice(0, 40)}”`;
    const width = document.documentElement.scrollWidth;
    if (width > innerWidth) {
      const wide = [...document.querySelectorAll('body *')].filter((node) => node.getBoundingClientRect().right > innerWidth + 1 && ![...node.children].some((child) => child.getBoundingClientRect().right > innerWidth + 1) && !scroller(node));
      found.push(`the page is ${width} wide: ${wide.slice(0, 3).map(name).join(' | ')}`);
    }
    /** What scrolls sideways may hold more than is in sight. */
    function scroller(node: Element): Element | null {
      for (let above: Element | null = node; above && above !== document.body; above = above.parentElement) {
        if (['auto', 'scroll'].includes(getComputedStyle(above).overflowX) && above.scrollWidth > above.clientWidth) return above;
      }
      return null;
    }
    const shown = (node: Element) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !node.closest('.visually-hidden, .masthead-chapter, [aria-hidden=true] .visually-hidden');
    // Cut labels: text in a box that hides what is too long for it, and that nobody can scroll.
    for (const node of document.querySelectorAll<HTMLElement>('main *, .masthead *')) {
      if (node instanceof SVGElement || node.childElementCount > 0 && ![...node.childNodes].some((child) => child.nodeType === 3 && child.textContent!.trim() !== '')) continue;
      if (node.textContent!.trim() === '' || !shown(node)) continue;
      for (let box: HTMLElement | null = node; box && box !== document.body; box = box.parentElement) {
        const { overflowX, overflowY, position } = getComputedStyle(box);
        const [across, down] = [overflowX, overflowY].map((way) => ['hidden', 'clip'].includes(way));
        if (!across && !down) continue;
        if (position === 'absolute' && box.clientWidth <= 1) break;
        if (box instanceof HTMLTextAreaElement || box.matches('.setting-options span')) break;
        const inner = node.getBoundingClientRect();
        const outer = box.getBoundingClientRect();
        if ((across && (inner.right > outer.right + 2 || box.scrollWidth > box.clientWidth + 2)) || (down && inner.bottom > outer.bottom + 2)) found.push(`cut: ${name(node)}`);
        break;
      }
    }
    // Controls that lie on one another, or beside the screen.
    const controls = [...document.querySelectorAll<HTMLElement>('main :is(button, a[href], input, select, textarea, summary), .masthead :is(a, summary, label)')]
      .filter((node) => shown(node) && !node.closest('.setting-options, .dial-drag, .blend-share') && !node.matches('.heading-link'));
    const places = controls.map((node) => ({ node, rooms: [...node.getClientRects()] }));
    for (const { node, rooms: own } of places) {
      if (own.some(({ left, right }) => left < -1 || right > innerWidth + 1) && !scroller(node)) found.push(`beside the screen: ${name(node)}`);
    }
    for (const [at, one] of places.entries()) {
      for (const other of places.slice(at + 1)) {
        if (one.node.contains(other.node) || other.node.contains(one.node) || scroller(one.node) !== scroller(other.node)) continue;
        const over = one.rooms.some((a) => other.rooms.some((b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 3 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3));
        // Lines of running text may touch where they are set wide.
        if (over && !(one.node.matches('p a, li a') && other.node.matches('p a, li a'))) found.push(`overlap: ${name(one.node)} and ${name(other.node)}`);
      }
    }
    return [...new Set(found)];
  });
}

describe.each(Object.entries(rooms))('%s', (_, { options, prepare }) => {
  it.each(all)('%s fits', { timeout: 300_000 }, async (name) => {
    const page = await openAlive(openPage, name, options);
    if (await page.locator('.setting-depth').isVisible()) await setDepth(page, 'Math');
    await prepare?.(page);
    await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))));
    expect(await misfits(page)).toEqual([]);
  });
});
