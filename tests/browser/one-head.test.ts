// The figure one-head in Chromium, on the little model and on models that the reader opens: what is displayed against the core's values, for
// odd sizes and for GPT-2 small's. Formatting is written out here anew.

import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import axeCore from 'axe-core';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { HeadGrids } from '../../web/engine/types.ts';
import { type CheckpointShape, gpt2Small, oddShape, writeCheckpoint } from './checkpoint.ts';
import type { TestPage } from './engine-page.ts';
import { inside, little, modelFiles, suiteWithEngine } from './site.ts';

declare const window: { lookback: TestPage; engine: ReturnType<TestPage['engineWith']> };

const sentence = 'When Mary and John went to the store, John gave a drink to';
const suite = suiteWithEngine('one-head');
let folder: string;
let page: Page;

beforeAll(async () => {
  ({ folder } = suite);
  await writeCheckpoint(join(folder, 'odd'), { shape: oddShape, seed: 11, vocabulary: true });
});

async function openChapter(fragment = ''): Promise<void> {
  page = await suite.open(`03-one-head.html${fragment}`, { viewport: { width: 1440, height: 1000 } });
  await page.locator('one-head textarea').waitFor(); // alive
}

const label = () => page.locator('one-head .figure-model').innerText();

async function openModel(name: string, files = modelFiles): Promise<void> {
  await page.locator('one-head input[type=file]').first().setInputFiles(files.map((file) => join(folder, name, file)));
  await expect.poll(label, { timeout: 200_000 }).toContain('from your disk');
}

/** The core's own values for a head, by the engine alone. `name` is a folder's; without one, the little model. */
async function valuesOf(name: string | null, layer: number, head: number): Promise<Record<'raw' | 'scaled' | 'pattern', number[]> & { n: number; heap_bytes: number; trace_bytes: number; weight_bytes: number }> {
  const bare = await suite.browser.newPage();
  await bare.goto(`${suite.site.address}engine.html`);
  if (name) await bare.setInputFiles('input', modelFiles.map((file) => join(folder, name, file)));
  const values = await bare.evaluate(
    async ([text, at, own]) => {
      const engine = window.lookback.engineWith(2);
      const model = own ? await engine.open({ name: 'model', files: window.lookback.pickedFiles() }) : await engine.openLittle();
      const run = await engine.run({ text });
      const grids: HeadGrids = await engine.head(run, at[0]!, at[1]!);
      const { heap_bytes } = await engine.memory();
      return { n: grids.n, raw: [...grids.raw], scaled: [...grids.scaled], pattern: [...grids.pattern], heap_bytes, trace_bytes: run.trace_bytes, weight_bytes: model.weight_bytes };
    },
    [sentence, [layer, head], name !== null] as const,
  );
  await bare.close();
  return values;
}

// Scores with a real minus sign and, in the narrow cells of the grid, three digits: 1.23, 12.3, 123. Shares in whole per cent, below one with a decimal,
// and what would round to nothing is said to be less than 0.1 %.
function shownScore(value: number): string {
  const size = Math.abs(value);
  const digits = size.toFixed(size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
  return (value < 0 && Number(digits) !== 0 ? '−' : '') + digits;
}
function shownShare(value: number): string {
  const percent = value * 100;
  if (percent > 0 && percent < 0.05) return '<0.1%';
  return `${percent !== 0 && percent < 0.95 ? percent.toFixed(1) : percent.toFixed(0)}%`;
}

/** The numbers in the grid's cells, row by row; '' where a cell shows none. Spaces are dropped. */
function cells(): Promise<string[]> {
  return page.locator('one-head [data-cell]').evaluateAll((nodes) =>
    nodes.map((node) => (node.querySelector('text')?.textContent ?? '').replace(/[\s\u00A0\u202F,]/g, '')),
  );
}

async function goTo(layer: number, head: number, stage: string): Promise<void> {
  await page.evaluate((fragment) => (location.hash = fragment), `one-head&one-head.layer=${layer}&one-head.head=${head}&one-head.stage=${stage}`);
  await page.locator(`#one-head-stage-${stage}[aria-pressed=true]`).waitFor();
  await page.waitForFunction(
    (numbers) => ['layer', 'head'].every((noun) => [...document.querySelectorAll<HTMLInputElement>('one-head .pager-number')].find((input) => input.id.toLowerCase().endsWith(noun))?.value === String(numbers[noun as 'layer'])),
    { layer, head },
  );
  await page.waitForTimeout(300);
}

async function compareStages(name: string | null, layer: number, head: number): Promise<void> {
  const values = await valuesOf(name, layer, head);
  const { n } = values;
  const isHidden = (cell: number) => cell % n > Math.floor(cell / n);
  const scores = (list: number[]) => list.map(shownScore);
  const expected: Record<string, string[]> = {
    raw: scores(values.raw),
    scaled: scores(values.scaled),
    masked: scores(values.scaled).map((text, cell) => (isHidden(cell) ? '' : text)),
    shares: values.pattern.map((value, cell) => (isHidden(cell) ? '' : shownShare(value))),
  };
  for (const [stage, texts] of Object.entries(expected)) {
    await goTo(layer, head, stage);
    await expect.poll(cells, { timeout: 10_000, message: `${stage} of ${layer}.${head}` }).toEqual(texts);
  }
  const says = await page.locator('.stage-says').innerText();
  expect(says).toContain(String((n * (n + 1)) / 2));
}

describe('the little model', () => {
  it('is there by itself: the compiled picture, the live one and the core agree, and the page fetches it from its site', async () => {
    const asked: { address: string; bytes: number }[] = [];
    const still = await suite.browser.newPage({ javaScriptEnabled: false });
    await still.goto(`${suite.site.address}03-one-head.html`);
    const stillCells = await still.locator('one-head [data-cell]').evaluateAll((nodes) => nodes.map((node) => (node.querySelector('text')?.textContent ?? '').replace(/[\s\u00A0\u202F,]/g, '')));
    const stillTitle = await still.locator('one-head .figure-title').innerText();
    // Without a script nothing is there that only acts.
    expect(await still.locator('one-head').locator('textarea, select, input, .segmented, .step-button, .slider-step').filter({ visible: true }).count()).toBe(0);
    await still.close();

    page = await suite.open('engine.html', { viewport: { width: 1440, height: 1000 } });
    page.on('response', (response) => asked.push({ address: response.url(), bytes: Number(response.headers()['content-length']) }));
    await page.goto(`${suite.site.address}03-one-head.html`);
    await page.locator('one-head textarea').waitFor();
    expect(await cells()).toEqual(stillCells);
    expect(await page.locator('one-head .figure-title').innerText()).toBe(stillTitle);

    const [, layer, head] = /layer (\d+) head (\d+)/.exec(stillTitle)!;
    const truth = await inside('--model', little, '--text', sentence, '--head', `${layer}.${head}`);
    expect((await cells()).slice(13 * 14)).toEqual(truth.attention.heads[0].shares.map(shownShare));
    const { n_layer, n_head } = JSON.parse(await readFile(join(little, 'config.json'), 'utf8'));
    await expect.poll(() => label()).toBe(`Little model · ${n_layer} layers × ${n_head} heads, trained on made-up stories`);

    const origins = new Set(asked.map(({ address }) => `${new URL(address).origin}/`));
    expect([...origins]).toEqual([suite.site.address]);
    const files = asked.filter(({ address }) => address.includes('/models/'));
    expect(files.map(({ address }) => address.split('/').at(-1)).sort()).toEqual([...modelFiles].sort());
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    expect(bytes).toBeGreaterThan((await stat(join(little, 'model.safetensors'))).size);
    expect(bytes).toBeLessThanOrEqual(1.5e6);
  });

  it('shows the core’s values in every stage, for any text that its window holds', async () => {
    const { n_positions } = JSON.parse(await readFile(join(little, 'config.json'), 'utf8'));
    await openChapter();
    await compareStages(null, 0, 1);
    const field = page.locator('one-head textarea');
    await field.fill('🦉 naïve ∑');
    await expect.poll(() => page.locator('one-head .head-tokens').innerText()).toContain('⟨F0⟩');
    await field.fill(' the'.repeat(n_positions + 1));
    await expect.poll(() => page.locator('one-head .figure-error').innerText()).toBe(`The text has ${n_positions + 1} tokens, but the model's window holds ${n_positions}.`);
    await field.fill(sentence);
    await expect.poll(async () => (await cells()).length).toBe(196);
  });

  it('says so where a link means GPT-2, and gives way to a model from the disk and back', async () => {
    await openChapter('#one-head&one-head.model=gpt2&one-head.layer=9&one-head.head=9&one-head.stage=shares');
    const notice = page.locator('one-head .head-elsewhere');
    await expect.poll(() => notice.innerText()).toMatch(/^This is about layer 9 head 9 of GPT-2 small; shown is the nearest that the little model has, layer \d head \d\./);
    await notice.getByRole('button', { name: 'Open GPT-2 small…' }).click();
    await expect.poll(() => page.locator('one-head .head-model').innerText()).toContain('Fetches 498\u202FMB from huggingface.co');
    await openModel('odd');
    await expect.poll(() => label()).toBe('“your files”, from your disk · 2 layers × 3 heads');
    await expect.poll(() => notice.innerText()).toMatch(/^This is about layer 9 head 9 of GPT-2 small; shown is the nearest that “your files” has, layer 1 head 2\./);
    await page.getByRole('button', { name: 'Back to the little model' }).click();
    await expect.poll(label).toContain('Little model');
    await page.getByRole('button', { name: 'Head before' }).click();
    await expect.poll(() => notice.count()).toBe(0);
  });

  it('forgets the square that was walked to when a link opens another', async () => {
    await openChapter('#one-head&one-head.head=2&one-head.stage=shares&one-head.row=7&one-head.col=3');
    const grid = page.locator('one-head [role="grid"], one-head .heat').first();
    await grid.scrollIntoViewIfNeeded();
    await page.locator('one-head [tabindex="0"][role="gridcell"], one-head canvas[tabindex="0"], one-head .cell[tabindex="0"]').first().focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => location.hash)).toContain('one-head.col=2');
    await page.evaluate(() => document.querySelector<HTMLAnchorElement>('a.sets[href*="stage=shares"][href*="row=13"][href*="col=1"]')!.click());
    await expect.poll(() => page.evaluate(() => location.hash)).toContain('one-head.row=13');
    await expect.poll(() => page.locator('one-head .figure-picture').innerText()).toMatch(/to\s*(\(\d+\)\s*)?asks\s*Mary/);
  });

  it('keeps the focus where a button has led as far as it goes', async () => {
    await openChapter('#one-head&one-head.stage=blend');
    const next = page.locator('one-head').getByRole('button', { name: 'Next ›' });
    await next.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => next.isDisabled()).toBe(true);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('‹ Back');
  });

  it('offers the way back to a text that the page has left for its figure', async () => {
    await openChapter();
    const link = page.locator('a.sets').filter({ visible: true }).last();
    await link.scrollIntoViewIfNeeded();
    const before = (await link.boundingBox())!.y;
    await link.click();
    await expect.poll(async () => (await link.boundingBox())!.y > before + 1000 || (await link.boundingBox())!.y > 1000).toBe(true);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('↩ Back to the text');
    await page.keyboard.press('Enter');
    await expect.poll(async () => Math.abs((await link.boundingBox())!.y - before), { timeout: 5000 }).toBeLessThan(40);
    expect(await page.locator('.way-back').count()).toBe(0);

    // Who goes on from the figure has left the text for good.
    await link.click();
    await expect.poll(() => page.locator('.way-back').count()).toBe(1);
    await expect.poll(async () => (await page.locator('one-head').first().boundingBox())!.y).toBeLessThan(400);
    await page.locator('footer').last().scrollIntoViewIfNeeded();
    await expect.poll(() => page.locator('.way-back').count()).toBe(0);
  });
});

describe('a model of odd sizes', () => {
  it('shows the core’s values in every stage', async () => {
    await openChapter();
    await openModel('odd');
    await compareStages('odd', 1, 2);
    await compareStages('odd', 0, 0);
  });

  it('pages through every head of every layer, and counts from 0 or 1 everywhere', async () => {
    await openChapter('#one-head&one-head.layer=0&one-head.head=0&one-head.stage=shares');
    await openModel('odd');
    const title = page.locator('#one-head figcaption, #one-head .figure-title').first();
    const seen = new Set<string>();
    const next = page.getByRole('button', { name: /head after/i });
    for (let at = 0; at < 6; at++) {
      const [layer, head] = await page.locator('one-head .pager-number').evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value));
      seen.add(`${layer}.${head}`);
      await expect.poll(() => title.innerText()).toMatch(new RegExp(`layer ${layer} head ${head}`));
      if (at < 5) {
        await next.click();
        await page.waitForTimeout(250);
      }
    }
    expect([...seen]).toEqual(['0.0', '0.1', '0.2', '1.0', '1.1', '1.2']);
    await expect.poll(() => page.evaluate(() => location.hash)).toContain('one-head.head=2'); // the link follows a little later
    await page.evaluate(() => (location.hash = `${location.hash}&base=1`));
    await expect.poll(() => title.innerText()).toMatch(/layer 2 head 3/);
  });

  it('opens a cell to its arithmetic, which double precision confirms', async () => {
    await openChapter('#one-head&one-head.layer=1&one-head.head=1&one-head.stage=shares&one-head.row=5&one-head.col=3');
    await openModel('odd');
    const opened = page.locator('one-head .opened');
    await opened.waitFor();
    const values = await valuesOf('odd', 1, 1);
    const share = shownShare(values.pattern[5 * values.n + 3]!);
    const text = (await opened.innerText()).replace(/[\u00A0\u202F]/g, '');
    expect(text).toContain(share);
    expect(text).toContain(Math.abs(values.raw[5 * values.n + 3]!).toFixed(6).slice(0, -2));
    expect(await opened.locator('table.products tbody tr').count()).toBe(11);
    expect(await opened.locator('.opened-check').innerText()).toMatch(/double precision/i);
    await page.keyboard.press('Escape');
    // A link opens the same cell again in another page.
    expect(page.url()).toContain('one-head.row=5');
  });

  it('answers bad input in one sentence and keeps the text and the model', async () => {
    await openChapter();
    await openModel('odd');
    const field = page.locator('one-head textarea');
    await field.fill('word '.repeat(120));
    await field.blur();
    await expect.poll(() => page.locator('one-head').innerText()).toMatch(/The text has 1\d\d tokens, but the model's window holds 96\./);
    await field.fill(sentence);
    await field.blur();
    await page.locator('one-head [data-cell]').first().waitFor();

    await writeFile(join(folder, 'odd', 'notes.txt'), 'not a model');
    await page.locator('one-head details.head-model > summary').click();
    await page.locator('one-head input[type=file]').first().setInputFiles([join(folder, 'odd', 'notes.txt')]);
    await expect.poll(() => page.locator('one-head').innerText()).toContain('There is no model.safetensors among the files.');
    expect((await cells()).length).toBe(196);
  });

  it('comes back with the next change when its worker has died', async () => {
    await openChapter('#one-head&one-head.stage=shares');
    await openModel('odd');
    const before = await cells();
    await page.workers().filter((worker) => worker.url().includes('/assets/')).at(-1)!.evaluate('self.close()').catch(() => {});
    await expect.poll(() => page.locator('one-head > .figure > .figure-error').innerText(), { timeout: 20_000 }).toMatch(/^The engine stopped unexpectedly; your text is kept/);
    expect(await cells()).toEqual(before);
    await page.locator('one-head textarea').fill(`${sentence} her`);
    await expect.poll(async () => (await cells()).length).toBe(225);
    await expect.poll(() => label()).toContain('“your files”, from your disk');
    expect((await cells()).slice(13 * 15, 13 * 15 + 14)).toEqual(before.slice(13 * 14));
  });

  it('shows tokens as text, whatever they hold', async () => {
    await openChapter();
    await openModel('odd');
    const field = page.locator('one-head textarea');
    await field.fill('<img src=x onerror=alert(1)> 🦉\n\ttab');
    await field.blur();
    await expect.poll(() => page.locator('one-head .head-tokens').innerText()).toContain('⟨');
    expect(await page.locator('one-head .head-tokens img').count()).toBe(0);
    const strip = await page.locator('one-head .head-tokens').innerText();
    for (const sign of ['↵', '⇥']) expect(strip).toContain(sign);
  });

  it('is accessible in both themes, and does not overflow a phone', async () => {
    await openChapter('#one-head&one-head.stage=shares&one-head.row=5&one-head.col=3');
    await openModel('odd');
    await page.evaluate(axeCore.source);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const faults = await page.evaluate(async () => {
        const { axe } = window as unknown as { axe: typeof import('axe-core') };
        const { violations } = await axe.run('#one-head', { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] });
        return violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.target.join(' ')).join(', ')}`);
      });
      expect(faults).toEqual([]);
    }
    for (const width of [320, 360, 800]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
    }
  });
});

describe('a model of GPT-2 small’s sizes', () => {
  it('shows 14 tokens through all 144 heads within the promised memory', async () => {
    const shape: CheckpointShape = gpt2Small;
    await writeCheckpoint(join(folder, 'small'), { shape, seed: 3, vocabulary: true, maskBuffers: true });
    await openChapter('#one-head&one-head.layer=9&one-head.head=9&one-head.stage=raw');
    await openModel('small');
    await compareStages('small', 9, 9);
    await compareStages('small', 11, 0);

    const truth = await inside('--model', join(folder, 'small'), '--text', sentence, '--head', '9.9');
    await goTo(9, 9, 'shares');
    const last = truth.attention.heads[0].shares.map((value: number) => shownShare(value));
    await expect.poll(async () => (await cells()).slice(13 * 14)).toEqual(last);

    const { heap_bytes, weight_bytes, trace_bytes } = await valuesOf('small', 0, 0);
    console.log(`  GPT-2 small: weights ${weight_bytes} bytes, trace ${trace_bytes}, wasm heap ${heap_bytes}`);
    expect(heap_bytes).toBeLessThanOrEqual(1.05 * weight_bytes + trace_bytes + 20e6);
  }, 600_000);
});
