// Chapter 5's figures about heads in Chromium: set by the links of the prose, driven by mouse, touch and keyboard, kept in
// the address, in use after hostile links, and fit for every reader and screen. Their numbers: tests/web/chapter-5-heads.test.ts.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { useBook } from './book.ts';

const figures = ['head-views', 'never-ahead', 'head-finder'] as const;
type Name = (typeof figures)[number];

const openPage = useBook();

const open = (fragment = '', options: BrowserContextOptions = {}) => openPage(`05-heads-and-layers.html${fragment}`, options);

/** Waits until the figure shows what was asked for. */
async function settled(figure: Locator): Promise<Locator> {
  type Figure = HTMLElement & { error?: string; stale?(): boolean; updateComplete: Promise<unknown> };
  await figure.scrollIntoViewIfNeeded();
  await figure.page().waitForFunction((node) => {
    const element = node as unknown as Figure;
    return element.stale !== undefined && !element.hasAttribute('aria-busy') && (element.error || !element.stale());
  }, await figure.elementHandle());
  expect(await figure.evaluate(async (node) => ((await (node as Figure).updateComplete), (node as Figure).error))).toBe('');
  return figure;
}

const figureOn = (page: Page, name: Name) => settled(page.locator(`#${name}`));
const spaced = (text: string) => text.replace(/[\u00A0\u202F]/g, ' ');
const titleOf = async (figure: Locator) => spaced(await figure.locator('.figure-title').innerText()).replace(/^Figure \d+\.\d+\s+/, '');
const hashOf = (page: Page) => decodeURIComponent(new URL(page.url()).hash);

it('links of the prose set the figures, which then show the numbers that the prose says', { timeout: 180_000 }, async () => {
  const page = await open();
  for (const name of figures) await figureOn(page, name);
  const links = page.locator(figures.map((name) => `a.sets[href^="#${name}"]:visible`).join(', '));
  let said = 0;
  for (const link of await links.all()) {
    const numbers = await link.evaluate((anchor) => {
      const marks = [...anchor.closest('p, li, div')!.querySelectorAll('a.sets, .claim, .recorded')].filter((mark) => mark === anchor || !anchor.contains(mark));
      const after = marks.slice(marks.indexOf(anchor) + 1);
      const end = after.findIndex((mark) => mark.matches('a'));
      return (end < 0 ? after : after.slice(0, end)).map((mark) => mark.textContent!);
    });
    const [id = '', ...settings] = (await link.getAttribute('href'))!.slice(1).split('&');
    await link.click();
    const figure = await settled(page.locator(`#${id}`));
    for (const setting of settings) await expect.poll(() => hashOf(page)).toContain(decodeURIComponent(setting));
    const text = spaced(await figure.innerText());
    for (const number of numbers.filter((one) => one.includes('%'))) {
      said++;
      expect(text, `${number} after ${settings.join(' ')}`).toContain(spaced(number));
    }
  }
  expect(said).toBeGreaterThan(5);
});

it('head-views: tokens, views and heads by mouse, keyboard and typing; the address opens the same again', { timeout: 180_000 }, async () => {
  const page = await open();
  const figure = await figureOn(page, 'head-views');
  const before = await titleOf(figure);
  expect(before).toMatch(/^In layer \d+ head \d+, “it” looks most at “animal”, with \d+ %$/);

  await figure.getByRole('button', { name: /^too ?, place 10/ }).click();
  await settled(figure);
  expect(await titleOf(figure)).toContain('“too” looks most at');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await settled(figure);
  expect(await titleOf(figure)).toBe(before);
  expect(await page.evaluate(() => document.activeElement!.textContent)).toContain('it');

  await figure.getByRole('button', { name: /^average of all/ }).click();
  await settled(figure);
  expect(await titleOf(figure)).toMatch(/^On average over 16 heads, “it” looks most at/);
  await figure.getByRole('group', { name: 'View' }).getByRole('button').nth(1).click();
  await settled(figure);
  const typed = figure.getByRole('spinbutton', { name: 'Layer' });
  await typed.fill('3');
  await typed.press('Enter');
  await settled(figure);
  expect(await titleOf(figure)).toContain('In layer 3 head');
  await expect.poll(() => hashOf(page)).toMatch(/head-views\.heads=\d\.\d,3\.\d,\d\.\d/);
  await figure.getByRole('textbox', { name: 'Text' }).fill('The dog barked because <b>it</b>');
  await settled(figure);
  expect(await figure.locator('.looks-row').count()).toBeGreaterThan(6);
  expect(await figure.locator('.looks b').count()).toBe(0);

  await expect.poll(() => hashOf(page)).toContain('barked');
  const again = await figureOn(await open(new URL(page.url()).hash), 'head-views');
  expect(await titleOf(again)).toBe(await titleOf(figure));
  await figure.getByRole('button', { name: 'Reset' }).click();
  await settled(figure);
  expect(await titleOf(figure)).toBe(before);
});

it('by touch: a token, a square, a head', { timeout: 180_000 }, async () => {
  const page = await open('', { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });
  const views = await figureOn(page, 'head-views');
  await views.getByRole('button', { name: /^street ?, place 6/ }).tap();
  await settled(views);
  expect(await titleOf(views)).toContain('“street” looks most at');
  const ahead = await figureOn(page, 'never-ahead');
  await ahead.locator('[data-cell="11,1"]').tap();
  await settled(ahead);
  expect(await titleOf(ahead)).toMatch(/“tired \| w” after 1 layer: (all 96|\d+ of 96) numbers differ/);
  const finder = await figureOn(page, 'head-finder');
  await finder.locator('[data-cell="3,1"]').tap();
  await settled(finder);
  expect(await finder.locator('.finder-says').innerText()).toContain('In layer 3 head 1');
});

it('never-ahead and head-finder by keyboard and typing', { timeout: 180_000 }, async () => {
  const page = await open();
  const ahead = await figureOn(page, 'never-ahead');
  await ahead.getByRole('spinbutton', { name: 'Layers done' }).fill('2');
  await settled(ahead);
  expect(await titleOf(ahead)).toBe('“it” has the same 96 numbers in both texts after 2 layers; the texts part at “tired | w”');
  await ahead.getByRole('textbox', { name: 'Second text' }).fill("The animal didn't cross the street because it slept");
  await settled(ahead);
  expect(await titleOf(ahead)).toContain('the texts part at “was | ');
  await ahead.locator('.grid-cell[tabindex="0"]').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await settled(ahead);
  expect(await titleOf(ahead)).toContain('numbers differ');

  const finder = await figureOn(page, 'head-finder');
  await finder.getByRole('toolbar', { name: 'The token looked at' }).getByRole('button', { pressed: true }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await settled(finder);
  expect(await titleOf(finder)).toMatch(/^From “of” to “capital”, layer 0 head 0 looks hardest/);
  await finder.getByRole('list', { name: /Heads by their share/ }).getByRole('button').nth(1).click();
  await settled(finder);
  await expect.poll(() => hashOf(page)).toMatch(/head-finder\.heads=\d\.\d/);
});

it('GPT-2’s heads stand as recorded until it is opened, and the way to it is there', { timeout: 180_000 }, async () => {
  const page = await open('#head-views&head-views.model=gpt2&head-views.heads=4.3,0.0,4.11&head-views.view=first&head-views.from=8');
  const figure = await figureOn(page, 'head-views');
  expect(await titleOf(figure)).toBe('Recorded from GPT-2 small: in layer 4 head 3, “it” looks most at “animal”, with 85 %');
  expect(await figure.locator('.figure-model').count()).toBe(0);
  await figure.getByRole('button', { name: 'Open GPT-2 small…' }).click();
  expect(await figure.locator('.head-model').evaluate((details) => (details as HTMLDetailsElement).open)).toBe(true);
});

it('hostile links leave the figures in use', { timeout: 180_000 }, async () => {
  const wild = ['', '-1', '1e999', '9'.repeat(300), '%E0%A4', '<img src=x onerror=alert(1)>', '__proto__,constructor', '\u202E\u0000', '🦉'.repeat(60)];
  const keys: Record<Name, string[]> = { 'head-views': ['text', 'from', 'heads', 'view', 'model'], 'never-ahead': ['one', 'two', 'token', 'layers'], 'head-finder': ['text', 'from', 'to', 'heads', 'model'] };
  const page = await open();
  const address = page.url();
  for (let at = 0; at < wild.length; at += 2) {
    const pieces = figures.flatMap((name) => keys[name].map((key, place) => `${name}.${key}=${encodeURIComponent(wild[(at + place) % wild.length]!)}`));
    await page.goto(`${address}#${encodeURIComponent(wild[at]!)}&${pieces.join('&')}`);
    for (const name of figures) {
      const figure = await figureOn(page, name);
      // None of these words came with the link.
      expect(await figure.evaluate((node) => node.outerHTML)).not.toMatch(/undefined|Infinity|\[object|no number/);
      expect(await figure.locator('img, script').count()).toBe(0);
    }
  }
});

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

it('a long word does not widen a narrow page', async () => {
  for (const text of ['W'.repeat(40), '👨\u200D👩\u200D👧']) {
    const page = await open(`#head-finder&head-finder.text=${encodeURIComponent(text)}`, { viewport: { width: 320, height: 700 } });
    await figureOn(page, 'head-finder');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  }
});

it('are accessible in both themes, fit 320 pixels, and read without a script', { timeout: 180_000 }, async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await open('', { colorScheme, viewport: { width: 320, height: 700 } });
    for (const name of figures) await figureOn(page, name);
    const where = JSON.stringify({ include: figures.map((name) => [`#${name}`]) });
    expect(await page.evaluate(`${axe}; axe.run(${where}).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`), colorScheme).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  }
  const still = await open('', { javaScriptEnabled: false });
  for (const name of figures) {
    const figure = still.locator(`#${name}`);
    expect(await figure.locator('.figure-picture').isVisible()).toBe(true);
    expect(await figure.locator('textarea, .slider-step, summary:has-text("Model")').filter({ visible: true }).count()).toBe(0);
    expect(await titleOf(figure)).toMatch(/“animal”|“it”|“Paris”/);
  }
});
