// By keyboard: Escape closes what is open and the focus goes back, the ring of the focus is seen on any ground and never
// cut off, and a frame is a stop only where it scrolls.

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBook } from './book.ts';
import { figureOn, settled } from './figures.ts';

const openPage = useBook();

const focused = (page: Page) => page.evaluate(() => document.activeElement!.getAttribute('data-cell') ?? document.activeElement!.getAttribute('data-head') ?? document.activeElement!.textContent!.trim());

describe('Escape', () => {
  it.each(['Numbers', 'Send as a lesson'])('closes “%s” from within', async (words) => {
    const page = await openPage('02-searching.html');
    const figure = await figureOn(page, 'softmax-dial');
    const opener = figure.getByText(words, { exact: true });
    await opener.click();
    const inside = figure.locator('details[open]').locator('input, button').first();
    await inside.focus();
    await page.keyboard.press('Escape');
    expect(await figure.locator('details[open]').count()).toBe(0);
    expect(await focused(page)).toBe(words);
    await inside.waitFor({ state: 'hidden' });
  });

  it('closes an opened square, and so does its button', async () => {
    const page = await openPage('03-one-head.html#&one-head.stage=shares&one-head.row=5&one-head.col=3');
    const figure = await figureOn(page, 'one-head');
    const panel = figure.locator('.opened');
    const square = figure.locator('[data-cell="5,3"]');
    await panel.locator('.segment').first().focus();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('5,3');
    await square.press('Enter');
    await panel.getByRole('button', { name: 'Close' }).press('Enter');
    await panel.waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('5,3');
  });

  it('closes an opened head, and a worked match', async () => {
    const page = await openPage('03-one-head.html');
    const gallery = await figureOn(page, 'head-gallery');
    const head = gallery.locator('button.gallery-head').first();
    await head.click();
    await gallery.locator('.gallery-open').getByRole('button', { name: 'Close' }).focus();
    await page.keyboard.press('Escape');
    await gallery.locator('.gallery-open').waitFor({ state: 'detached' });
    expect(await focused(page)).toBe(await head.getAttribute('data-head'));

    const other = await openPage('01-a-word-alone.html');
    const lens = await figureOn(other, 'context-lens');
    const why = lens.locator('.match-score').first();
    await why.press('Enter');
    await lens.locator('.need-workings').waitFor();
    await other.keyboard.press('Escape');
    await lens.locator('.need-workings').waitFor({ state: 'detached' });
    expect(await other.evaluate(() => document.activeElement!.className)).toBe('match-score');
  });
});

describe('the ring of the focus', () => {
  it.each(['light', 'dark'] as const)('has two colours on a dark square, %s', async (colorScheme) => {
    const page = await openPage('03-one-head.html#&one-head.stage=shares', { colorScheme });
    const figure = await figureOn(page, 'one-head');
    await figure.locator('[data-cell="0,0"]').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    const strokes = await figure.locator('[data-cell="0,0"]').evaluate((cell) => {
      const probe = document.createElement('i');
      cell.closest('.figure')!.append(probe);
      const colour = (name: string) => ((probe.style.color = `var(${name})`), getComputedStyle(probe).color);
      const [paper, accent] = [colour('--paper'), colour('--accent')];
      const seen = [...cell.querySelectorAll('rect')].map((rect) => getComputedStyle(rect)).filter(({ stroke }) => stroke !== 'none');
      probe.remove();
      return seen.map(({ stroke, strokeWidth }) => [stroke === paper ? 'paper' : stroke === accent ? 'accent' : stroke, parseFloat(strokeWidth)]);
    });
    // The later one is drawn over the earlier, wider one.
    expect(strokes).toEqual([['paper', 10], ['accent', 6]]);
  });

  it.each([360, 800, 1440])('is not cut off in an opened square, at %i px', async (width) => {
    const page = await openPage('03-one-head.html#&one-head.stage=shares&one-head.row=5&one-head.col=3', { viewport: { width, height: 900 } });
    const figure = await figureOn(page, 'one-head');
    await figure.locator('.opened .segment').first().focus();
    await page.keyboard.press('ArrowRight');
    const cut = await page.evaluate(() => {
      const node = document.activeElement!;
      const { outlineWidth, outlineOffset } = getComputedStyle(node);
      const reach = parseFloat(outlineWidth) + parseFloat(outlineOffset);
      const own = node.getBoundingClientRect();
      for (let frame = node.parentElement; frame && !frame.matches('.figure'); frame = frame.parentElement) {
        if (getComputedStyle(frame).overflowX === 'visible') continue;
        const room = frame.getBoundingClientRect();
        const beyond = Math.max(room.left - own.left, room.top - own.top, own.right - room.right, own.bottom - room.bottom) + reach;
        if (beyond > 0.5) return `${frame.className}: ${beyond}`;
      }
      return `${node.textContent} ${reach}`;
    });
    expect(cut).toBe('In order 4');
  });
});

it.each([1280, 360])('a frame is a stop of the Tab key where it scrolls, and only there, at %i px', async (width) => {
  for (const name of ['index.html', '05-heads-and-layers.html', '06-the-price.html']) {
    const page = await openPage(name, { viewport: { width, height: 900 } });
    for (const figure of await page.locator('[data-figure]').all()) {
      await figure.scrollIntoViewIfNeeded();
      await settled(figure);
    }
    const wrong = () => page.evaluate(() => [...document.querySelectorAll<HTMLElement>('[role=region][tabindex]')]
      .filter((frame) => frame.checkVisibility() && (frame.tabIndex === 0) !== (frame.scrollWidth > frame.clientWidth + 1 || frame.scrollHeight > frame.clientHeight + 1))
      .map((frame) => frame.getAttribute('aria-label')));
    await expect.poll(wrong, { message: name }).toEqual([]);
    expect(await page.locator('[role=region][tabindex]').count()).toBeGreaterThan(0);
    await page.context().close();
  }
});
