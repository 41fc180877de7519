// Fields for numbers: they show what the book shows, take what people type or paste, and say where their range ends.

import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { useBook } from './book.ts';
import { settled } from './figures.ts';

const openPage = useBook();

async function figureIn(place: string, id: string): Promise<Locator> {
  const figure = (await openPage(place)).locator(`#${id}`);
  await figure.scrollIntoViewIfNeeded();
  await settled(figure);
  return figure;
}

/** As a paste does it; then the field is left. */
async function insert(field: Locator, text: string): Promise<void> {
  await field.focus();
  await field.press('ControlOrMeta+a');
  await field.page().keyboard.insertText(text);
  await field.press('Tab');
}

it('a number has its narrow spaces, but for while it is edited', async () => {
  const figure = await figureIn('06-the-price.html', 'cost-counter');
  const field = figure.getByRole('spinbutton', { name: 'tokens of the text' });
  const slider = figure.getByRole('slider', { name: 'tokens of the text' });
  for (const [typed, shown] of [['200000', '200\u202F000'], ['150 000', '150\u202F000'], ['160\u202F000', '160\u202F000'], ['123,456', '123\u202F456'], ['7', '7']] as const) {
    await insert(field, typed);
    expect(await field.inputValue(), typed).toBe(shown);
    await settled(figure);
    expect(await field.inputValue(), typed).toBe(shown);
    expect(await slider.getAttribute('aria-valuetext'), typed).toBe(shown);
    expect(await field.getAttribute('aria-valuetext'), typed).toBe(shown);
  }
  await insert(field, '199999');
  await settled(figure);
  await field.focus();
  expect(await field.inputValue()).toBe('199999');
  await field.press('ArrowUp');
  expect(await field.inputValue()).toBe('200000');
  await field.press('Tab');
  await settled(figure);
  expect(await field.inputValue()).toBe('200\u202F000');
  expect(await slider.getAttribute('aria-valuetext')).toBe('200\u202F000');
});

it('a number beyond the range becomes its end, and a sentence says so until the reader goes on', async () => {
  const figure = await figureIn('02-searching.html', 'dot-dial');
  const field = figure.getByRole('spinbutton', { name: 'x of the query q' });
  const said = figure.getByRole('alert');
  for (const [typed, shown, words] of [['-9', '−4', ['The range is −4 to 4.']], ['−3', '−3', []], ['-2.5', '−2.5', []], ['two', '−2.5', ['Type a number from −4 to 4.']], ['1,5', '1.5', []]] as const) {
    await insert(field, typed);
    expect([await field.inputValue(), await said.allInnerTexts()], typed).toEqual([shown, words]);
    await settled(figure);
    expect(await field.inputValue(), typed).toBe(shown);
  }
  await insert(field, '9');
  expect(await said.count()).toBe(1);
  await figure.page().keyboard.press('Tab');
  expect(await said.count()).toBe(0);
});
