// Two copies of a figure beside each other: each shows the core's numbers for its own text and head, in the link, after
// Back, in a lesson, in files, on paper and for every reader; one model serves both.

import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestPage } from './engine-page.ts';
import { chapters, dist, settled } from './figures.ts';
import { inside, little, suiteWithEngine } from './site.ts';

declare const window: { lookback: TestPage };

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const suite = suiteWithEngine('beside');
const texts = ['The dog chased the cat. The cat', 'Maya lives in Rome, the capital of'] as const;
const bare = (text: string) => text.replace(/[\s\u00A0\u202F]/g, '');
function shownShare(value: number): string {
  const percent = value * 100;
  if (percent > 0 && percent < 0.05) return '<0.1%';
  return `${percent !== 0 && percent < 0.95 ? percent.toFixed(1) : percent.toFixed(0)}%`;
}

let page: Page;
let first: Locator;
let second: Locator;

async function open(place: string, id: string, options: BrowserContextOptions = {}): Promise<void> {
  page = await suite.open(place, { viewport: { width: 1440, height: 1000 }, reducedMotion: 'reduce', ...options });
  page.setDefaultTimeout(60_000);
  first = page.locator(`#${id}`);
  second = page.locator(`#${id}-beside`);
  await first.scrollIntoViewIfNeeded();
  await settled(first);
}
const own = (name: string) => first.locator(':scope > .figure').getByRole('button', { name, exact: true });

async function both(): Promise<void> {
  await second.waitFor();
  await second.scrollIntoViewIfNeeded();
  await settled(first);
  await settled(second);
}
async function compare(): Promise<void> {
  await own('Compare').click();
  await both();
}

/** The numbers in the squares of a head's grid, as they are read. */
const cellsOf = (side: Locator) => side.locator('[data-cell]').evaluateAll((nodes) => nodes.map((node) => (node.querySelector('text')?.textContent ?? '').replace(/[\s\u00A0\u202F]/g, '')));
const address = () => page.evaluate(() => decodeURIComponent(location.hash));
const field = (side: Locator) => side.locator(':scope > .figure textarea.head-text');

async function type(number: Locator, text: string): Promise<void> {
  await number.fill(text);
  await number.press('Enter');
}

/** A head's pattern by the engine alone. */
async function patternOf(text: string, layer: number, head: number): Promise<number[]> {
  const alone = await suite.browser.newPage();
  await alone.goto(`${suite.site.address}engine.html`);
  const grid = await alone.evaluate(async ([read, at, of]) => {
    const engine = window.lookback.engineWith(1);
    await engine.openLittle();
    return [...(await engine.head(await engine.run({ text: read }), at, of)).pattern];
  }, [text, layer, head] as const);
  await alone.close();
  return grid;
}

async function expectPattern(side: Locator, text: string, layer: number, head: number): Promise<void> {
  const grid = await patternOf(text, layer, head);
  const n = Math.sqrt(grid.length);
  const cells = await cellsOf(side);
  expect(cells).toHaveLength(n * n);
  for (let row = 0; row < n; row++) expect(cells.slice(row * n, row * n + row + 1), `${text}, ${layer}.${head}, row ${row}`).toEqual(grid.slice(row * n, row * n + row + 1).map(shownShare));
}

const values = (id: string, head: number) => `${id}.text=${encodeURIComponent(texts[0])}&${id}.layer=1&${id}.head=${head}`;
const lab = `07-the-lab.html#lab-head&${values('lab-head', 2)}`;
/** With a second copy that asks another head, or the same. */
const pair = (head: number, more = '') => `${lab}&lab-head.beside=1${more}&${values('lab-head-beside', head)}`;

describe('one-head', () => {
  it('begins as an equal copy, and then each shows the core’s numbers for its own text and head', async () => {
    await open(lab, 'lab-head');
    const before = await cellsOf(first);
    await compare();
    expect(await cellsOf(second)).toEqual(before);
    await expect.poll(address).toMatch(/lab-head\.beside=1.*lab-head-beside\.layer=1/);
    expect(await first.locator('.beside-says').innerText()).toBe('A and B are equal so far; change one of them.');
    await expectPattern(second, texts[0], 1, 2);

    await field(second).fill(texts[1]);
    await type(second.getByRole('spinbutton', { name: 'Head' }), '0');
    await settled(second);
    await type(first.locator(':scope > .figure').getByRole('spinbutton', { name: 'Layer' }), '2');
    await settled(first);
    await expectPattern(first.locator(':scope > .figure'), texts[0], 2, 2);
    await expectPattern(second, texts[1], 1, 0);
    expect(await first.locator('.beside-says').innerText()).toBe('A and B differ in the text, the layer (2 and 1) and the head (2 and 0); all else is the same.');
    expect(await first.locator(':scope > .figure .figure-title').innerText()).toMatch(/A .*layer 2 head 2/);
    expect(await second.locator('.figure-title').innerText()).toMatch(/B .*layer 1 head 0/);

    // A square opened in one is worked out on its own text, whoever was asked last.
    await first.locator(':scope > .figure [data-cell="4,1"]').click();
    await settled(first);
    await second.locator('[data-cell="6,3"]').click();
    await settled(second);
    await expectPattern(second, texts[1], 1, 0);
    expect(await second.locator('.opened-title').count()).toBe(1);
    expect(await first.locator(':scope > .figure .opened-title').count()).toBe(1);
  });

  it('stands in the link: a new page shows the same; Reset leaves the other as it is; Back and Remove take it away', async () => {
    await open(lab, 'lab-head');
    await page.evaluate(() => history.pushState(null, '', location.href));
    await compare();
    await field(second).fill(texts[1]);
    await settled(second);
    await expect.poll(address).toContain(`lab-head-beside.text=${texts[1]}`);
    expect(await address()).toContain('lab-head.beside=1');
    const hash = await page.evaluate(() => location.hash);
    const seen = [await cellsOf(first), await cellsOf(second)];
    await page.close();

    await open(`07-the-lab.html${hash}`, 'lab-head');
    await both();
    expect([await cellsOf(first), await cellsOf(second)]).toEqual(seen);
    await expect.poll(() => page.evaluate(() => location.hash)).toBe(hash);

    await first.locator(':scope > .figure').getByRole('button', { name: 'Reset' }).click();
    await settled(first);
    await settled(second);
    expect(await cellsOf(second)).toEqual(seen[1]);
    expect(await cellsOf(first.locator(':scope > .figure'))).not.toEqual((await cellsOf(second)));
    await second.getByRole('button', { name: 'Reset' }).click();
    await settled(second);
    expect(await first.locator('.beside-says').innerText()).toContain('equal so far');

    await second.getByRole('button', { name: 'Remove B' }).click();
    await expect.poll(() => second.count()).toBe(0);
    await expect.poll(address).not.toContain('beside');
    expect(await own('Compare').evaluate((node) => node === document.activeElement)).toBe(true);
    expect(await first.locator('.beside-says, .figure-side').count()).toBe(0);
  });

  it('goes with Back', async () => {
    await open('07-the-lab.html#lab-head', 'lab-head');
    await page.evaluate(() => (location.hash = '#lab-head&lab-head.beside=1&lab-head-beside.head=1'));
    await both();
    await page.goBack();
    await expect.poll(() => second.count()).toBe(0);
    await page.goForward();
    await both();
    expect(await second.getByRole('spinbutton', { name: 'Head' }).inputValue()).toBe('1');
  });

  it('points at tokens and cells in its own copy only', async () => {
    await open(pair(3), 'lab-head');
    await both();
    const readout = (side: Locator) => side.locator('.head-readout').innerText();
    const [a, b] = [first.locator(':scope > .figure'), second];
    const before = await readout(a);
    await b.locator('[data-cell="4,2"]').hover();
    await expect.poll(() => readout(b)).not.toBe(await readout(a));
    expect(await readout(a)).toBe(before);
  });

  it('both type at once and end with their own texts: no late answer is drawn over a newer one', async () => {
    await open(pair(2), 'lab-head');
    await both();
    const ends = ['The cat slept on the mat', 'A bird sang in the tall tree by the river'];
    for (let at = 1; at <= 60; at += 3) {
      await field(first).evaluate((node, text) => { (node as HTMLTextAreaElement).value = text; node.dispatchEvent(new InputEvent('input', { bubbles: true })); }, ends[0]!.slice(0, at));
      await field(second).evaluate((node, text) => { (node as HTMLTextAreaElement).value = text; node.dispatchEvent(new InputEvent('input', { bubbles: true })); }, ends[1]!.slice(0, at));
      // What is drawn never mixes: as many tokens as rows.
      const sizes = await page.locator('#lab-head > .figure, #lab-head-beside > .figure').evaluateAll((nodes) => nodes.map((node) => [node.querySelectorAll('.head-tokens .token').length ** 2, node.querySelectorAll('[data-cell]').length]));
      for (const [tokens, cells] of sizes) expect(cells).toBe(tokens);
    }
    await settled(first);
    await settled(second);
    await expectPattern(first.locator(':scope > .figure'), ends[0]!, 1, 2);
    await expectPattern(second, ends[1]!, 1, 2);
  });

  it('a lesson hides controls in both, and its code has two elements', async () => {
    await open(pair(3, '&lab-head.hide=text,beside'), 'lab-head');
    await both();
    expect(await page.locator('#lab-head .figure-concealed').allInnerTexts()).toHaveLength(2);
    expect(await first.getByRole('button', { name: 'Remove B' }).count()).toBe(0);
    expect(await page.locator('#lab-head [data-control=text]:visible').count()).toBe(0);
    await second.getByRole('button', { name: 'Show everything' }).click();
    await expect.poll(() => page.locator('#lab-head .figure-concealed').count()).toBe(0);
    expect(await page.locator('#lab-head [data-control=text]:visible').count()).toBe(2);
    await expect.poll(address).not.toContain('hide');

    expect(await second.getByText('Send as a lesson').count()).toBe(0);
    await first.getByText('Send as a lesson', { exact: true }).click();
    await first.locator('.maker-choice input[name=text]').check();
    const link = await first.getByLabel('A link to this figure as it is now').inputValue();
    expect(link).toMatch(/lab-head\.beside=1.*lab-head\.hide=text.*lab-head-beside\.[^]*head=3/);
    const code = await first.getByLabel('For a page of your own').inputValue();
    expect(code.match(/<one-head [^>]*hide="text"><\/one-head>/g)).toHaveLength(2);
    expect(code).toMatch(/head="2"[^]*head="3"/);
  });

  it('each saves its own numbers and picture', async () => {
    await open(pair(3), 'lab-head', { acceptDownloads: true });
    await both();
    const save = async (side: Locator, name: string) => {
      const [download] = await Promise.all([page.waitForEvent('download'), side.getByRole('button', { name }).click()]);
      return { name: download.suggestedFilename(), text: await readFile((await download.path())!, 'utf8') };
    };
    for (const [side, head, id] of [[first.locator(':scope > .figure'), 2, 'lab-head'], [second, 3, 'lab-head-beside']] as const) {
      const picture = await save(side, 'Save as SVG');
      expect(picture.name).toBe(`${id}.svg`);
      expect(picture.text.slice(0, 300)).toContain(`layer 1 head ${head}`);
      await side.locator('.figure-data > summary').click();
      const numbers = await save(side, 'Download as CSV');
      expect(numbers.name).toBe(`${id}.csv`);
      const grid = await patternOf(texts[0], 1, head);
      const n = Math.sqrt(grid.length);
      expect(numbers.text.includes(String(grid[(n - 1) * n]))).toBe(true);
    }
  });
});

it('logit-lens: two texts, each with the core’s guesses', async () => {
  await open('07-the-lab.html#lab-lens', 'lab-lens');
  await compare();
  await field(second).fill(texts[1]);
  await settled(second);
  for (const [side, text] of [[first.locator(':scope > .figure'), texts[0]], [second, texts[1]]] as const) {
    const { lens } = await inside('--model', little, '--text', text);
    const { probability } = lens.at(-1).top[0];
    expect(bare(await side.locator('.figure-title').innerText()), text).toContain(shownShare(probability));
  }
});

it('the code comes when it is asked for', async () => {
  const asked: string[] = [];
  page = await suite.open('07-the-lab.html#lab-head', { viewport: { width: 1440, height: 1000 } }, async (fresh) => {
    fresh.on('request', (request) => asked.push(request.url()));
  });
  first = page.locator('#lab-head');
  second = page.locator('#lab-head-beside');
  await settled(first);
  expect(asked.filter((place) => /\/beside-/.test(place))).toEqual([]);
  await compare();
  expect(asked.filter((place) => /\/beside-/.test(place))).toHaveLength(1);
});

describe('every figure that asks the model', () => {
  const names = ['continue-text', 'head-finder', 'head-gallery', 'head-views', 'layer-map', 'logit-lens', 'never-ahead', 'one-head', 'order-blind', 'position-table', 'same-row'];
  const places: { chapter: string; id: string; name: string }[] = [];
  beforeAll(async () => {
    for (const chapter of await chapters()) {
      const markup = await readFile(join(dist, chapter), 'utf8');
      for (const [, name, id] of markup.matchAll(/<([a-z-]+)(?=[^>]*data-figure)[^>]* id="([^"]+)"/g)) {
        const whole = new RegExp(`<${name}[^>]*id="${id}"[^]*?</${name}>`).exec(markup)![0];
        if (whole.includes('data-control="beside"') && !places.some((known) => known.name === name)) places.push({ chapter, id: id!, name: name! });
      }
    }
  });

  it('offers a second copy, and no other does', () => {
    expect(places.map(({ name }) => name).sort()).toEqual(names);
  });

  it.each(names)('%s draws the same twice, with ids of its own, axe content, nothing past the screen, and on paper', async (name) => {
    const { chapter, id } = places.find((place) => place.name === name)!;
    await open(`${chapter}#${id}`, id);
    await compare();
    await page.mouse.move(2, 2); // a square under the pointer would light
    const picture = (side: Locator) => side.locator('.figure-picture').first().evaluate((node) => (node as HTMLElement).innerText);
    await expect.poll(() => picture(second), { message: id }).toBe(await picture(first));
    const doubled = await page.evaluate(() => {
      const ids = [...document.querySelectorAll('[id]')].map((node) => node.id);
      return ids.filter((name, at) => ids.indexOf(name) !== at);
    });
    expect(doubled, id).toEqual([]);
    expect(await second.locator(`[id="${id}-beside-description"]`).textContent()).toMatch(/^Second: /);
    await page.evaluate(axe);
    const found = await page.evaluate(async (name) => {
      const { violations } = await (window as unknown as { axe: { run(root: string): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } }).axe.run(`#${name}`);
      return violations.map((violation) => `${violation.id}: ${violation.nodes.map(({ html }) => html).join(' ')}`);
    }, id);
    expect(found, id).toEqual([]);
    const tops = await page.locator(`#${id} .figure-picture`).evaluateAll((nodes) => nodes.map((node) => node.getBoundingClientRect().top));
    expect(tops[0], id).toBe(tops[1]);
    for (const width of [360, 800, 1000, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), `${id} at ${width} px`).toBe(0);
      const edges = await page.locator(`#${id} > .figure, #${id}-beside > .figure`).evaluateAll((nodes) => nodes.map((node) => [node.getBoundingClientRect().left, node.getBoundingClientRect().right] as const));
      for (const [left, right] of edges) expect(left >= 0 && right <= width, `${id} at ${width} px`).toBe(true);
      expect(edges[1]![0] > edges[0]![1], `${id} at ${width} px`).toBe(width >= 1000);
    }
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator(`#${id} .figure-picture`).evaluateAll((nodes) => nodes.filter((node) => node.checkVisibility()).length), id).toBe(2);
  }, 180_000);
});
