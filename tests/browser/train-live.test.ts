// Training in Chromium: the same curve as natively, a figure that learns before one's eyes and can be stopped, stepped,
// rewound and begun anew, and a worker that ends with it.

import { readFile } from 'node:fs/promises';
import axeCore from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Training } from '../../web/engine/training-types.ts';
import type { TestPage } from './engine-page.ts';
import { suiteWithEngine } from './site.ts';

declare const window: { lookback: TestPage; training: Training; watched: Element };

const suite = suiteWithEngine('train-live');

const title = (page: Page) => page.locator('train-live .figure-title').innerText();
const button = (page: Page, name: string) => page.locator('train-live').getByRole('button', { name, exact: true });
const training = (page: Page) => page.workers().filter((worker) => worker.url().endsWith('/training.js')).length;

async function openFigure(fragment = ''): Promise<Page> {
  const page = await suite.open(`08-learning-to-look-back.html${fragment}`, { viewport: { width: 1000, height: 1000 } });
  // The compiled picture looks the same, but nobody hears its buttons.
  await page.waitForFunction(() => performance.getEntriesByName('train-live alive').length > 0);
  await expect.poll(() => training(page), { timeout: 60_000 }).toBe(1);
  return page;
}

it('gives the curve that the native tests pin, bit for bit, while the engine answers', async () => {
  const page = await suite.open('engine.html');
  const { hash, answered, losses } = await page.evaluate(async () => {
    const engine = window.lookback.engineWith(2);
    let done = () => {};
    const over = new Promise<void>((resolve) => (done = resolve));
    const training: Training = await engine.train('repeats', { seed: 9 }, { onProgress: () => training.losses.length >= 50 && (training.pause(), done()) });
    training.run();
    let answered = 0;
    while (training.losses.length < 50) answered += (await engine.lesson('dot', { q: [1, 2], k: [3, 4] })).dot === 11 ? 1 : 0;
    await over;
    training.dispose();
    // FNV-1a over the bits, as tests/core/train_practice.cpp has it.
    let hash = 0xcbf29ce484222325n;
    for (const byte of new Uint8Array(Float32Array.from(training.losses.slice(0, 50)).buffer)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
    return { hash: String(hash), answered, losses: training.losses.length };
  });
  const source = await readFile(new URL('../core/train_practice.cpp', import.meta.url), 'utf8');
  expect(hash).toBe(/curve\("repeats", 1\)\) == (\d+)u/.exec(source)![1]);
  expect(losses).toBeGreaterThanOrEqual(50);
  expect(answered).toBeGreaterThan(0);
});

it('trains, rests, steps, looks back, begins anew, and ends with the figure', async () => {
  const page = await openFigure();
  const first = await title(page);
  expect(first).toContain('Before training');

  await button(page, 'Train').click();
  await page.locator('train-live').getByText(/^Step \d+ of/).waitFor();
  const range = page.locator('train-live input[type=range]').first();
  await range.waitFor(); // there is a record to look back from
  await button(page, 'Pause').click();
  const paused = page.locator('train-live').getByText(/^Paused at step/);
  const at = await paused.innerText();
  await page.waitForTimeout(400);
  expect(await paused.innerText()).toBe(at);

  const steps = Number(/step (\d+)/.exec(at)![1]);
  const next = (Math.floor(steps / 20) + 1) * 20;
  await button(page, '20 steps').click();
  await expect.poll(() => title(page)).toContain(`After ${next} steps`);
  expect(await paused.innerText()).toContain(`step ${next} `);

  // Back to the beginning: the same picture as the page had before any script.
  await range.fill('0');
  await expect.poll(() => title(page)).toBe(first);
  await page.locator('train-live input.slider-number').first().fill(String(next - 20));
  await expect.poll(() => title(page)).toContain(`After ${next - 20} steps`);

  // A word picked by keyboard frames its row and goes into the link; the training stays.
  await page.locator('train-live .train-word[tabindex="0"]').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => location.hash)).toContain('word=17');
  expect(await title(page)).toContain(`After ${next - 20} steps`);

  const problems = await page.evaluate(`${axeCore.source}; axe.run('train-live').then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`);
  expect(problems).toEqual([]);

  await page.locator('train-live summary', { hasText: 'Another seed' }).click();
  const seed = page.getByLabel('seed', { exact: true });
  await seed.fill('31');
  await seed.press('Enter');
  await expect.poll(() => title(page)).toContain('Before training');
  await expect.poll(() => page.evaluate(() => location.hash)).toContain('seed=31');
  await expect.poll(() => training(page)).toBe(1); // the one before has ended
  await button(page, 'Train').click();
  await page.locator('train-live').getByText(/^Step \d+ of/).waitFor();
  await button(page, 'Restart').click();
  await expect.poll(() => title(page)).toContain('Before training');

  await page.evaluate(() => ((window.watched = document.querySelector('train-live')!), window.watched.remove()));
  await expect.poll(() => training(page)).toBe(0);
});

it('leaves the focus on the button that takes some steps', async () => {
  const page = await openFigure();
  const some = page.locator('train-live').getByRole('button', { name: /^\d+ steps$/ });
  await some.focus();
  await page.keyboard.press('Enter');
  await page.locator('train-live').getByText(/^Paused at step/).waitFor();
  expect(await some.evaluate((node) => node === document.activeElement)).toBe(true);
});

it('answers a button that was pressed before it could', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const page = await suite.open('08-learning-to-look-back.html', { viewport: { width: 1000, height: 1000 } }, (fresh) =>
    fresh.route('**/training.js', (route) => held.then(() => route.continue())),
  );
  await page.waitForFunction(() => document.querySelector('train-live')?.getAttribute('aria-busy') === 'true');
  await button(page, 'Train').click();
  expect(await page.evaluate(() => performance.getEntriesByName('train-live alive').length)).toBe(0);
  release();
  await page.locator('train-live').getByText(/^Step \d+ of/).waitFor();
});

it('learns from nothing to the end of its training, with both heads named', async () => {
  const page = await openFigure();
  const begun = performance.now();
  await button(page, 'Train').click();
  await page.locator('train-live').getByText(/^All 1.?000 steps are done/).waitFor({ timeout: 220_000 });
  console.log(`      1,000 steps in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  expect(await title(page)).toMatch(/layer 0 head \d looks at the word before .*layer 1 head \d looks at what followed last time/);
  expect(await page.locator('train-live .train-ledge-name').innerHTML()).toMatch(/ledge, step/);
  expect(await page.locator('train-live .train-right').count()).toBeGreaterThan(12);
  expect(await button(page, 'Train').isDisabled()).toBe(true);
});
