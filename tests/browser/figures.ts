// What tests about all figures share.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { root } from './site.ts';

export const dist = process.env['LOOKBACK_DIST'] ?? join(root, 'web/dist');

/** File names of the chapters' pages. */
export async function chapters(): Promise<string[]> {
  return (await readdir(dist)).filter((name) => /^\d\d-.*\.html$/.test(name)).sort();
}

/** Waits until a figure shows what was asked for, and says what went wrong if that cannot be. */
export async function settled(figure: Locator): Promise<void> {
  type Figure = HTMLElement & { shown?: unknown; error?: string; stale?(): boolean; updateComplete: Promise<unknown> };
  const handle = await figure.elementHandle();
  await figure.page().waitForFunction((node) => {
    const element = node as unknown as Figure;
    return element.stale !== undefined && !element.hasAttribute('aria-busy') && (element.error || !element.stale());
  }, handle);
  expect(await figure.evaluate(async (node) => ((await (node as Figure).updateComplete), (node as Figure).error))).toBe('');
}

/** Presses a figure's button that hands out a file, and reads the file. */
export async function saved(figure: Locator, name: string): Promise<{ file: string; content: Buffer }> {
  const [download] = await Promise.all([figure.page().waitForEvent('download'), figure.getByRole('button', { name }).click()]);
  return { file: download.suggestedFilename(), content: await readFile((await download.path())!) };
}

/** A saved picture in a page of its own, as the only thing there. */
export async function opened(figure: Locator, picture: Buffer): Promise<Page> {
  const page = await figure.page().context().newPage();
  await page.setContent(`<body style="margin: 0">${picture}</body>`);
  return page;
}

/** A page's figure, in sight and at rest. */
export async function figureOn(page: Page, id: string): Promise<Locator> {
  const figure = page.locator(`#${id}`);
  await figure.scrollIntoViewIfNeeded();
  await settled(figure);
  return figure;
}
