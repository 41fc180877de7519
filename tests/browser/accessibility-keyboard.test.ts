// The whole book by keyboard: Tab reaches every control once, in the order of the page, and leaves it again; the focus is
// always seen, and never under the bar that stays at the top; no letter alone does anything.

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openAlive, pages, unlessFull } from './accessibility.ts';
import { useBook } from './book.ts';

const openPage = useBook();
const all = await pages();
const some = unlessFull(all);

interface Stop {
  /** Number of the control in the order of the page; −1: none that was expected. */
  at: number;
  what: string;
  /** Differs from how it looks without the focus. */
  seen: boolean;
  /** In sight, at least its first 8 pixels. */
  inSight: boolean;
}

/** The number of a frame that is no control. */
const scrollerAlone = -2;

/** Numbers all that Tab should reach and teaches the page to tell about its focus. Returns what is numbered. */
async function prepare(page: Page): Promise<string[]> {
  return page.evaluate((scrollerAlone) => {
    const reachable = 'a[href], button, input, select, textarea, summary, [tabindex]';
    const radios = new Set<string>();
    const stops = [...document.querySelectorAll<HTMLElement>(reachable)].filter((node) => {
      if (node.tabIndex < 0 || node.matches(':disabled') || node.closest('[inert]')) return false;
      if (!node.checkVisibility({ visibilityProperty: true }) || node.getClientRects().length === 0) return false;
      // Of radio buttons, the chosen one is in the order; where none is, one of them.
      if (!(node instanceof HTMLInputElement) || node.type !== 'radio') return true;
      const chosen = document.querySelector(`input[name="${node.name}"]:checked`);
      if (chosen ? chosen !== node : radios.has(node.name)) return false;
      radios.add(node.name);
      return true;
    });
    stops.forEach((node, at) => (node.dataset['stop'] = String(at)));
    const name = (node: Element) => `${node.localName}#${node.id}.${node.getAttribute('class')} ${(node.getAttribute('aria-label') ?? node.textContent ?? '').trim().slice(0, 40)}`;
    // The focus may be drawn on the thing itself, on what is in it, or on what stands behind an unseen radio button.
    const look = (node: Element) => {
      const parts = [node, ...node.querySelectorAll('.grid-ring, .arrow-grip, .blend-grip'), ...(node.matches('.setting-options input') ? [node.nextElementSibling!] : [])];
      return parts.map((part) => {
        const { outlineStyle, outlineWidth, boxShadow, stroke, strokeWidth } = getComputedStyle(part);
        return outlineStyle === 'none' ? [boxShadow, stroke, strokeWidth] : [outlineStyle, outlineWidth, boxShadow, stroke, strokeWidth];
      });
    };
    // A browser puts what scrolls into the order by itself where nothing in it takes the focus.
    const scrolls = (node: Element) => [getComputedStyle(node).overflowX, getComputedStyle(node).overflowY].some((way) => ['auto', 'scroll'].includes(way));
    let before: { node: Element; look: string } | null = null;
    Object.assign(window, {
      tellFocus() {
        const node = document.activeElement;
        const unseen: string[] = [];
        if (before?.node.isConnected && before.look === JSON.stringify(look(before.node))) unseen.push(name(before.node));
        before = null;
        if (!node || node === document.body || node === document.documentElement) return { at: null, unseen };
        before = { node, look: JSON.stringify(look(node)) };
        const place = node.getBoundingClientRect();
        const bar = document.querySelector('.masthead')!;
        const top = bar.contains(node) || node.matches('.skip') ? 0 : bar.getBoundingClientRect().bottom;
        const height = Math.min(place.height, 8);
        const inSight = place.top >= top - 2 ? place.top + height <= innerHeight + 1 : place.bottom - top >= Math.min(place.height, innerHeight - top) - 2;
        return { at: Number((node as HTMLElement).dataset['stop'] ?? (scrolls(node) ? scrollerAlone : -1)), what: name(node), inSight, unseen };
      },
    });
    return stops.map(name);
  }, scrollerAlone);
}

interface Told {
  at: number | null;
  what: string;
  inSight: boolean;
  unseen: string[];
}

/** Walks with a key from where the focus is until it has left the page; tells every stop. */
async function walk(page: Page, key: 'Tab' | 'Shift+Tab', most: number): Promise<{ stops: Stop[]; left: boolean }> {
  const stops: Stop[] = [];
  for (let press = 0; press <= most; press++) {
    await page.keyboard.press(key);
    const { at, what, inSight, unseen } = await page.evaluate(() => (window as unknown as { tellFocus(): Told }).tellFocus());
    if (unseen.length > 0) stops.at(-1)!.seen = false;
    // A browser without a bar of its own begins anew.
    if (at === null || (stops.length > 1 && at === stops[0]!.at)) return { stops, left: true };
    if (at !== scrollerAlone) stops.push({ at, what, seen: true, inSight });
  }
  return { stops, left: false };
}

/** A grid is one stop, whichever of its cells is the one in it. */
const gridOf = (what: string) => (what.startsWith('g#.grid-cell') ? 'a grid' : what);

describe.each(some)('%s', (name) => {
  it('is walked by Tab alone, there and back', { timeout: 600_000 }, async () => {
    const page = await openAlive(openPage, name);
    const expected = await prepare(page);
    expect(expected.length).toBeGreaterThan(5);
    for (const key of ['Tab', 'Shift+Tab'] as const) {
      const { stops, left } = await walk(page, key, expected.length + 10);
      expect(left, `${key} leaves the page; the last stops: ${stops.slice(-3).map(({ what }) => what).join(' | ')}`).toBe(true);
      const order = key === 'Tab' ? expected.map((_, at) => at) : expected.map((_, at) => expected.length - 1 - at);
      expect(stops.map(({ at, what }) => gridOf(at < 0 ? what : expected[at]!)), key).toEqual(order.map((at) => gridOf(expected[at]!)));
      expect(stops.filter(({ seen }) => !seen).map(({ what }) => what), `${key}: focus not seen`).toEqual([]);
      expect(stops.filter(({ inSight }) => !inSight).map(({ what }) => what), `${key}: focus out of sight`).toEqual([]);
    }
  });
});

describe('a letter alone', () => {
  it.each(all.filter((name) => /^\d/.test(name)))('does nothing in %s', { timeout: 300_000 }, async (name) => {
    const page = await openAlive(openPage, name);
    // What measures or trains goes on by itself.
    const state = () => page.evaluate(() => {
      const words = () => {
        const copy = document.querySelector('main')!.cloneNode(true) as Element;
        for (const busy of copy.querySelectorAll('price-here, train-live, learn-a-head')) busy.remove();
        return copy.textContent;
      };
      return { hash: location.hash, text: words(), scroll: scrollY, open: document.querySelectorAll('details[open]').length, focus: document.activeElement?.id ?? '' };
    });
    const letters = 'abcdefghijklmnopqrstuvwxyz0123456789?/.,';
    const press = async (where: string) => {
      const before = await state();
      for (const letter of letters) await page.keyboard.press(letter);
      expect(await state(), where).toEqual(before);
    };
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await press('the page');
    for (const figure of await page.locator('[data-figure]').all()) {
      const id = (await figure.getAttribute('id'))!;
      // A button, a cell or a picture: whatever takes keys and is no field.
      const picture = figure.locator('.figure-picture').locator(':is(button:not(:disabled):not([tabindex="-1"]), [tabindex="0"])').filter({ visible: true }).first();
      const target = (await picture.count()) > 0 ? picture : figure.getByRole('button', { name: 'Reset' });
      await target.focus();
      await press(id);
    }
  });
});
