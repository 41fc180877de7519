// Chapter 6, and why-sqrt and softmax-ratio of chapter 3, in Chromium: set by links of the prose and by hostile ones, driven
// by mouse, finger and keys; what they show is what the native program says; both themes pass axe; nothing is wider than a
// narrow page. Times are measured, so of them it is only asked that they are there.

import axeCore from 'axe-core';
import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { FigureDefinition } from '../../web/figures/definition.ts';
import { figure as counter } from '../../web/figures/cost-counter.ts';
import { figure as ratio } from '../../web/figures/softmax-ratio.ts';
import { figure as sqrt } from '../../web/figures/why-sqrt.ts';
import { parseState } from '../../web/state/schema.ts';
import { dragFinger, lesson, settled, tableOf, type } from './chapter-2-page.ts';
import { useBook } from './book.ts';
import { figureOn } from './figures.ts';

const price = '06-the-price.html';
const head = '03-one-head.html';

const open = useBook();

/** What people read: spaces of every kind are spaces. */
const plain = (text: string) => text.replace(/\s+/g, ' ').trim();
const wordsOf = async (part: Locator) => plain(await part.innerText());
const titleOf = async (figure: Locator) => (await wordsOf(figure.locator('.figure-title'))).replace(/^Figure [\d.]+ /, '');
const parted = (value: number) => String(value).replace(/\B(?=(\d{3})+$)/g, ' ');

/** The title that the native program's numbers make. */
async function titleFor(figure: FigureDefinition<any, any>, values: Iterable<[string, string]>): Promise<string> {
  const state = parseState(figure.schema, new Map(values));
  return plain(figure.title(state, await figure.compute({ lesson } as never, state, new AbortController().signal, () => {})) as string);
}

// ------------------------------------------------------------------------------------------------------------ by links

describe('links of the prose', () => {
  it.each([[price, counter], [head, sqrt], [head, ratio]] as const)('%s set their figure', { timeout: 120_000 }, async (place, figure) => {
    const page = await open(place);
    await page.locator('.setting-depth label', { hasText: 'Detail' }).click();
    const links = page.locator(`a.sets[href^="#${figure.name}&"]`).filter({ visible: true });
    const count = await links.count();
    expect(count).toBeGreaterThan(1);
    const shown = await figureOn(page, figure.name);
    for (let at = 0; at < count; at++) {
      const href = (await links.nth(at).getAttribute('href'))!;
      await page.evaluate((fragment) => (location.hash = fragment), href);
      await expect.poll(async () => (await settled(shown), titleOf(shown))).toBe(await titleFor(figure as never, valuesIn(href, figure.name)));
    }
  });

  it('may hold anything', { timeout: 120_000 }, async () => {
    const evil = ['', '-1', '1e999', 'NaN', '<img src=x onerror=alert(1)>', '1,,x'];
    for (const [place, names] of [[price, { 'cost-counter': counter, 'price-here': { schema: { show: 0, open: 0 } } }], [head, { 'why-sqrt': sqrt, 'softmax-ratio': ratio }]] as const) {
      const page = await open(place);
      for (const [turn, value] of evil.entries()) {
        const pieces = Object.entries(names).flatMap(([name, { schema }]) => Object.keys(schema).map((key, at) => `${name}.${key}=${encodeURIComponent((turn + at) % 2 ? value : evil[(turn + 3) % evil.length]!)}`));
        await page.evaluate((fragment) => (location.hash = fragment), pieces.join('&'));
        for (const name of Object.keys(names)) {
          const figure = await figureOn(page, name);
          expect(await wordsOf(figure), pieces.join('&')).not.toMatch(/NaN|undefined|Infinity|∞|\[object/);
          expect(await figure.locator('img, script').count()).toBe(0);
        }
      }
    }
  });
});

function valuesIn(href: string, name: string): [string, string][] {
  const [, ...pieces] = href.slice(1).split('&');
  return pieces.map((piece) => piece.slice(name.length + 1).split('=') as [string, string]).map(([key, value]) => [key, decodeURIComponent(value ?? '')]);
}

// -------------------------------------------------------------------------------------------------------- cost-counter

it('cost-counter is driven by keys, typing, buttons and the mouse', { timeout: 120_000 }, async () => {
  const page = await open(price);
  const figure = await figureOn(page, 'cost-counter');
  const expectCost = async (tokens: number, added: number, layers = 12, heads = 12) => {
    await settled(figure);
    const truth = await lesson('cost', { tokens, added, layers, heads });
    await expect.poll(() => wordsOf(figure.locator('.cost-heads dd'))).toBe(`× ${parted(layers * heads)} = ${parted(truth.after.looks_in_all)}`);
    expect(await wordsOf(figure.locator('.cost-total dd b'))).toBe(parted(truth.after.looks));
    expect(await figure.locator('.cost-table tbody tr').evaluateAll((rows) => rows.map((row) => row.children[1]!.textContent!.replace(/\s/g, '')))).toEqual(truth.doublings.map(({ looks }) => String(looks)));
  };
  await expectCost(9, 9);
  await figure.getByRole('button', { name: 'one token' }).click();
  await expectCost(9, 1);
  await figure.getByRole('button', { name: 'add nothing' }).click();
  await expectCost(9, 0);
  await type(figure.getByRole('spinbutton', { name: 'tokens of the text' }), '1000');
  await expectCost(1000, 0);
  await figure.getByRole('button', { name: 'double the text' }).click();
  await expectCost(1000, 1000);
  await type(figure.getByRole('spinbutton', { name: 'layers' }), '48');
  await type(figure.getByRole('spinbutton', { name: 'heads in a layer' }), '25');
  await expectCost(1000, 1000, 48, 25);

  const range = figure.getByRole('slider', { name: 'tokens of the text' });
  await range.focus();
  await range.press('ArrowLeft');
  await expectCost(999, 1000, 48, 25);
  await range.press('PageUp');
  await expectCost(1009, 1000, 48, 25);
  await expect.poll(() => new URL(page.url()).hash).toContain('cost-counter.tokens=1009');

  await figure.getByRole('button', { name: 'Reset' }).click();
  await expectCost(9, 9);
  const picture = (await figure.locator('.cost-reach').boundingBox())!;
  await page.mouse.move(picture.x + 5, picture.y + (picture.height * 6.5) / 18);
  await expect.poll(() => wordsOf(figure.locator('.cost-sight .hint'))).toBe('This token sees 7: itself and the 6 before it.');
  await type(figure.getByRole('spinbutton', { name: 'tokens in sight of the framed row' }), '18');
  await expect.poll(() => wordsOf(figure.locator('.cost-sight .hint'))).toBe('This token sees 18: itself and the 17 before it.');
});

it('cost-counter takes a finger', async () => {
  const page = await open(price, { hasTouch: true, isMobile: true, viewport: { width: 390, height: 800 } });
  const figure = await figureOn(page, 'cost-counter');
  const picture = (await figure.locator('.cost-reach').boundingBox())!;
  await page.touchscreen.tap(picture.x + picture.width / 3, picture.y + (picture.height * 3.5) / 18);
  await expect.poll(() => wordsOf(figure.locator('.cost-sight .hint'))).toBe('This token sees 4: itself and the 3 before it.');
  const range = figure.getByRole('slider', { name: 'tokens of the text' });
  await range.scrollIntoViewIfNeeded();
  const room = (await range.boundingBox())!;
  await page.touchscreen.tap(room.x + room.width - 2, room.y + room.height / 2);
  await expect.poll(async () => Number((await figure.getByRole('spinbutton', { name: 'tokens of the text' }).inputValue()).replace(/\s/g, ''))).toBeGreaterThan(100_000);
});

// ---------------------------------------------------------------------------------------------------------- price-here

describe('price-here', () => {
  it('measures the little model by itself, against the core’s counts, up to the window and no further', { timeout: 120_000 }, async () => {
    const page = await open(price);
    const figure = await figureOn(page, 'price-here');
    const button = figure.getByRole('button', { name: 'Measure again' });
    await button.waitFor();
    expect(await titleOf(figure)).toMatch(/^A text of 128 tokens takes [\d.]+ m?s on this machine$/);
    const bars = async () => (await figure.locator('.price-bar .num').allInnerTexts()).map(plain);
    expect(await bars()).toHaveLength(5);
    for (const words of await bars()) expect(words).toMatch(/^[\d. ]+ m?s$/);
    expect(await wordsOf(figure.locator('.price-end'))).toMatch(/^129 .*129 tokens.*128\.$/);
    expect(await wordsOf(figure.locator('.figure-controls .hint'))).toMatch(/[mb]illion multiplications a second here/);

    await figure.getByText('Numbers', { exact: true }).click();
    await figure.locator('.figure-table').waitFor();
    const { rows } = await lesson('price', { layers: 4, heads: 4, d_model: 96, d_mlp: 384, tokens: [8, 16, 32, 64, 128] });
    const table = (await tableOf(figure)).map((row) => row.map((cell) => cell.replace(/\s/g, '')));
    expect(table.map((row) => [row[0], row[1], row[2], row[3], row[7], row[9]])).toEqual(rows.map((row) => [row.tokens, row.looks, row.for_looks, row.for_tables, row.cache_bytes, row.grid_bytes].map(String)));
    for (const row of table) for (const time of [row[4], row[5], row[6], row[8]]) expect(time).toMatch(/^[\d.]+/);
    // The longest text leaves the largest trace, and more than its keys and values.
    expect(Number(table[4]![8])).toBeGreaterThan(Number(table[4]![7]));

    await figure.getByRole('button', { name: '64', exact: true }).click();
    await expect.poll(() => wordsOf(figure.locator('.price-says'))).toContain(`64 tokens: ${parted(rows[3]!.looks)} looks × 16 heads = ${parted(rows[3]!.looks_in_all)}.`);
    const [timed, one] = [figure.getByRole('button', { name: 'a whole pass' }), figure.getByRole('button', { name: 'one more token' })];
    await timed.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect.poll(() => one.getAttribute('aria-pressed')).toBe('true');
    expect(await titleOf(figure)).toMatch(/^The last of 64 tokens takes [\d.]+ m?s here when keys and values are kept, [\d.]+ m?s when not$/);
    expect(await bars()).toHaveLength(10);
    await figure.getByRole('button', { name: 'memory' }).click();
    await expect.poll(() => titleOf(figure)).toBe('Keys and values of 64 tokens take 197 kB; every head’s grid would take 262 kB');

    await button.click();
    await button.waitFor();
    expect(await figure.locator('.figure-error').count()).toBe(0);
  });
});

// ------------------------------------------------------------------------------------------------- figures of chapter 3

it('why-sqrt follows typing, keys, its table and its seed', { timeout: 120_000 }, async () => {
  const page = await open(head);
  const figure = await figureOn(page, 'why-sqrt');
  const expectTitle = async (values: [string, string][]) => expect.poll(async () => (await settled(figure), titleOf(figure))).toBe(await titleFor(sqrt as never, values));
  await expectTitle([]);
  await figure.getByRole('button', { name: '16 numbers in a list' }).click();
  await expectTitle([['d', '16']]);
  await type(figure.getByRole('spinbutton', { name: 'numbers in a list' }), '100');
  await expectTitle([['d', '100']]);
  await figure.getByRole('button', { name: 'divided by √100' }).click();
  await expectTitle([['d', '100'], ['scores', 'divided']]);
  const range = figure.getByRole('slider', { name: 'numbers in a list' });
  await range.focus();
  await range.press('ArrowRight');
  await expectTitle([['d', '101'], ['scores', 'divided']]);
  await type(figure.getByRole('spinbutton', { name: 'seed of the random numbers' }), '7');
  await expectTitle([['d', '101'], ['scores', 'divided'], ['seed', '7']]);
  const truth = await lesson('spread', { d: 101, seed: 7 });
  expect(await figure.locator('.spread-keys li').evaluateAll((rows) => rows.map((row) => row.querySelector('.num')!.textContent!.replace('−', '-')))).toEqual(truth.divided.row.map((value) => value.toFixed(2)));
});

it('softmax-ratio keeps its ratio, whatever is done to the others', { timeout: 120_000 }, async () => {
  const page = await open(head, { hasTouch: true });
  const figure = await figureOn(page, 'softmax-ratio');
  const expectTitle = async (first: number, second: number, others: readonly number[]) => {
    await expect.poll(async () => (await settled(figure), titleOf(figure))).toBe(await titleFor(ratio as never, [['first', String(first)], ['second', String(second)], ['others', others.join(',')]]));
  };
  const lower = () => figure.locator('.ratio-bar').nth(1).innerText();
  await expectTitle(4.25, 3.23, [4.24]);
  const before = await lower();
  await figure.getByRole('button', { name: 'add a token' }).click();
  await expectTitle(4.25, 3.23, [4.24, 3]);
  await type(figure.getByRole('spinbutton', { name: 'score of other 2' }), '7.5');
  await expectTitle(4.25, 3.23, [4.24, 7.5]);
  await figure.getByRole('button', { name: 'Remove other 1' }).click();
  await expectTitle(4.25, 3.23, [7.5]);
  await figure.getByRole('button', { name: 'remove all others' }).click();
  await expectTitle(4.25, 3.23, []);
  expect(await lower()).toBe(before);

  const range = figure.getByRole('slider', { name: 'score of the first token' });
  await range.scrollIntoViewIfNeeded();
  const room = (await range.boundingBox())!;
  const y = room.y + room.height / 2;
  await dragFinger(page, [room.x + room.width * 0.7, y], [room.x + room.width * 0.25, y]);
  await expect.poll(async () => Number((await figure.getByRole('spinbutton', { name: 'score of the first token' }).inputValue()).replace('−', '-'))).toBeLessThan(0);
  expect(await lower()).not.toBe(before);
});

// -------------------------------------------------------------------------------------------------- room and accessibility

interface Violation {
  id: string;
  nodes: { html: string }[];
}

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  it('axe finds nothing, and nothing is wider than 320 pixels', { timeout: 200_000 }, async () => {
    for (const [place, names] of [[price, ['cost-counter', 'price-here']], [head, ['why-sqrt', 'softmax-ratio']]] as const) {
      const page = await open(place, { colorScheme, viewport: { width: 320, height: 700 } });
      for (const name of names) await figureOn(page, name);
      if (place === price) await page.getByRole('button', { name: 'Measure again' }).waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
      await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
      await page.evaluate(axeCore.source);
      const found = await page.evaluate(async (ids) => {
        const { axe } = window as unknown as { axe: { run(context: object, options: object): Promise<{ violations: Violation[] }> } };
        const rules = { 'label-content-name-mismatch': { enabled: true }, 'target-size': { enabled: true } };
        return (await axe.run({ include: ids }, { resultTypes: ['violations'], rules })).violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
      }, names.map((name) => `#${name}`));
      expect(found).toEqual([]);
    }
  });
});
