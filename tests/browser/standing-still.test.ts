// What a reader is about to press stays where it is: rows of choices, the line below a figure, the price of a long text,
// a training that begins.

import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBook } from './book.ts';
import { settled } from './figures.ts';

const openPage = useBook();
const widths = [360, 800, 1440];

async function figureAt(place: string, id: string, width = 1280): Promise<{ page: Page; figure: Locator }> {
  const page = await openPage(place, { viewport: { width, height: 900 } });
  const figure = page.locator(`[id="${id}"]`);
  await figure.scrollIntoViewIfNeeded();
  await settled(figure);
  return { page, figure };
}

/** Where things are in their figure, to half a pixel. */
const placesOf = (things: Locator) =>
  things.evaluateAll((found) =>
    found.map((node) => {
      const [own, figure] = [node.getBoundingClientRect(), node.closest('.figure')!.getBoundingClientRect()];
      return [own.x - figure.x, own.y - figure.y, own.width].map((value) => Math.round(value * 2) / 2);
    }),
  );

it.each([
  ['01-a-word-alone.html', 'context-lens', '.segment'],
  ['02-searching.html', 'search-playground', '.search-try'],
  ['03-one-head.html', 'why-sqrt', '.segment'],
  ['05-heads-and-layers.html', 'head-views', '.step-button[aria-pressed]'],
  ['05-heads-and-layers.html', 'parameter-budget', '.segment'],
])('the choices of a row, in %s: %s', async (place, id, choices) => {
  const { figure } = await figureAt(place, id);
  const row = figure.locator('.figure-picture').locator(choices).filter({ visible: true });
  const before = (await placesOf(row)).map(([x, , width]) => [x, width]);
  expect(before.length).toBeGreaterThan(1);
  for (let at = before.length - 1; at >= 0; at--) {
    await row.nth(at).click();
    await settled(figure);
    expect((await placesOf(row)).map(([x, , width]) => [x, width]), `choice ${at}`).toEqual(before);
  }
});

it.each(widths)('the actions below a figure, when what they open is open, at %i px', async (width) => {
  const { figure } = await figureAt('06-the-price.html', 'cost-counter', width);
  const actions = figure.locator('.figure-actions > button, .figure-actions > details > summary');
  const before = await placesOf(actions);
  for (const words of ['Numbers', 'Send as a lesson']) {
    await figure.getByText(words, { exact: true }).click();
    await figure.locator(words === 'Numbers' ? '.figure-table' : '.maker-field').first().waitFor();
    expect(await placesOf(actions), words).toEqual(before);
  }
});

it.each(widths)('the price of a text of any length, at %i px', async (width) => {
  const { figure } = await figureAt('06-the-price.html', 'cost-counter', width);
  const things = figure.locator('.cost-picture, .cost-sliders, .cost-words > .dial-deeds, .cost-table');
  const field = figure.getByRole('spinbutton', { name: 'tokens of the text' });
  const before = await placesOf(things);
  for (const tokens of ['1', '1000', '99999', '200000']) {
    await field.fill(tokens);
    await field.press('Enter');
    await settled(figure);
    expect(await placesOf(things), tokens).toEqual(before);
  }
});

describe.each([
  ['08-learning-to-look-back.html', 'train-live'],
  ['02-searching.html', 'learn-a-head'],
])('a training that begins, in %s', (place, id) => {
  it.each(widths)('at %i px', async (width) => {
    const { figure } = await figureAt(place, id, width);
    const things = figure.locator('.train-walk > button, .train-plot, .train-heads, .learn-sentence');
    const before = await placesOf(things);
    await figure.getByRole('button', { name: 'Train', exact: true }).click();
    await figure.getByText(/^Step [1-9]/).waitFor();
    expect(await placesOf(things)).toEqual(before);
    await figure.getByRole('button', { name: 'Pause' }).click();
    await figure.getByText(/^Paused/).waitFor();
    expect(await placesOf(things)).toEqual(before);
  });
});
