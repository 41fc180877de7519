// What a reader has in hand is not taken away: the focus goes on with what it opened, an emptied field leaves its figure as
// tall as it was, buttons that make a text grow stay where they are, and the ring of the focus is whole.

import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBook } from './book.ts';
import { settled } from './figures.ts';

const openPage = useBook();

async function figureAt(place: string, id: string, width = 1280): Promise<{ page: Page; figure: Locator }> {
  const page = await openPage(place, { viewport: { width, height: 900 } });
  const figure = page.locator(`#${id}`);
  await figure.scrollIntoViewIfNeeded();
  await settled(figure);
  return { page, figure };
}

it('the focus goes to the question, its answers, what the answer opened, and back', async () => {
  const { page, figure } = await figureAt('05-heads-and-layers.html', 'logit-lens');
  const focused = () => page.evaluate(() => document.activeElement!.className);
  const words = () => page.evaluate(() => document.activeElement!.textContent!.trim());
  await figure.getByRole('button', { name: 'Guess first' }).press('Enter');
  expect(await focused()).toBe('lens-question');
  await page.keyboard.press('Tab');
  expect(await words()).toBe('before any');
  await page.keyboard.press('Enter');
  expect(await focused()).toBe('lens-verdict');
  await figure.getByRole('button', { name: 'Stop guessing' }).press('Enter');
  expect(await words()).toBe('Guess first');
});

describe.each([
  ['03-one-head.html', 'one-head'],
  ['05-heads-and-layers.html', 'head-views'],
  ['05-heads-and-layers.html', 'head-finder'],
  ['05-heads-and-layers.html', 'logit-lens'],
  ['05-heads-and-layers.html', 'layer-map'],
  ['05-heads-and-layers.html', 'never-ahead'],
  ['07-the-lab.html', 'continue-text'],
])('in %s, %s', (place, id) => {
  it('is as tall with an emptied text as before, and as tall again with a text', async () => {
    const { figure } = await figureAt(place, id);
    const field = figure.locator('textarea').first();
    const text = await field.inputValue();
    const heights = () => figure.locator('.figure, .figure-picture').evaluateAll((parts) => parts.map((part) => Math.round(part.getBoundingClientRect().height)));
    await field.click();
    const before = await heights();
    await field.fill('');
    await settled(figure);
    await figure.locator('.figure-picture > .figure-error').waitFor();
    expect((await heights())[0]).toBe(before[0]);
    await field.fill(text);
    await settled(figure);
    expect(await heights()).toEqual(before);
    // A text that needs less room takes less.
    expect(await figure.locator('.figure-picture').evaluate((picture) => picture.style.minHeight)).toBe('');
  });
});

it.each([360, 800, 1280])('the buttons of a text that goes on, at %i px', async (width) => {
  const { figure } = await figureAt('07-the-lab.html', 'continue-text', width);
  const buttons = figure.locator('.next-buttons button');
  const places = () => buttons.evaluateAll((found) => found.map((button) => {
    const { x, y } = button.getBoundingClientRect();
    const from = button.closest('.figure')!.getBoundingClientRect();
    return [Math.round(x - from.x), Math.round(y - from.y)];
  }));
  const before = await places();
  const height = () => figure.locator('.next-tokens').evaluate((node) => node.getBoundingClientRect().height);
  const low = await height();
  for (let step = 0; step < 12; step++) {
    await figure.getByRole('button', { name: 'Step', exact: true }).click();
    await settled(figure);
    expect(await places(), `step ${step}`).toEqual(before);
  }
  expect(await height()).toBeGreaterThan(low);
});

it.each([800, 1280])('the button of a training whose title becomes shorter, at %i px', async (width) => {
  const { figure } = await figureAt('08-learning-to-look-back.html', 'train-live', width);
  await figure.evaluate((node) => {
    const seen = new Set<number>();
    const look = () => seen.add(Math.round(node.querySelector('.train-walk > button')!.getBoundingClientRect().y - node.querySelector('.figure')!.getBoundingClientRect().y));
    look();
    new MutationObserver(look).observe(node, { subtree: true, childList: true, characterData: true });
    Object.assign(node, { seen });
  });
  await figure.getByRole('button', { name: 'Train', exact: true }).click();
  await figure.locator('.figure-title').filter({ hasText: 'looks at what followed last time' }).waitFor();
  expect(await figure.evaluate((node) => [...(node as unknown as { seen: Set<number> }).seen])).toHaveLength(1);
});

it.each([
  ['head-finder', '.finder-strip .token:not(:disabled)'],
  ['head-finder', '.finder-strip + .finder-strip .token:not(:disabled)'],
])('the ring of the focus is whole, %s: %s', async (id, chips) => {
  const { page, figure } = await figureAt('05-heads-and-layers.html', id);
  await figure.locator(chips).first().press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  const cut = await page.evaluate(() => {
    const node = document.activeElement!;
    const style = getComputedStyle(node);
    const reach = parseFloat(style.outlineWidth) + parseFloat(style.outlineOffset);
    const [own, frame] = [node.getBoundingClientRect(), node.closest('.tokens')!.getBoundingClientRect()];
    return { reach, cut: [frame.left - own.left, frame.top - own.top, own.bottom - frame.bottom].filter((over) => over + reach > 0.01) };
  });
  expect(cut).toEqual({ reach: 5, cut: [] });
});
