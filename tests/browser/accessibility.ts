// What the tests of accessibility and print share: every page of the book, and a chapter with all its figures alive.

import { readdir } from 'node:fs/promises';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { OpenPage } from './book.ts';
import { dist, settled } from './figures.ts';

/** File names of all pages: contents, chapters, glossary and what else the compiler makes. */
export async function pages(): Promise<string[]> {
  return (await readdir(dist)).filter((name) => name.endsWith('.html')).sort();
}

/** What long walks take: a few pages of each kind, all of them with ./build.sh test --full. */
export function unlessFull(all: string[]): string[] {
  if (process.env['FULL']) return all;
  const few = all.filter((name) => /^(02|04|index|answers)/.test(name));
  console.log(`${few.join(', ')}; the other ${all.length - few.length} pages with ./build.sh test --full.`);
  return few;
}

/** A page of the book whose figures have all come alive and rest. */
export async function openAlive(openPage: OpenPage, place: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await openPage(place, options);
  await wake(page);
  return page;
}

/** Brings every figure near the screen and waits for it. */
export async function wake(page: Page): Promise<void> {
  for (const figure of await page.locator('[data-figure]').all()) {
    await figure.scrollIntoViewIfNeeded();
    await settled(figure);
  }
  await page.evaluate(() => document.fonts.ready.then(() => scrollTo(0, 0)));
}

export async function setDepth(page: Page, depth: 'Plain' | 'Detail' | 'Math'): Promise<void> {
  await page.locator('.setting-depth label', { hasText: depth }).click();
}
