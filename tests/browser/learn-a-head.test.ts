// learn-a-head in Chromium: trained some steps, "it" finds its noun; the same seed gives the same curve again.

import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { openChapter, settled, useChapter } from './chapter-2-page.ts';

useChapter();

const walked = 10;
const every = 20;

/** What one training of `walked` records left on the screen: its curve, and its table as text. */
async function train(figure: Locator) {
  for (let record = 1; record <= walked; record++) {
    await figure.getByRole('button', { name: `${every} steps` }).click();
    await figure.getByText(`Paused at step ${record * every} of`).waitFor();
  }
  const rows = await figure.locator('.figure-table tbody tr').evaluateAll((all) => all.map((row) => [...row.children].map((cell) => (cell as HTMLElement).innerText)));
  return { curve: await figure.locator('polyline.train-every').getAttribute('points'), rows };
}

const percent = (text: string) => Number.parseFloat(text);

it('learns whom “it” means, and the same seed learns it the same way', async () => {
  const page = await openChapter('#learn-a-head');
  const figure = page.locator('#learn-a-head');
  await figure.scrollIntoViewIfNeeded();
  await settled(figure);
  await figure.getByText('Numbers', { exact: true }).click();
  await figure.locator('.figure-table').waitFor();

  const once = await train(figure);
  expect(once.rows.map((row) => percent(row[0]!))).toEqual(Array.from({ length: walked + 1 }, (_, record) => record * every));
  const onNoun = once.rows.map((row) => percent(row[3]!));
  expect(onNoun.at(-1)).toBeGreaterThan(onNoun[0]! + 30);
  expect(once.curve!.split(' ')).toHaveLength(walked * every);

  // What the text says of the steps stands in the table of this training.
  const said = await page.locator('a.sets[href="#learn-a-head&learn-a-head.seed=1"]').last().locator('xpath=..').locator('.claim').allInnerTexts();
  const [untrained, early, loss, late, share, right] = said;
  const row = (step: string | undefined) => once.rows.find(([at]) => at === step)!;
  expect(said).toHaveLength(6);
  expect(once.rows[0]![3]).toBe(untrained);
  expect(row(early)[1]).toBe(loss);
  expect([row(late)[3], row(late)[2]]).toEqual([share, right]);

  await figure.getByRole('button', { name: 'Restart' }).click();
  await figure.getByText('steps in all').waitFor();
  expect(await train(figure)).toEqual(once);

  await figure.getByRole('button', { name: 'Train' }).click();
  await figure.getByRole('button', { name: 'Pause' }).click();
  await figure.getByText('Paused at step').waitFor();
  await figure.getByRole('spinbutton', { name: 'Show step' }).fill('0');
  await expect.poll(() => figure.locator('.learn-when').last().innerText()).toBe('Now: no step done');
});
