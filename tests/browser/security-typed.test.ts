// What readers type and open stays text: in every field of every page, in the search, in the shelf; and a model whose
// tokens, folder and files have the names that one would rather not print.

import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useBook } from './book.ts';
import { chapters, settled } from './figures.ts';
import { markup, writeHostileModel } from './hostile-model.ts';
import { modelFiles } from './site.ts';

const openPage = useBook();
const evil = `${markup}<script>window.pwned=1</script>\u202E\u200B\u0000"'&`;
const harm = (page: Page) =>
  page.evaluate(() => [(window as any).pwned, document.querySelectorAll('img, body script, iframe, [onerror], [onload]').length]);
const unharmed = [undefined, 0];

async function settleAll(page: Page): Promise<void> {
  for (const figure of await page.locator('main [data-figure]').all()) {
    await figure.scrollIntoViewIfNeeded();
    await settled(figure);
  }
}

it.each(await chapters())('%s: whatever is typed into its fields stays text', async (name) => {
  const page = await openPage(name);
  await settleAll(page);
  // A field that is drawn anew after each change is found anew.
  const fields = page.locator('main textarea, main input[type=text], main input:not([type])');
  for (let at = 0; at < (await fields.count()); at++) {
    const field = fields.nth(at);
    if (!(await field.isVisible()) || !(await field.isEditable())) continue;
    await field.fill(evil);
    await field.press('Tab');
  }
  await settleAll(page);
  expect(await harm(page)).toEqual(unharmed);
  await page.locator('summary', { hasText: 'Contents' }).first().click();
  await page.locator('#search').fill(evil);
  await page.getByText(/places? found|Nothing in the book/).waitFor();
  expect(await harm(page)).toEqual(unharmed);
  await page.locator('#search').fill('query');
  await page.locator('.search-result').first().waitFor();
  expect(await harm(page)).toEqual(unharmed);
});

async function openShelf(page: Page): Promise<Locator> {
  await page.locator('.head-model > summary').first().scrollIntoViewIfNeeded();
  await page.locator('.head-model > summary').first().click();
  const shelf = page.locator('.shelf').first();
  await shelf.locator('.shelf-card').waitFor();
  return shelf;
}

it('what is typed into the shelf is refused as text', async () => {
  const page = await openPage('03-one-head.html');
  await settled(page.locator('one-head').first());
  const shelf = await openShelf(page);
  await shelf.getByText('Another model').click();
  for (const [choice, label] of [['A repository on the hub', 'Repository on the hub'], ['An address', 'Address of a folder or of a .safetensors file']] as const) {
    await shelf.getByLabel(choice, { exact: true }).check();
    await shelf.getByLabel(label, { exact: true }).fill(markup);
    await shelf.getByRole('button', { name: 'Ask what it takes' }).click();
    await expect.poll(() => shelf.locator('.shelf-card .figure-error').innerText()).toContain(markup);
  }
  expect(await harm(page)).toEqual(unharmed);
});

describe('a hostile model', () => {
  let folder: string;
  let named: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lookback-hostile-'));
    await writeHostileModel(join(folder, 'plain'));
    named = join(folder, markup);
    await cp(join(folder, 'plain'), named, { recursive: true });
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each([
    ['07-the-lab.html', 'continue-text'],
    ['03-one-head.html', 'one-head'],
  ])('%s: its tokens and its name are shown as text in %s', async (name, tag) => {
    const page = await openPage(name, { acceptDownloads: true });
    await settled(page.locator(tag).first());
    const shelf = await openShelf(page);
    await shelf.locator('input[webkitdirectory]').setInputFiles(named);
    await expect.poll(() => page.locator('.figure-model').first().innerText(), { timeout: 60_000 }).toContain(markup);
    const figure = page.locator(tag).first();
    await figure.getByRole('textbox', { name: 'Text', exact: true }).first().fill(evil);
    await settled(figure);
    expect(await figure.innerText()).toContain('<');
    expect(await figure.innerText()).toContain('⟨U+202E⟩');
    if (tag !== 'one-head') expect(await page.locator('main').innerText()).toMatch(/<img |<\/script|<\/textarea|javascript:/);
    expect(await harm(page)).toEqual(unharmed);

    const [download] = await Promise.all([page.waitForEvent('download'), figure.getByRole('button', { name: 'Save as SVG' }).first().click()]);
    expect(await readFile((await download.path())!, 'utf8')).not.toMatch(/<(img|script|foreignObject)\b/);
    expect(download.suggestedFilename()).toMatch(/^[\w.-]+$/);
    expect(await harm(page)).toEqual(unharmed);
  });

  it('files of such names and with such words inside are refused in a sentence', async () => {
    const page = await openPage('03-one-head.html');
    await settled(page.locator('one-head').first());
    const shelf = await openShelf(page);
    const files = await Promise.all(modelFiles.map(async (name) => ({ name, mimeType: 'text/plain', buffer: await readFile(join(folder, 'plain', name)) })));
    const refusals: [string, RegExp, (list: typeof files) => typeof files][] = [
      ['weights', /^This is an HTML/, (list) => list.map((file) => (file.name === 'model.safetensors' ? { ...file, name: `${markup}.safetensors`, buffer: Buffer.from(evil) } : file))],
      ['vocabulary', /^vocab\.json has the token “<img /, (list) => list.map((file) => (file.name === 'vocab.json' ? { ...file, buffer: Buffer.from(JSON.stringify({ [markup]: 0 })) } : file))],
      ['config', /^config\.json: model_type is “"<img /, (list) => list.map((file) => (file.name === 'config.json' ? { ...file, buffer: Buffer.from(JSON.stringify({ model_type: markup, activation_function: markup })) } : file))],
    ];
    for (const [what, expected, change] of refusals) {
      await shelf.locator('input[type=file]').first().setInputFiles(change(files));
      await expect.poll(() => shelf.locator('.figure-error').first().innerText(), { message: what }).toMatch(expected);
      expect(await harm(page), what).toEqual(unharmed);
    }
  });
});
