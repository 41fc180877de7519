// The reader shell in a browser: depths that keep the reader's place, notes, references and back, questions, links that
// keep what they carry, and reading without a script.

import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { launch, native, root, serve, type Site, temporaryFolder } from './site.ts';

let folder: string;
let site: Site;
let browser: Browser;
let context: BrowserContext | undefined;
const complaints: string[] = [];

beforeAll(async () => {
  folder = await temporaryFolder('reader');
  const book = ['--chapters', join(import.meta.dirname, 'fixtures/chapters'), '--out', join(folder, 'dist'), '--native', native];
  await promisify(execFile)('node', [join(root, 'web/build.mjs'), ...book]);
  [site, browser] = await Promise.all([serve(join(folder, 'dist')), launch()]);
});
afterEach(async () => {
  await context?.close();
  context = undefined;
  expect(complaints.splice(0)).toEqual([]);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
  await rm(folder, { recursive: true, force: true });
});

async function open(place = '01-reading.html', options: BrowserContextOptions = {}): Promise<Page> {
  context ??= await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content Security|Refused|TypeError/.test(message.text())) complaints.push(message.text());
  });
  await page.goto(site.address + place);
  await page.evaluate(() => document.fonts.ready);
  return page;
}

const setDepth = (page: Page, name: string) => page.locator('.setting-depth label', { hasText: name }).click();
const visible = (page: Page, text: string) => page.getByText(text, { exact: false }).first().isVisible();
const topOf = (page: Page, text: string) => page.locator('main p', { hasText: text }).first().evaluate((node) => node.getBoundingClientRect().top);

describe('depth', () => {
  it('shows the blocks of one depth, and is remembered', async () => {
    const page = await open();
    for (const [name, shown, hidden] of [['Detail', 'The detailed words', 'The plain words'], ['Plain', 'The plain words', 'The deep words'], ['Math', 'The deep words', 'The detailed words']]) {
      await setDepth(page, name!);
      expect([await visible(page, shown!), await visible(page, hidden!)]).toEqual([true, false]);
    }
    const again = await open();
    expect(await again.evaluate(() => document.documentElement.dataset['depth'])).toBe('math');
  });

  it('keeps the block at the top of the screen where it was', async () => {
    const page = await open();
    await setDepth(page, 'Detail');
    await page.locator('main p', { hasText: 'After the figure' }).first().evaluate((node) => scrollTo({ top: node.getBoundingClientRect().top + scrollY - 60, behavior: 'instant' }));
    const before = await topOf(page, 'After the figure');
    for (const name of ['Plain', 'Math', 'Detail']) {
      await setDepth(page, name);
      await page.waitForTimeout(100);
      expect(Math.abs((await topOf(page, 'After the figure')) - before)).toBeLessThan(2);
    }
  });

  it('can be set for one passage, and a choice for the book ends that', async () => {
    const page = await open();
    await setDepth(page, 'Plain');
    await page.getByLabel('Depth of “First part”').selectOption('math');
    expect(await visible(page, 'The deep words')).toBe(true);
    expect(await page.evaluate(() => document.documentElement.dataset['depth'])).toBe('plain');
    await page.reload();
    expect(await visible(page, 'The deep words')).toBe(true);
    await setDepth(page, 'Detail');
    expect([await visible(page, 'The deep words'), await visible(page, 'The detailed words')]).toEqual([false, true]);
  });
});

describe('settings', () => {
  it('change theme and counting base at once, and stay', async () => {
    const page = await open('01-reading.html', { colorScheme: 'light' });
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await paper();
    await page.getByText('Settings').click();
    await page.locator('[data-setting=theme] label', { hasText: 'Dark' }).click();
    expect(await paper()).not.toBe(light);
    await page.locator('[data-setting=base] label', { hasText: '1' }).click();
    await page.reload();
    expect(await page.evaluate(() => ({ ...document.documentElement.dataset }))).toMatchObject({ theme: 'dark', base: '1' });
    await page.getByText('Settings').click();
    await page.keyboard.press('Escape');
    expect(await page.locator('details.menu-end').getAttribute('open')).toBeNull();
  });
});

describe('notes and references', () => {
  it('put notes beside the text where there is room and below it where not', async () => {
    const page = await open();
    await setDepth(page, 'Detail');
    const beside = page.locator('.note', { hasText: 'A note that all can see' });
    const below = page.locator('.note-below', { hasText: 'A note that all can see' });
    expect([await beside.isVisible(), await below.isVisible()]).toEqual([true, false]);
    const text = (await page.locator('p', { hasText: 'The anchor paragraph' }).first().boundingBox())!;
    expect((await beside.boundingBox())!.x).toBeGreaterThan(text.x + text.width);
    await page.setViewportSize({ width: 360, height: 740 });
    expect([await beside.isVisible(), await below.isVisible()]).toEqual([false, true]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  });

  it('number the notes that the depth shows', async () => {
    const page = await open();
    const number = () => page.locator('p', { hasText: 'The anchor paragraph' }).first().locator('.note-mark').boundingBox();
    await setDepth(page, 'Plain');
    expect(await number()).not.toBeNull();
    // The counter itself is generated content; a probe beside the mark reads it.
    const counted = () => page.evaluate(() => [...document.querySelectorAll('.note-mark')].filter((mark) => mark.getClientRects().length > 0).length);
    expect(await counted()).toBe(1);
    await setDepth(page, 'Detail');
    expect(await counted()).toBe(2);
  });

  it('jump to a reference and back to where the reader was, and keep the figures’ states', async () => {
    const page = await open('01-reading.html#&search.query=a%20river');
    const citings = page.locator('a.cite', { hasText: '[1]' });
    await citings.nth(1).click();
    expect(await page.evaluate(() => location.hash)).toContain('search.query=a%20river');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('ref-vaswani2017');
    await page.locator('#ref-vaswani2017 .back').click();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('cite-vaswani2017-2');
    expect(await page.evaluate(() => location.hash)).toContain('search.query=a%20river');
  });

  it('open the passage at a depth that shows the place that a link leads to', async () => {
    const page = await open();
    await setDepth(page, 'Detail');
    await page.getByRole('link', { name: 'a place of the deepest text' }).click();
    expect(await page.locator('#for-the-deep').isVisible()).toBe(true);
    expect(await page.evaluate(() => document.documentElement.dataset['depth'])).toBe('detail');
    const direct = await open('01-reading.html#for-the-deep&search.query=x');
    await direct.waitForTimeout(300);
    const top = await direct.locator('#for-the-deep').evaluate((node) => node.getBoundingClientRect().top);
    expect(top).toBeGreaterThan(0);
    expect(top).toBeLessThan(400);
  });
});

describe('questions', () => {
  it('hide the answer until the reader commits, show both, and remember', async () => {
    const page = await open();
    const guess = page.locator('#noun');
    expect(await guess.getByText('what others search by').isVisible()).toBe(false);
    expect(await guess.getByRole('button', { name: 'Commit' }).isDisabled()).toBe(true);
    await guess.getByText('its value').click();
    await guess.getByRole('button', { name: 'Commit' }).click();
    expect(await guess.getByText('what others search by').isVisible()).toBe(true);
    expect(await guess.locator('.choice').nth(2).textContent()).toContain('your answer');
    expect(await guess.locator('.choice').nth(1).textContent()).toContain('right');
    await page.reload();
    expect(await guess.locator('.choice').nth(2).textContent()).toContain('your answer');
    await guess.getByRole('button', { name: 'Answer again' }).click();
    expect(await guess.getByText('what others search by').isVisible()).toBe(false);
    await page.reload();
    expect(await guess.getByRole('button', { name: 'Commit' }).isVisible()).toBe(true);
  });

  it.each([['0.5', 'Right.'], ['0,5', 'Right.'], ['.509', 'Right.'], ['50', 'Not so: your answer is 50 points.'], ['−0.5', 'Not so: your answer is −0.5 points.']])('take %s for an answer', async (typed, verdict) => {
    const page = await open();
    const exercise = page.locator('#half');
    await exercise.getByLabel('Your answer').fill(typed);
    await exercise.getByLabel('Your answer').press('Enter');
    expect(await exercise.locator('.verdict').textContent()).toBe(verdict);
    expect(await exercise.getByText('A half.').isVisible()).toBe(true);
    expect(await exercise.locator('.right-answer').textContent()).toBe('Answer: 0.5\u00a0points');
  });

  it('are asked with other numbers, answered by the core, and found again', async () => {
    const page = await open();
    const exercise = page.locator('#fresh');
    const numbers = () => exercise.locator('.question-text [data-of]').allInnerTexts();
    expect(await numbers()).toEqual(['2', '−3']);
    await exercise.getByRole('button', { name: 'Other numbers' }).click();
    await expect.poll(async () => (await numbers()).map((text) => Number(text.replace('−', '-')) > 0)).toEqual([true, true]);
    const [q, k] = (await numbers()).map(Number) as [number, number];
    expect([q >= 4 && q <= 9, k >= 0.1 && k <= 0.9]).toEqual([true, true]);
    await exercise.getByLabel('Your answer').fill(String(3 * q + k));
    await exercise.getByLabel('Your answer').press('Enter');
    expect(await exercise.locator('.verdict').textContent()).toBe('Right.');
    expect(await exercise.getByText('It is').innerText()).toBe(`It is ${(3 * q + k).toFixed(2)}.`);

    const again = await open();
    await expect.poll(() => again.locator('#fresh .verdict').textContent()).toBe('Right.');
    expect(await again.locator('#fresh .question-text [data-of]').allInnerTexts()).toEqual([String(q), String(k)]);
  });

  it('ask for a number when something else is typed', async () => {
    const page = await open();
    await page.locator('#half').getByLabel('Your answer').fill('many');
    await page.locator('#half').getByRole('button', { name: 'Check' }).click();
    expect(await page.locator('#half .verdict').textContent()).toBe('Type a number first, such as 0.5, 0,5 or 1/2.');
    expect(await page.locator('#half').getByText('A half.').isVisible()).toBe(false);
  });
});

describe('the search', () => {
  it('finds a section by keyboard alone, and leads there', async () => {
    const page = await open();
    await page.locator('summary', { hasText: 'Contents' }).press('Enter');
    const field = page.getByRole('searchbox', { name: 'Search the book' });
    await field.focus();
    await page.keyboard.type('divided');
    await page.locator('.search-status').getByText('One place found.').waitFor();
    expect(await page.locator('.search-result mark').first().innerText()).toMatch(/divided/i);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(/01-reading\.html/);

    await page.locator('summary', { hasText: 'Contents' }).press('Enter');
    await field.fill('<img src=x onerror=alert(1)>');
    await page.locator('.search-status').getByText('Nothing in the book has these words.').waitFor();
    await field.press('Escape');
    expect(await field.inputValue()).toBe('');
    expect(await page.locator('.menu-panel .contents-list').first().isVisible()).toBe(true);
  });
});

describe('without a script', () => {
  it('the page reads: text, equations, the figure’s first state, answers to unfold', async () => {
    const page = await open('01-reading.html', { javaScriptEnabled: false });
    expect(await page.locator('p', { hasText: 'The detailed words' }).first().isVisible()).toBe(true);
    expect(await page.locator('.setting-depth').isVisible()).toBe(false);
    expect(await page.locator('#search .figure-title').isVisible()).toBe(true);
    expect((await page.locator('#search .figure-picture').textContent())!.trim().length).toBeGreaterThan(40);
    await page.locator('#noun summary').click();
    expect(await page.locator('#noun').getByText('what others search by').isVisible()).toBe(true);
    expect(await page.locator('#half .answer-line').isVisible()).toBe(false);
  });
});

describe('at every width', () => {
  it.each([320, 360, 800, 1100, 1440, 2000])('%i px: nothing is wider than the screen', async (width) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await open('01-reading.html', { viewport: { width, height: 800 }, colorScheme });
      for (const depth of ['Plain', 'Math']) {
        await setDepth(page, depth);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      }
      await context!.close();
      context = undefined;
    }
  });

  it('lines hold 62 to 74 characters where there is room', async () => {
    const page = await open();
    await setDepth(page, 'Detail');
    const perLine = await page.locator('p', { hasText: 'A third paragraph of detail' }).first().evaluate((node) => {
      const range = document.createRange();
      range.selectNodeContents(node);
      const lines = new Set([...range.getClientRects()].map((room) => Math.round(room.top))).size;
      return { letters: node.textContent!.length, lines };
    });
    expect(perLine.lines).toBeGreaterThan(1);
    const widest = await page.evaluate(() => {
      const probe = document.createElement('p');
      probe.textContent = 'The token asks, and every key before it answers with a score; softmax turns the scores into shares.'.repeat(3);
      document.querySelector('article section')!.append(probe);
      const range = document.createRange();
      const text = probe.firstChild as Text;
      let first = 0;
      for (let at = 1; at < text.length; at++) {
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        if (range.getBoundingClientRect().top > probe.getBoundingClientRect().top + 12) break;
        first = at;
      }
      probe.remove();
      return first;
    });
    expect(widest).toBeGreaterThan(60);
    expect(widest).toBeLessThan(75);
  });
});
