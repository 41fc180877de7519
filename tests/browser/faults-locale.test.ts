// Languages and time zones of readers: the book is in English with dotted numbers everywhere, so what a figure shows, its
// link and its saved table are the same in all of them.

import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { useBook } from './book.ts';
import { settled } from './figures.ts';

const openPage = useBook();
const here = { locale: 'en-US', timezoneId: 'UTC' };
const elsewhere = [
  { locale: 'ar-EG', timezoneId: 'Africa/Cairo' },
  { locale: 'de-DE', timezoneId: 'Europe/Berlin' },
  { locale: 'tr-TR', timezoneId: 'Europe/Istanbul' },
  { locale: 'ne-NP', timezoneId: 'Asia/Kathmandu' },
  { locale: 'fa-IR-u-nu-arabext', timezoneId: 'Pacific/Apia' },
];

/** A chapter, the figures that are read in it, and a state that has many numbers. */
const pages: [place: string, figures: string[]][] = [
  ['02-searching.html#&search-playground.query=A%20RIVER%20IN%20ISTANBUL&dot-dial.qx=-1.5&softmax-dial.stretch=2.5&blend-map.shares=33,33,34', ['search-playground', 'dot-dial', 'softmax-dial', 'sink-demo', 'blend-map', 'many-questions']],
  ['03-one-head.html#&one-head.stage=shares&one-head.layer=1', ['one-head', 'why-sqrt', 'softmax-ratio', 'head-gallery']],
  ['05-heads-and-layers.html', ['head-views', 'never-ahead', 'head-finder', 'layer-map', 'parameter-budget', 'logit-lens']],
  ['06-the-price.html#&cost-counter.tokens=12345', ['cost-counter']],
  ['07-the-lab.html#&continue-text.drawn=8&continue-text.temperature=1.5', ['continue-text', 'lab-lens']],
];

interface Read {
  words: string;
  fields: string[];
  heard: string[];
  csv: string;
}

async function read(page: Page, id: string): Promise<Read> {
  const figure = page.locator(`[id="${id}"]`);
  await figure.scrollIntoViewIfNeeded();
  await settled(figure);
  // Where a text goes on by itself, it is whole.
  await page.waitForFunction((node) => !(node as unknown as { shown?: { result: { seen?: { going?: boolean } } } }).shown?.result.seen?.going, await figure.elementHandle());
  const parts = await figure.evaluate((node) => ({
    words: (node as HTMLElement).innerText,
    fields: [...node.querySelectorAll<HTMLInputElement>('input, textarea, select')].map(({ value }) => value),
    heard: [...node.querySelectorAll('[aria-label], [aria-valuetext]')].map((part) => `${part.getAttribute('aria-label')} ${part.getAttribute('aria-valuetext')}`),
  }));
  await figure.locator('.figure-data > summary').first().click();
  const [download] = await Promise.all([page.waitForEvent('download'), figure.getByRole('button', { name: 'Download as CSV' }).first().click()]);
  return { ...parts, csv: await readFile(await download.path(), 'utf8') };
}

it.each(pages)('%s', { timeout: 400_000 }, async (place, figures) => {
  const readAll = async (options: typeof here) => {
    const page = await openPage(place, options);
    const told: Record<string, Read> = {};
    for (const id of figures) told[id] = await read(page, id);
    await page.evaluate(() => document.querySelector<HTMLElement>('details.menu-end summary')?.click());
    const hash = new URL(page.url()).hash;
    await page.context().close();
    return { told, hash };
  };
  const truth = await readAll(here);
  expect(JSON.stringify(truth)).not.toMatch(/[٠-٩۰-۹०-९]/);
  for (const options of elsewhere) expect(await readAll(options), options.locale).toEqual(truth);
});

it('a number typed with Arabic digits or a comma is understood or refused, never taken for another', async () => {
  const page = await openPage('02-searching.html', { locale: 'ar-EG', timezoneId: 'Africa/Cairo' });
  const figure = page.locator('#dot-dial');
  await figure.scrollIntoViewIfNeeded();
  await settled(figure);
  const field = figure.locator('[id="dot-dial-qx"]');
  const before = await field.inputValue();
  await field.click();
  await page.keyboard.insertText('٣');
  await field.press('Tab');
  expect([before, '3']).toContain(await field.inputValue());
  await settled(figure);
});
