// What is told in words where a sign alone would not do: bytes of half characters, names that are cut, numbers typed beyond
// their end, sums with one sign between two numbers, and one way to write thousands.

import { expect, it } from 'vitest';
import { openAlive, wake } from './accessibility.ts';
import { useBook } from './book.ts';
import { chapters, settled } from './figures.ts';

const openPage = useBook();

it('the bytes of a character that tokens part are told in words', async () => {
  const page = await openPage(`05-heads-and-layers.html#head-views&head-views.text=${encodeURIComponent('A 🙂 € ½')}`);
  const figure = page.locator('#head-views');
  await figure.scrollIntoViewIfNeeded();
  await settled(figure);
  const marks = await figure.locator('.token-mark').evaluateAll((found) => found.filter((mark) => /^⟨[0-9A-F]{2}/.test(mark.textContent!)).map((mark) => ({ title: mark.getAttribute('title') ?? '', heard: mark.closest('.token')!.querySelector('.visually-hidden')!.textContent! })));
  expect(marks.length).toBeGreaterThan(1);
  for (const { title, heard } of marks) {
    expect(title).toMatch(/^the first (byte|(two|three) bytes) of a character of (two|three|four)$|^(a later byte|(two|three) later bytes) of a character$|^bytes of characters that are not whole$/);
    expect(heard).toContain(title);
  }
});

it('what is typed beyond the end of a slider becomes its end, and a sentence says so', async () => {
  const page = await openPage('05-heads-and-layers.html');
  await wake(page);
  for (const [id, label] of [['never-ahead', 'Layers done'], ['never-ahead', 'Token'], ['logit-lens', 'Layers done']] as const) {
    const field = page.locator(`#${id}`).getByRole('spinbutton', { name: label, exact: true });
    await field.fill('99999999');
    await field.press('Tab');
    await settled(page.locator(`#${id}`));
    expect(await page.getByRole('alert').allInnerTexts(), `${id}: ${label}`).toEqual([`The range is ${await field.getAttribute('aria-valuemin')} to ${await field.getAttribute('aria-valuemax')}.`]);
    expect(await field.inputValue(), `${id}: ${label}`).toBe(await field.getAttribute('aria-valuemax'));
  }
});

it('names that are cut are there whole', async () => {
  const page = await openPage('05-heads-and-layers.html#never-ahead&never-ahead.one=The%20dog%20crossed%20the%20street&never-ahead.two=The%20dog%20crossed%20the%20bridge');
  await wake(page);
  const cut = await page.locator('.grid-label').evaluateAll((found) => found.filter((label) => label.textContent!.includes('…')).map((label) => label.querySelector('title')?.textContent ?? ''));
  expect(cut).toEqual(['street | bridge']);
});

it('thousands have a narrow space, sums one sign, percentages their sign', { timeout: 600_000 }, async () => {
  for (const name of await chapters()) {
    const page = await openAlive(openPage, name);
    for (const data of await page.locator('.figure-data > summary').all()) await data.click();
    for (const figure of await page.locator('[data-figure]').all()) {
      const text = await figure.evaluate((node) => node.textContent!);
      expect(text.match(/.{0,20}\d,\d{3}.{0,10}/)?.[0], `${name}: a comma in thousands`).toBeUndefined();
      expect(text.match(/.{0,20}\+ ?[+−]\d.{0,10}/)?.[0], `${name}: two signs`).toBeUndefined();
      expect(text, name).not.toContain('per cent');
    }
    await page.context().close();
  }
});
