// The figure head-gallery in Chromium: every head's label, canvas and score against the core's own values, on the little
// model and on models that the reader opens; sorted, walked by keys, opened, and followed into one-head; while a model
// arrives; for texts longer than a grid; for every reader and screen.

import { join } from 'node:path';
import axeCore from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { headScores } from '../../web/engine/types.ts';
import { type CheckpointShape, oddShape, writeCheckpoint } from './checkpoint.ts';
import type { TestPage } from './engine-page.ts';
import { settled } from './figures.ts';
import { hubFor } from './hub.ts';
import { modelFiles, suiteWithEngine } from './site.ts';

declare const window: { lookback: TestPage };

const sentence = 'When Mary and John went to the store, John gave a drink to';
/** As many heads and places as GPT-2 small has, and few numbers. */
const manyHeads: CheckpointShape = { n_layer: 12, n_head: 12, n_embd: 96, n_positions: 1024, vocab_size: 50257 };
const suite = suiteWithEngine('head-gallery');
let page: Page;
let figure: Locator;

beforeAll(async () => {
  await writeCheckpoint(join(suite.folder, 'odd'), { shape: oddShape, seed: 11, vocabulary: true });
  await writeCheckpoint(join(suite.folder, 'many'), { shape: manyHeads, seed: 5, vocabulary: true });
});

async function openChapter(fragment = '', viewport = { width: 1280, height: 1000 }): Promise<void> {
  page = await suite.open(`03-one-head.html${fragment}`, { viewport, reducedMotion: 'reduce' });
  page.setDefaultTimeout(60_000);
  figure = page.locator('#head-gallery');
  await figure.scrollIntoViewIfNeeded();
  await settled(figure);
}

async function openModel(name: string): Promise<void> {
  await figure.locator('input[type=file]').first().setInputFiles(modelFiles.map((file) => join(suite.folder, name, file)));
  await expect.poll(() => figure.locator('.figure-model').innerText(), { timeout: 120_000 }).toContain('from your disk');
  await settled(figure);
}

interface Truth {
  /** [layers][heads][n * n] */
  patterns: number[][][];
  /** [layers][heads][scores], null where there is none. */
  scores: (number | null)[][][];
  heap: number;
}

/** The core's own values, by the engine alone. Without a name, the little model. */
async function truthOf(name: string | null, text = sentence, withPatterns = true): Promise<Truth> {
  const bare = await suite.browser.newPage();
  bare.setDefaultTimeout(60_000);
  await bare.goto(`${suite.site.address}engine.html`);
  if (name) await bare.setInputFiles('input', modelFiles.map((file) => join(suite.folder, name, file)));
  const truth = await bare.evaluate(
    async ([read, own, whole, count]) => {
      const engine = window.lookback.engineWith(2);
      const { config } = own ? await engine.open({ name: 'model', files: window.lookback.pickedFiles() }) : await engine.openLittle();
      const run = await engine.run({ text: read });
      const found: Truth = { patterns: [], scores: [], heap: 0 };
      for (let layer = 0; layer < config.n_layers; layer++) {
        const { scores } = await engine.gallery(run, layer, 64);
        found.scores.push(Array.from({ length: config.n_heads }, (_, head) => Array.from(scores.subarray(head * count, (head + 1) * count), (value) => (Number.isNaN(value) ? null : value))));
        if (!whole) continue;
        const { data } = await engine.activation(run, `blocks.${layer}.attn.hook_pattern`);
        const cells = data.length / config.n_heads;
        found.patterns.push(Array.from({ length: config.n_heads }, (_, head) => [...data.subarray(head * cells, (head + 1) * cells)]));
      }
      found.heap = (await engine.memory()).heap_bytes;
      return found;
    },
    [text, name !== null, withPatterns, headScores.length] as const,
  );
  await bare.close();
  return truth;
}

const bare = (text: string) => text.replace(/[\s\u00A0\u202F]/g, '');
function shownShare(value: number): string {
  const percent = value * 100;
  if (percent > 0 && percent < 0.05) return '<0.1%';
  return `${percent !== 0 && percent < 0.95 ? percent.toFixed(1) : percent.toFixed(0)}%`;
}

/** What hangs on the wall: label, and the number below. */
const hung = () =>
  figure.locator('.gallery-head').evaluateAll((nodes) => nodes.map((node) => [node.querySelector('.gallery-name')!.textContent!, (node.querySelector('.gallery-score')?.textContent ?? '').replace(/[\s\u00A0\u202F]/g, '')] as const));

/** How strong the ink is in each square of a head's canvas, row by row; where it is masked, -1. */
const inks = (name: string, side: number) =>
  figure.locator(`[data-head="${name}"] canvas`).evaluate((node, squares) => {
    const canvas = node as HTMLCanvasElement;
    const size = canvas.width / squares;
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    return Array.from({ length: squares * squares }, (_, at) => {
      const [row, column] = [Math.floor(at / squares), at % squares];
      const [x, y] = [Math.floor((column + 0.5) * size), Math.floor((row + 0.5) * size)];
      return column > row ? -1 : data[(y * canvas.width + x) * 4 + 3]! / 255;
    });
  }, side);

async function compareCanvases({ patterns }: Truth, n: number, block = 1): Promise<void> {
  const side = Math.ceil(n / block);
  for (const [layer, heads] of patterns.entries()) {
    for (const [head, pattern] of heads.entries()) {
      const shown = await inks(`${layer}.${head}`, side);
      for (let row = 0; row < side; row++) {
        for (let column = 0; column <= row; column++) {
          let largest = 0;
          for (let i = row * block; i < Math.min(n, (row + 1) * block); i++) for (let j = column * block; j < Math.min(n, (column + 1) * block); j++) largest = Math.max(largest, pattern[i * n + j]!);
          expect(Math.abs(shown[row * side + column]! - largest), `${layer}.${head} at ${row},${column}`).toBeLessThan(0.006);
        }
      }
    }
  }
}

const sortButton = (name: string) => figure.getByRole('group', { name: 'Order of the heads' }).getByRole('button', { name, exact: true });

describe('the little model', () => {
  it('hangs every head with the core’s pattern, and the compiled page the same heads', async () => {
    const still = await suite.browser.newPage({ javaScriptEnabled: false });
    const markup = await (await still.goto(`${suite.site.address}03-one-head.html`))!.text();
    const stillNames = await still.locator('#head-gallery .gallery-name').allInnerTexts();
    const stillTitle = await still.locator('#head-gallery .figure-title').innerText();
    await still.close();
    expect(/<head-gallery [^]*?<\/head-gallery>/.exec(markup)![0].length).toBeLessThan(60_000);

    await openChapter();
    expect((await hung()).map(([name]) => name)).toEqual(stillNames);
    expect(await figure.locator('.figure-title').innerText()).toBe(stillTitle);
    const truth = await truthOf(null);
    expect(stillNames).toEqual(truth.patterns.flatMap((heads, layer) => heads.map((_, head) => `${layer}.${head}`)));
    await compareCanvases(truth, 14);
    const resting = truth.scores.flat().filter((scores) => scores[1]! > 0.5).length;
    expect(stillTitle).toContain(`Of ${stillNames.length} heads, ${resting} give`);
  });

  it('orders the heads by each score, and says the number with each; the link keeps the order', async () => {
    await openChapter();
    const { scores } = await truthOf(null);
    const heads = scores.flatMap((layer, at) => layer.map((values, head) => ({ name: `${at}.${head}`, values })));
    for (const [at, button] of ['Token before', 'First token', 'Same token', 'Induction', 'Itself', 'Spread'].entries()) {
      await sortButton(button).click();
      const expected = [...heads].sort((a, b) => b.values[at]! - a.values[at]!);
      const shown = (value: number) => (at === 5 ? `${value.toFixed(2)}bits` : shownShare(value));
      await expect.poll(hung).toEqual(expected.map(({ name, values }) => [name, shown(values[at]!)]));
      expect(bare(await figure.locator('.figure-title').innerText())).toContain(bare(`Layer ${expected[0]!.name.replace('.', ' head ')}`));
      const spoken = await figure.locator(`[data-head="${expected[0]!.name}"]`).textContent();
      expect(bare(spoken!)).toContain(`${shown(expected[0]!.values[at]!)}${bare(button.toLowerCase())},layer`);
    }
    await expect.poll(() => page.evaluate(() => location.hash)).toContain('head-gallery.sort=entropy');
    await figure.locator('.figure-data > summary').click();
    expect(await figure.locator('.figure-table tbody tr').count()).toBe(heads.length);
  });

  it('is walked by arrow keys, opens with Enter, and leads into one-head with the same text, layer and head', async () => {
    await openChapter();
    await figure.getByRole('textbox', { name: 'Text' }).fill('The dog chased the cat.');
    await settled(figure);
    await figure.locator('[data-head="0.0"]').focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'ArrowUp']) await page.keyboard.press(key);
    expect(await page.evaluate(() => document.activeElement!.getAttribute('data-head'))).toBe('1.2');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowLeft');
    expect(await page.evaluate(() => document.activeElement!.getAttribute('data-head'))).toBe('0.0');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    const open = figure.locator('.gallery-open');
    await open.waitFor();
    expect(await open.locator('.opened-title').innerText()).toBe('Layer 2 head 3');
    expect(await figure.locator('[data-head][aria-expanded=true]').getAttribute('data-head')).toBe('2.3');

    const { patterns, scores } = await truthOf(null, 'The dog chased the cat.');
    const n = Math.sqrt(patterns[2]![3]!.length);
    const row = patterns[2]![3]!.slice((n - 1) * n);
    expect(bare(await open.locator('.gallery-reading').innerText())).toMatch(new RegExp(`:${shownShare(Math.max(...row))}$`));
    // In the large grid the keys walk from square to square.
    await open.locator('.heat-frame').focus();
    await page.keyboard.press('PageDown');
    await page.keyboard.press('ArrowRight');
    await expect.poll(async () => bare(await open.locator('.gallery-reading').innerText())).toBe(`from“.”to“dog”:${shownShare(row[1]!)}`);
    const bars = await open.locator('.bar-number').allInnerTexts();
    expect(bars.map(bare)).toEqual(scores[2]![3]!.slice(0, 5).map((value) => shownShare(value ?? 0)));

    await open.getByRole('link', { name: 'Step through this head' }).click();
    const oneHead = page.locator('#one-head');
    await expect.poll(() => oneHead.locator('.figure-title').innerText()).toContain('layer 2 head 3');
    await settled(oneHead);
    expect(await oneHead.locator('textarea').inputValue()).toBe('The dog chased the cat.');
    const cells = await oneHead.locator('[data-cell]').evaluateAll((nodes) => nodes.map((node) => (node.querySelector('text')?.textContent ?? '').replace(/[\s\u00A0\u202F]/g, '')));
    expect(cells.slice((n - 1) * n)).toEqual(row.map(shownShare));
  });

  it('counts as the reader does, and follows the prose', async () => {
    await openChapter('#base=1');
    expect((await hung())[0]![0]).toBe('1.1');
    await expect.poll(() => figure.locator('.figure-model').innerText()).toContain('Little model');
    for (const link of await page.locator('a.sets[href^="#head-gallery"]:visible').all()) {
      const [, ...settings] = (await link.getAttribute('href'))!.split('&');
      await link.click();
      await settled(figure);
      for (const setting of settings) await expect.poll(() => page.evaluate(() => decodeURIComponent(location.hash))).toContain(decodeURIComponent(setting));
    }
  });
});

describe('other models', () => {
  it('of odd sizes: the core’s patterns and scores; a text longer than the grid is reduced, and the figure says so', async () => {
    await openChapter();
    await openModel('odd');
    await compareCanvases(await truthOf('odd'), 14);
    const long = Array.from({ length: 90 }, (_, at) => [' one', ' two', ' three', ' four', ' five'][(at * at) % 5]).join('');
    await figure.getByRole('textbox', { name: 'Text' }).fill(long);
    await settled(figure);
    await expect.poll(() => figure.innerText()).toContain('a square stands for 2 × 2 pairs of tokens and shows the largest share among them');
    await compareCanvases(await truthOf('odd', long), 90, 2);
    await figure.getByRole('textbox', { name: 'Text' }).fill('word '.repeat(120));
    await expect.poll(() => figure.innerText()).toMatch(/The text has 1\d\d tokens, but the model's window holds 96\./);
  });

  it('with 144 heads: a text that nearly fills the window in little memory, on a screen of any width', async () => {
    await openChapter();
    await openModel('many');
    await expect.poll(async () => (await hung()).length).toBe(144);
    const few = await truthOf('many', sentence, false);
    const text = ' the cat sat on a mat and then it'.repeat(113).slice(1);
    // Of the wall only the first lines are in sight.
    await page.setViewportSize({ width: 1280, height: 420 });
    await figure.locator('.figure-title').scrollIntoViewIfNeeded();
    await figure.getByRole('textbox', { name: 'Text' }).fill(text);
    await expect.poll(() => figure.innerText(), { timeout: 120_000 }).toContain('a square stands for 16 × 16 pairs');
    await settled(figure);
    expect(await figure.innerText()).toMatch(/^\d of 12 layers have been worked out; of a text as long as this, the others are when they come into sight\./m);
    expect(await figure.locator('.gallery-awaited').count()).toBeGreaterThanOrEqual(12);
    await figure.locator('.gallery-row').last().scrollIntoViewIfNeeded();
    await expect.poll(() => figure.locator('[data-head="11.11"]').count(), { timeout: 120_000 }).toBe(1);
    const much = await truthOf('many', text, false);
    // The trace itself grows with the text; no pattern is ever held whole, which would take 600 MB.
    console.log(`  144 heads: wasm heap ${few.heap} bytes for 14 tokens, ${much.heap} for 1,017`);
    expect(much.heap - few.heap).toBeLessThan(80e6);
    // An order needs every layer.
    await sortButton('Induction').click();
    await expect.poll(() => figure.locator('.gallery-awaited').count(), { timeout: 120_000 }).toBe(0);
    const ranked = much.scores.flatMap((layer, at) => layer.map((values, head) => ({ name: `${at}.${head}`, value: values[3]! }))).sort((a, b) => b.value - a.value);
    await expect.poll(hung).toEqual(ranked.map(({ name, value }) => [name, shownShare(value)]));
    for (const width of [320, 360, 800, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), `${width} px`).toBe(0);
    }
  }, 600_000);

  it('while a model comes: the layers that are there, and empty shapes with their labels for the others', async () => {
    page = await suite.open('03-one-head.html', { viewport: { width: 1280, height: 1000 }, reducedMotion: 'reduce' }, async (fresh) => {
      page = fresh;
      const hub = await hubFor(fresh, join(suite.folder, 'odd'));
      hub.hold(/\bh\.1\./);
      Object.assign(fresh, { hub });
    });
    page.setDefaultTimeout(60_000);
    figure = page.locator('#head-gallery');
    await figure.scrollIntoViewIfNeeded();
    await settled(figure);
    await figure.locator('.head-model > summary').click();
    const shelf = figure.locator('.shelf');
    await shelf.getByText('Another model').click();
    await shelf.getByLabel('A repository on the hub').check();
    await shelf.getByLabel('Repository on the hub', { exact: true }).fill('someone/model');
    await shelf.getByRole('button', { name: 'Ask what it takes' }).click();
    await shelf.getByRole('radio', { name: /^f32/ }).check();
    await shelf.getByRole('button', { name: 'Open someone/model' }).click();
    await expect.poll(() => figure.locator('.figure-model').innerText(), { timeout: 60_000 }).toContain('still arriving');
    await expect.poll(hung, { timeout: 60_000 }).toEqual(['0.0', '0.1', '0.2', '1.0', '1.1', '1.2'].map((name) => [name, '']));
    await expect.poll(() => figure.locator('.gallery-awaited').count()).toBe(3);
    expect(await figure.innerText()).toContain('1 of 2 layers can be seen so far');
    (page as Page & { hub: Awaited<ReturnType<typeof hubFor>> }).hub.hold(null);
    await expect.poll(() => figure.locator('.gallery-awaited').count(), { timeout: 60_000 }).toBe(0);
    await expect.poll(() => figure.locator('.figure-model').innerText(), { timeout: 60_000 }).not.toContain('still arriving');
    await settled(figure);
    await compareCanvases(await truthOf('odd'), 14);
  });
});

it('is accessible in both themes, open and sorted, and does not overflow a phone', async () => {
  await openChapter('#head-gallery.sort=first&head-gallery.heads=1.2');
  await figure.locator('.gallery-open canvas').waitFor();
  await page.evaluate(axeCore.source);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const faults = await page.evaluate(async () => {
      const { axe } = window as unknown as { axe: typeof import('axe-core') };
      const { violations } = await axe.run('#head-gallery', { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] });
      return violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.target.join(' ')).join(', ')}`);
    });
    expect(faults).toEqual([]);
  }
  for (const width of [320, 360, 800]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
  }
});
