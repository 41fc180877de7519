// The shelf in Chromium: what it says before it asks, a model that comes from the hub and is looked at while it comes,
// what is kept and opened again without the network, what goes wrong, and what precisions cost.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import axeCore from 'axe-core';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeCheckpoint } from './checkpoint.ts';
import { hubFor, type Hub } from './hub.ts';
import { inside, modelFiles, suiteWithEngine } from './site.ts';

const sentence = 'When Mary and John went to the store, John gave a drink to';
const suite = suiteWithEngine('shelf');
let folder: string;
let page: Page;
let hub: Hub;
let shelf: Locator;

beforeAll(async () => {
  folder = join(suite.folder, 'model');
  await writeCheckpoint(folder, { shape: { n_layer: 3, n_head: 2, n_embd: 48, n_positions: 96, vocab_size: 50257 }, seed: 21, vocabulary: true, maskBuffers: true });
});

async function openShelf(fragment = '', options: BrowserContextOptions = { viewport: { width: 1440, height: 1000 } }): Promise<void> {
  page = await suite.open(`03-one-head.html${fragment}`, options);
  hub = await hubFor(page, folder);
  await alive();
}

async function alive(): Promise<void> {
  await page.waitForFunction(() => performance.getEntriesByName('one-head alive').length > 0);
  await page.locator('one-head .head-model > summary').click();
  shelf = page.locator('one-head .shelf');
  await shelf.locator('.shelf-card').waitFor();
}

async function typeRepository(): Promise<void> {
  await shelf.getByText('Another model').click();
  await shelf.getByLabel('A repository on the hub').check();
  await shelf.getByLabel('Repository on the hub', { exact: true }).fill('someone/model');
}

/** Asks what the repository takes, and opens it. */
async function openRepository(precision: 'f32' | 'f16' | 'int8' = 'f32'): Promise<void> {
  await typeRepository();
  await shelf.getByRole('button', { name: 'Ask what it takes' }).click();
  await shelf.getByRole('radio', { name: new RegExp(`^${precision}`) }).check();
  await shelf.getByRole('button', { name: 'Open someone/model' }).click();
}

const label = () => page.locator('one-head .figure-model').innerText();
const plainText = async (locator: Locator) => (await locator.innerText()).replace(/[\u00A0\u202F]/g, ' ');
const awaited = () => page.locator('one-head .head-awaited').innerText();
const go = (layer: number, more = '') => page.evaluate((hash) => (location.hash = hash), `one-head&one-head.layer=${layer}&one-head.head=1&one-head.stage=shares${more}`);

/** Shares in whole per cent, below one with a decimal; what would round to nothing is less than 0.1 %. */
function shownShare(value: number): string {
  const percent = value * 100;
  if (percent > 0 && percent < 0.05) return '<0.1%';
  return `${percent !== 0 && percent < 0.95 ? percent.toFixed(1) : percent.toFixed(0)}%`;
}

/** A whole model and the check of what is kept take their time on a busy machine. */
const whole = { timeout: 60_000 };

/** The last row of the grid, as it is shown. */
const lastRow = (n = 14) =>
  page.locator('one-head [data-cell]').evaluateAll((nodes, from) => nodes.slice(from).map((node) => (node.querySelector('text')?.textContent ?? '').replace(/[\s\u00A0\u202F]/g, '')), n * (n - 1));

async function expectRow(layer: number, text = sentence, n = 14): Promise<void> {
  const truth = await inside('--model', folder, '--text', text, '--head', `${layer}.1`);
  await expect.poll(() => lastRow(n)).toEqual(truth.attention.heads[0].shares.map(shownShare));
}

describe('before anything is asked', () => {
  it('the shelf says where it goes, how many bytes, and the price of each precision, and asks nobody', async () => {
    await openShelf();
    const text = await plainText(shelf);
    expect(text).toContain('Fetches 498 MB from huggingface.co');
    for (const price of ['498 MB', '249 MB', '124 MB']) expect(text).toContain(price);
    await shelf.getByText('Another model').click();
    await shelf.getByLabel('GPT-2 large').check();
    expect(await shelf.getByRole('radio', { name: /^f32/ }).isDisabled()).toBe(true);
    expect(await shelf.getByRole('radio', { name: /^f16/ }).isChecked()).toBe(true);
    expect(await plainText(shelf)).toContain('Fetches 3 096 MB from huggingface.co');
    expect(hub.asked).toEqual([]);
  });

  it('a phone begins with int8, and is warned of f32', async () => {
    await openShelf('', { viewport: { width: 360, height: 800 }, screen: { width: 360, height: 800 }, isMobile: true, hasTouch: true });
    expect(await shelf.getByRole('radio', { name: /^int8/ }).isChecked()).toBe(true);
    await shelf.getByRole('radio', { name: /^f32/ }).check();
    expect(await shelf.locator('.shelf-warning').innerText()).toContain('int8 is the safer choice');
  });

  it('a repository that cannot be is one sentence', async () => {
    await openShelf();
    await typeRepository();
    await shelf.getByLabel('Repository on the hub', { exact: true }).fill('../secrets');
    await shelf.getByRole('button', { name: 'Ask what it takes' }).click();
    await expect.poll(() => shelf.locator('.shelf-card .figure-error').innerText()).toContain('is not the name of a repository');
    expect(hub.asked).toEqual([]);
  });

  it('the shelf is accessible in both themes, and does not overflow a phone', async () => {
    await openShelf();
    for (const summary of await shelf.locator('.shelf-more > summary').all()) await summary.click();
    await page.evaluate(axeCore.source);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const faults = await page.evaluate(async () => {
        const { axe } = window as unknown as { axe: typeof import('axe-core') };
        const { violations } = await axe.run('model-shelf', { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] });
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

describe('a model from the hub', () => {
  it('says its sizes before the first byte of its weights, then opens and is kept: a second visit asks nobody', async () => {
    await openShelf();
    await typeRepository();
    await shelf.getByRole('button', { name: 'Ask what it takes' }).click();
    await shelf.getByRole('button', { name: 'Open someone/model' }).waitFor();
    const first = hub.tensors[0]!.begin;
    expect(hub.asked.filter(({ file, begin }) => file === 'model.safetensors' && begin >= first)).toEqual([]);
    const needed = hub.tensors.filter(({ name }) => !name.endsWith('attn.bias')).reduce((sum, { begin, end }) => sum + end - begin, 0);
    expect(await plainText(shelf)).toContain(`Fetches ${(needed / 1e6).toFixed(needed < 9.95e6 ? 1 : 0)} MB from huggingface.co`);

    await shelf.getByRole('button', { name: 'Open someone/model' }).click();
    await expect.poll(label, whole).toBe('someone/model, from huggingface.co · 3 layers × 2 heads');
    await go(2);
    await expectRow(2);
    await expect.poll(() => plainText(shelf)).toContain('is kept on this device');
    expect(await plainText(shelf)).toMatch(/In memory: weights \d+ MB, this text’s trace .* MB, the engine in all \d+ MB/);

    await page.goto('about:blank');
    await page.unroute('https://huggingface.co/**');
    await page.route('https://huggingface.co/**', (route) => route.abort());
    await page.goto(`${suite.site.address}03-one-head.html`);
    await alive();
    await shelf.locator('summary', { hasText: 'Kept on this device' }).click();
    await shelf.getByRole('button', { name: 'Open someone/model' }).click();
    await expect.poll(label, whole).toBe('someone/model, from huggingface.co · 3 layers × 2 heads');
    await go(2);
    await expectRow(2);

    await shelf.locator('summary', { hasText: 'Kept on this device' }).click();
    await shelf.getByRole('button', { name: 'Remove someone/model' }).click();
    await expect.poll(() => shelf.locator('.shelf-kept').count()).toBe(0);
  });

  it('from an address that was typed: what cannot be one is a sentence, the host is named, and the model opens', async () => {
    await openShelf();
    const elsewhere = await hubFor(page, folder, 'https://models.example/');
    await shelf.getByText('Another model').click();
    await shelf.getByLabel('An address', { exact: false }).check();
    const address = shelf.getByLabel('Address of a folder or of a .safetensors file');
    await address.fill('http://models.example/gpt/');
    await shelf.getByRole('button', { name: 'Ask what it takes' }).click();
    await expect.poll(() => shelf.locator('.shelf-card .figure-error').innerText()).toContain('does not begin with https://');
    await address.fill('https://models.example/some/gpt/');
    await shelf.getByRole('button', { name: 'Ask what it takes' }).click();
    await expect.poll(() => plainText(shelf)).toMatch(/Fetches \d+(\.\d)? MB from models\.example/);
    await shelf.getByRole('button', { name: 'Open gpt' }).click();
    await expect.poll(label, whole).toBe('“gpt”, from models.example · 3 layers × 2 heads');
    await go(2);
    await expectRow(2);
    expect(hub.asked).toEqual([]);
    expect(elsewhere.sent).toBeGreaterThan(1e6);
  });

  it('is looked at while it comes: a layer as soon as it is there, and what is awaited says how far it is', async () => {
    await openShelf('#one-head&one-head.stage=shares&one-head.layer=0&one-head.head=1');
    hub.hold(/h\.1\.attn\.c_attn|h\.2\.|wte/);
    await typeRepository();
    await shelf.getByRole('button', { name: 'Ask what it takes' }).click();
    hub.hold(/h\.1\.attn\.c_attn|h\.2\./);
    await shelf.getByRole('button', { name: 'Open someone/model' }).click();
    await expect.poll(label).toContain('still arriving');
    await expectRow(0);
    await go(1);
    await expect.poll(awaited).toMatch(/^Layer 1 has not come yet: .* of .*\./);
    await expect.poll(() => plainText(shelf)).toContain('Layer 0 can be looked at.');
    hub.hold(/h\.2\./);
    await expect.poll(() => page.locator('one-head .head-awaited').count()).toBe(0);
    await expectRow(1);
    hub.hold(null);
    await expect.poll(label, whole).toBe('someone/model, from huggingface.co · 3 layers × 2 heads');
    await go(2);
    await expectRow(2);
  });

  it('asks for single rows of the table for the book’s sentence alone: a text that was typed brings the table, whole', async () => {
    const table = () => hub.tensors.find(({ name }) => name === 'wte.weight')!;
    const ofTable = () => hub.asked.filter(({ file, begin, end }) => file === 'model.safetensors' && begin < table().end && end > table().begin);
    await openShelf('#one-head&one-head.stage=shares&one-head.layer=0&one-head.head=1');
    hub.hold(/h\.1\./);
    await openRepository();
    await expect.poll(label).toContain('still arriving');
    await expectRow(0);
    expect(ofTable().some(({ begin, end }) => end - begin < 1000)).toBe(true);
    // Besides the rows, only the request for the header reaches into the table, which follows it.
    expect(Math.max(...ofTable().map(({ begin, end }) => end - begin))).toBeLessThanOrEqual(1 << 16);
    const before = ofTable().length;
    hub.hold(/h\.1\.|wte/); // as the table may come at once
    await page.locator('one-head textarea').fill('Something that a reader typed');
    await expect.poll(awaited).toMatch(/^The table with the tokens of this text has not come yet/);
    hub.hold(null);
    await expectRow(0, 'Something that a reader typed', 5);
    const later = ofTable().slice(before);
    expect(later.length).toBeGreaterThan(0);
    for (const { begin, end } of later) expect(end - begin, `bytes ${begin} to ${end}`).toBeGreaterThan(1e6);
  });

  it('that fails on the way gives way to the model before, in one sentence; what came is not asked for again', async () => {
    await openShelf('#one-head&one-head.stage=shares&one-head.head=1');
    hub.hold(/h\.1\./);
    await openRepository();
    await expect.poll(label).toContain('still arriving');
    hub.refuse(401);
    await expect.poll(() => shelf.locator('.figure-error').first().innerText()).toMatch(/status 401.* The model from before is still open\./);
    await expect.poll(label).toContain('Little model');
    suite.complaints = suite.complaints.filter((complaint) => !complaint.includes('401'));
    const sent = hub.sent;
    hub.refuse(0);
    hub.hold(null);
    await shelf.getByRole('button', { name: 'Open someone/model' }).click();
    await expect.poll(label, whole).toBe('someone/model, from huggingface.co · 3 layers × 2 heads');
    const { size } = await readFile(join(folder, 'model.safetensors')).then((bytes) => ({ size: bytes.length }));
    expect(hub.sent).toBeLessThan(sent + size);
  });

  it('can be stopped at any time, and the page goes on with the model before', async () => {
    await openShelf('#one-head&one-head.stage=shares&one-head.head=1');
    hub.hold(/h\.0\.mlp/);
    await openRepository('int8');
    await expect.poll(label).toContain('still arriving');
    await shelf.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(label).toContain('Little model');
    expect(await shelf.locator('.shelf-notice').innerText()).toBe('Stopped. The model from before is still open.');
    await page.locator('one-head textarea').fill('The animal was too tired');
    await expect.poll(async () => (await lastRow(5)).length).toBe(5);
  });
});

describe('a precision', () => {
  it('can be changed for a model at hand, and the shelf says by how much the shares differ', async () => {
    await openShelf('#one-head&one-head.stage=shares');
    // The little model's weights are published as halves, so that f16 changes nothing.
    const differences = { int8: /no share differs from f32 by more than [\d.]+ percentage points: that is in layer \d head \d/, f16: /all shares are the same as in f32/ };
    for (const [precision, difference] of Object.entries(differences)) {
      await shelf.getByRole('button', { name: precision, exact: true }).click();
      await expect.poll(label).toContain(`weights rounded to ${precision}`);
      await shelf.getByRole('button', { name: 'Measure by how much' }).click();
      await expect.poll(() => plainText(shelf)).toMatch(difference);
    }
    await shelf.getByRole('button', { name: 'f32, exact' }).click();
    await expect.poll(label).not.toContain('rounded');
  });

  it('takes files as well', async () => {
    await openShelf('#one-head&one-head.stage=shares&one-head.layer=2&one-head.head=1');
    await shelf.locator('input[type=file]').first().setInputFiles(modelFiles.map((file) => join(folder, file)));
    await expect.poll(label).toContain('from your disk');
    await expectRow(2);
    await shelf.getByRole('button', { name: 'int8', exact: true }).click();
    await expect.poll(label).toContain('from your disk · 3 layers × 2 heads · weights rounded to int8');
  });
});
