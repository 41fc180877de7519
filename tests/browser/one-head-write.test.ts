// One-head's last two stages in Chromium: a number of the blend, and one that the head writes, opened to its products, on
// models of several sizes and precisions: what is displayed against the core's values, and the check in double precision.

import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { SumArithmetic } from '../../web/engine/types.ts';
import { oddShape, writeCheckpoint } from './checkpoint.ts';
import type { TestPage } from './engine-page.ts';
import { modelFiles, suiteWithEngine } from './site.ts';

declare const window: { lookback: TestPage };

const sentence = 'When Mary and John went to the store, John gave a drink to';
const suite = suiteWithEngine('one-head-write');
let page: Page;

beforeAll(async () => {
  await writeCheckpoint(join(suite.folder, 'odd'), { shape: oddShape, seed: 11, vocabulary: true });
});

interface Asked {
  layer: number;
  head: number;
  stage: 'blend' | 'output';
  row: number;
  col: number;
}

/** The core's own arithmetic, and the number that stands in the head's grid. */
async function truthOf(name: string | null, { layer, head, stage, row, col }: Asked): Promise<{ left: number[]; right: number[]; products: number[]; sum: number; inGrid: number }> {
  const bare = await suite.browser.newPage();
  bare.setDefaultTimeout(60_000);
  await bare.goto(`${suite.site.address}engine.html`);
  if (name) await bare.setInputFiles('input', modelFiles.map((file) => join(suite.folder, name, file)));
  const truth = await bare.evaluate(
    async ([text, own, at, writes]) => {
      const engine = window.lookback.engineWith(2);
      if (own) await engine.open({ name: 'model', files: window.lookback.pickedFiles() });
      else await engine.openLittle();
      const run = await engine.run({ text });
      const [l, h, r, c] = at;
      const sum: SumArithmetic = writes ? await engine.written(run, l!, h!, r!, c!) : await engine.blended(run, l!, h!, r!, c!);
      const grids = await engine.head(run, l!, h!);
      const grid = writes ? grids.output! : grids.z;
      return { left: [...sum.left], right: [...sum.right], products: [...sum.products], sum: sum.sum, inGrid: grid[r! * (grid.length / grids.n) + c!]! };
    },
    [sentence, name !== null, [layer, head, row, col], stage === 'output'] as const,
  );
  await bare.close();
  return truth;
}

const fragment = ({ layer, head, stage, row, col }: Asked) =>
  `#one-head&one-head.model=any&one-head.order=place&${Object.entries({ layer, head, stage, row, col }).map(([key, value]) => `one-head.${key}=${value}`).join('&')}`;

const three = (value: number) => {
  const digits = Math.abs(value).toFixed(3);
  return (value < 0 && Number(digits) !== 0 ? '−' : '') + digits;
};

async function compare(name: string | null, asked: Asked): Promise<void> {
  const truth = await truthOf(name, asked);
  await page.evaluate((hash) => (location.hash = hash), fragment(asked));
  const opened = page.locator('one-head .opened');
  const products = () => opened.locator('.products-frame tbody tr').evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('td')].slice(0, 3).map((cell) => cell.textContent!)));
  await expect.poll(products, { message: JSON.stringify(asked) }).toEqual(truth.products.map((product, at) => [truth.left[at]!, truth.right[at]!, product].map(three)));
  const steps = await opened.locator('.steps tbody tr').first().innerText();
  expect(steps).toContain(three(truth.sum));
  expect(truth.sum).toBe(truth.inGrid);
  expect(truth.products.reduce((sum, product) => Math.fround(sum + product), 0)).toBe(truth.sum);
  expect(await opened.locator('.products-frame tfoot').innerText()).toContain(three(truth.sum));
  expect(await opened.locator('.opened-check').innerText()).toMatch(/^Checked: /);
  const number = await page.locator('one-head .head-readout b.num').innerText();
  expect(number).toBe(three(truth.sum));
}

async function openChapter(hash = ''): Promise<void> {
  page = await suite.open(`03-one-head.html${hash}`, { viewport: { width: 1280, height: 1000 }, reducedMotion: 'reduce' });
  page.setDefaultTimeout(60_000);
  await page.locator('one-head textarea').waitFor();
}

it('a number of the blend, and one that is written, open to the core’s products on the little model', async () => {
  await openChapter();
  for (const stage of ['blend', 'output'] as const) {
    await compare(null, { layer: 2, head: 1, stage, row: 13, col: 5 });
    await compare(null, { layer: 0, head: 3, stage, row: 0, col: 0 });
  }
  await compare(null, { layer: 3, head: 2, stage: 'output', row: 7, col: 95 });
});

it('the same on a model of odd sizes', async () => {
  await openChapter();
  await page.locator('one-head input[type=file]').first().setInputFiles(modelFiles.map((file) => join(suite.folder, 'odd', file)));
  await expect.poll(() => page.locator('one-head .figure-model').innerText(), { timeout: 120_000 }).toContain('from your disk');
  await compare('odd', { layer: 1, head: 2, stage: 'blend', row: 9, col: 10 });
  await compare('odd', { layer: 1, head: 2, stage: 'output', row: 13, col: 32 });
  await compare('odd', { layer: 0, head: 0, stage: 'output', row: 3, col: 17 });
});

it('a cell of the last stage is picked by keyboard, and is gone with Escape', async () => {
  await openChapter('#one-head&one-head.stage=output');
  const grid = page.locator('one-head .heat-frame');
  await grid.focus();
  for (const key of ['PageDown', 'ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
  const opened = page.locator('one-head .opened');
  await expect.poll(() => opened.locator('.opened-title').innerText()).toBe('What is added to number 2 of “to”');
  expect(await opened.locator('.products-frame tbody tr').count()).toBe(24);
  await page.keyboard.press('Escape');
  await expect.poll(() => opened.count()).toBe(0);
});
