// position-table in Chromium: what is displayed against the core, by mouse, touch, keyboard and typing. With rotary-dial
// (chapter-4-rotary.test.ts): the page without a script, narrow screens, hostile links, both themes.

import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { buildEngine } from '../../web/compiler/engine.ts';
import { nativeProgram } from '../../web/compiler/native.ts';
import { useBook } from './book.ts';
import { decimals, dragFinger, settled, type } from './chapter-2-page.ts';
import { writeCheckpoint } from './checkpoint.ts';
import { little, native, root, temporaryFolder } from './site.ts';

const names = ['position-table', 'rotary-dial'] as const;
const openPage = useBook();
const openChapter = (fragment = '', options: BrowserContextOptions = {}) => openPage(`04-order.html${fragment}`, options);

async function figureOn(page: Page, name: (typeof names)[number]): Promise<Locator> {
  const figure = page.locator(`#${name}`);
  await figure.scrollIntoViewIfNeeded();
  await settled(figure);
  return figure;
}

const titleOf = async (figure: Locator) => (await figure.locator('.figure-title').innerText()).replace(/^Figure \S+\s+/, '').replaceAll('\u00A0', ' ');

// ----------------------------------------------------------------------------------------------------- position-table

const text = "The animal didn't cross the bridge because it";
const { signal } = new AbortController();

/** The same questions asked of the little model by the module in Node.js. */
async function places(place: number, of = text) {
  const engine = buildEngine(nativeProgram(native, little), { wasm: join(root, 'build/wasm/wasm'), little });
  const run = await engine.run({ text: of });
  const ask = async (name: string) => [...(await engine.activation(run, name, { signal })).data];
  const width = 96;
  const row = (rows: number[], at = place) => rows.slice(at * width, (at + 1) * width);
  const table = await ask('wpe');
  return { count: run.tokens.length, table, row: row(table), cosines: await ask(`wpe_cosines.${place}`), token: row(await ask('hook_embed')), start: row(await ask('blocks.0.hook_resid_pre')) };
}

const inBrackets = (value: string) => (value.startsWith('−') ? `(${value})` : value);

async function expectPlace(figure: Locator, place: number, col: number, of = text, base = 0): Promise<void> {
  await settled(figure);
  const { cosines, token, row, start } = await places(place, of);
  const others = cosines.map((_, at) => at).filter((at) => at !== place).sort((a, b) => cosines[b]! - cosines[a]!);
  const [one, two] = [others[0]!, others[1]!];
  const title = await titleOf(figure);
  expect(title).toMatch(new RegExp(`^Row ${place + base} of the position table is most like .* ${one + base} and ${two + base}: `));
  expect(title.endsWith(`: ${decimals(cosines[one]!, 2)} and ${decimals(cosines[two]!, 2)}`)).toBe(true);
  // The line goes through every cosine.
  const points = (await figure.locator('.places-line').getAttribute('points'))!.split(' ').map((point) => point.split(',').map(Number));
  expect(points.length).toBe(128);
  points.forEach(([x], at) => expect(Math.abs(x! / 50 - 1 - cosines[at]!)).toBeLessThan(0.002));
  expect(start[col]).toBe(Math.fround(token[col]! + row[col]!));
  // To as many decimals as make what is shown add up.
  const shown = await figure.locator('.places-number .num').innerText();
  const count = /\.(\d+)$/.exec(shown)![1]!.length;
  expect(shown).toBe(`${decimals(token[col]!, count)} + ${inBrackets(decimals(row[col]!, count))} = ${decimals(start[col]!, count)}`);
  const units = (value: number) => Math.round(Number(value.toFixed(count)) * 10 ** count);
  expect(units(token[col]!) + units(row[col]!)).toBe(units(start[col]!));
}

/** The position table as a file holds it, and the cosines of a row with every row. */
function wpeOf(file: Buffer, count: number, width: number): { rows: number[][]; cosines(place: number): number[] } {
  const length = Number(file.readBigUInt64LE(0));
  const begin = 8 + length + JSON.parse(file.toString('utf8', 8, 8 + length))['wpe.weight'].data_offsets[0];
  const rows = Array.from({ length: count }, (_, row) => Array.from({ length: width }, (_, at) => file.readFloatLE(begin + 4 * (row * width + at))));
  const dot = (a: number[], b: number[]) => a.reduce((sum, value, at) => sum + value * b[at]!, 0);
  return { rows, cosines: (place) => rows.map((row) => dot(row, rows[place]!) / Math.sqrt(dot(row, row) * dot(rows[place]!, rows[place]!))) };
}

describe('position-table', () => {
  it('shows what the core computes, for several places, numbers and texts', async () => {
    for (const [place, col, of] of [[5, 0, text], [0, 95, text], [3, 17, 'Mira gave the map to Oren.']] as const) {
      const page = await openChapter(`#&position-table.place=${place}&position-table.col=${col}&position-table.text=${encodeURIComponent(of)}`);
      await expectPlace(await figureOn(page, 'position-table'), place, col, of);
    }
    const counted = await openChapter('#&base=1&position-table.place=4&position-table.col=2');
    const figure = await figureOn(counted, 'position-table');
    await expectPlace(figure, 4, 2, text, 1);
    expect(await figure.getByRole('spinbutton', { name: 'Place' }).inputValue()).toBe('5');
  });

  it('lists token row, position row and start, and they add up', async () => {
    const figure = await figureOn(await openChapter('#&position-table.place=2'), 'position-table');
    await figure.getByText('Numbers', { exact: true }).click();
    await figure.locator('.figure-table').waitFor();
    const cells = await figure.locator('.figure-table tbody tr').evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent!)));
    const { token, row, start } = await places(2);
    expect(cells).toEqual(token.map((value, at) => [String(at), decimals(value, 3), decimals(row[at]!, 3), decimals(start[at]!, 3)]));
  });

  it('picks places by token, mouse, keyboard, slider and typing', async () => {
    const page = await openChapter();
    const figure = await figureOn(page, 'position-table');
    await figure.locator('#position-table-token-2').click();
    await expectPlace(figure, 2, 0);
    const board = figure.getByRole('application', { name: /^Rows of the position table/ });
    await board.focus();
    await page.keyboard.press('ArrowDown');
    await expectPlace(figure, 3, 0);
    await page.keyboard.press('End');
    await settled(figure);
    expect(await board.getAttribute('aria-label')).toMatch(/ Place 127, most like /);
    await page.keyboard.press('PageUp');
    await settled(figure);
    expect(await titleOf(figure)).toMatch(/^Row 117 /);
    await page.keyboard.press('Home');
    await expectPlace(figure, 0, 0);

    const box = (await figure.locator('.places-cells').boundingBox())!;
    await page.mouse.click(box.x + (box.width * 40.5) / 96, box.y + (box.height * 6.5) / 128);
    await expectPlace(figure, 6, 40);
    await page.mouse.move(box.x + 5, box.y + (box.height * 90.5) / 128);
    await page.mouse.down();
    await page.mouse.move(box.x + 5, box.y + (box.height * 1.5) / 128, { steps: 4 });
    await page.mouse.up();
    await expectPlace(figure, 1, Math.floor((5 / box.width) * 96));
    await type(figure.getByRole('spinbutton', { name: 'Number' }), '50');
    await type(figure.getByRole('spinbutton', { name: 'Place' }), '4');
    await expectPlace(figure, 4, 50);
  });

  it('has no row after the last, and says so', async () => {
    const figure = await figureOn(await openChapter('#&position-table.place=127'), 'position-table');
    expect(await titleOf(figure)).toMatch(/^Row 127 /);
    expect(await figure.locator('.places-beyond').innerText()).toMatch(/^The text ends at place \d+\./);
    await type(figure.getByRole('spinbutton', { name: 'Place' }), '128');
    await settled(figure);
    expect(await titleOf(figure)).toBe('There is no row for place 128: the table has 128 rows, for places 0 to 127');
    expect(await figure.locator('.places-none').innerText()).toContain('There is no row for place 128');
    expect(await figure.locator('.places-line').count()).toBe(0);
    await figure.getByRole('textbox', { name: 'Text' }).fill('a '.repeat(200));
    await expect.poll(() => figure.locator('.figure-picture .figure-error').innerText()).toMatch(/128/);
  });

  it("draws a table of GPT-2's size, of a model from the reader's disk", async () => {
    const folder = await temporaryFolder('places');
    try {
      await writeCheckpoint(folder, { shape: { n_layer: 1, n_head: 12, n_embd: 768, n_positions: 1024, vocab_size: 60 }, seed: 3 });
      const figure = await figureOn(await openChapter('#&position-table.place=2&position-table.col=700'), 'position-table');
      await figure.locator('input[type=file]').first().setInputFiles(['config.json', 'model.safetensors'].map((name) => join(folder, name)));
      await expect.poll(() => figure.locator('.figure-model').innerText(), { timeout: 120_000 }).toContain('from your disk');
      await settled(figure);
      const { rows, cosines } = wpeOf(readFileSync(join(folder, 'model.safetensors')), 1024, 768);
      const shown = await figure.locator('.places-number .num').innerText();
      expect(shown.split(' + ')[1]).toMatch(new RegExp(`^\\(?${decimals(rows[2]![700]!, 3)}`.slice(0, -1)));
      for (const place of [2, 1023, 512]) {
        await type(figure.getByRole('spinbutton', { name: 'Place' }), String(place));
        await settled(figure);
        const points = (await figure.locator('.places-line').getAttribute('points'))!.split(' ');
        const truth = cosines(place);
        expect(points.length).toBe(1024);
        points.forEach((point, at) => expect(Math.abs(Number(point.split(',')[0]) / 50 - 1 - truth[at]!)).toBeLessThan(0.002));
      }
      await figure.locator('.places-board').focus();
      for (let press = 1; press <= 5; press++) {
        await figure.page().keyboard.press('ArrowDown');
        await expect.poll(() => titleOf(figure)).toMatch(new RegExp(`^Row ${512 + press} `));
      }
      await type(figure.getByRole('spinbutton', { name: 'Place' }), '1024');
      await expect.poll(() => titleOf(figure)).toBe('There is no row for place 1\u202F024: the table has 1\u202F024 rows, for places 0 to 1\u202F023');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('goes on from where the last key led, however fast the keys come', async () => {
    const figure = await figureOn(await openChapter(), 'position-table');
    await figure.locator('.places-board').evaluate((board) => {
      for (let press = 0; press < 30; press++) board.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }));
    });
    await expect.poll(() => titleOf(figure)).toMatch(/^Row 35 /);
  });

  it('paints the table in the inks of its scale, in both themes', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const figure = await figureOn(await openChapter('', { colorScheme }), 'position-table');
      const { table } = await places(5);
      const order = table.map((_, at) => at).sort((a, b) => table[a]! - table[b]!);
      const smallest = [...order].sort((a, b) => Math.abs(table[a]!) - Math.abs(table[b]!))[0]!;
      const colours = await figure.locator('table-picture').evaluate((node, cells) => {
        const canvas = node.querySelector('canvas')!;
        const pen = canvas.getContext('2d')!;
        return cells.map((at) => {
          const [x, y] = [((at % 96) + 0.5) / 96, (Math.floor(at / 96) + 0.5) / 128];
          return [...pen.getImageData(Math.floor(x * canvas.width), Math.floor(y * canvas.height), 1, 1).data].join(' ');
        });
      }, [order[0]!, order.at(-1)!, smallest]);
      const theme = await figure.evaluate((node) => {
        const probe = node.appendChild(document.createElement('i'));
        const pen = document.createElement('canvas').getContext('2d')!;
        const found = ['--slate', '--plum', '--paper'].map((name) => {
          probe.style.setProperty('color', `var(${name})`);
          pen.fillStyle = getComputedStyle(probe).color;
          pen.fillRect(0, 0, 1, 1);
          return [...pen.getImageData(0, 0, 1, 1).data].join(' ');
        });
        probe.remove();
        return found;
      });
      expect(colours, colorScheme).toEqual(theme);
    }
  });
});

// --------------------------------------------------------------------------------------------------------------- both

it('is read without a script, and takes little room in the page', async () => {
  const page = await openChapter('', { javaScriptEnabled: false });
  expect(await titleOf(page.locator('#position-table'))).toMatch(/^Row \d+ of the position table is most like/);
  expect(await page.locator('#position-table .places-compiled path').count()).toBeGreaterThan(5);
  expect(await page.locator('#position-table .places-line').count()).toBe(1);
  expect(await page.locator('#rotary-dial .rotary-face').count()).toBe(4);
  expect(await page.locator('#rotary-dial .rotary-sum .big-num').innerText()).toMatch(/^[+−]\d/);
  const source = readFileSync(join(process.env['LOOKBACK_DIST'] ?? join(root, 'web/dist'), '04-order.html'), 'utf8');
  for (const name of names) {
    const begin = source.indexOf(`<${name} `);
    expect(begin).toBeGreaterThan(0);
    expect(Buffer.byteLength(source.slice(begin, source.indexOf(`</${name}>`, begin))), name).toBeLessThan(40_000);
  }
});

for (const width of [320, 360]) {
  it(`at ${width} pixels a finger reaches everything and nothing is wider than the screen`, async () => {
    const page = await openChapter('', { viewport: { width, height: 700 }, hasTouch: true, isMobile: true });
    for (const name of names) {
      const figure = await figureOn(page, name);
      const lost = await figure.evaluate((node) =>
        [...node.querySelectorAll<HTMLElement>('button, input, .token, .num, .rotary-face, .places-cells, .places-likeness, .places-strip, .rotary-scale')]
          .filter((part) => part.checkVisibility() && !part.closest('.figure-table, .visually-hidden, .rotary-table'))
          .filter((part) => part.getBoundingClientRect().left < -1 || part.getBoundingClientRect().right > innerWidth + 1)
          .map((part) => part.outerHTML.slice(0, 120)),
      );
      expect(lost, name).toEqual([]);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);

    const table = await figureOn(page, 'position-table');
    const cells = table.locator('.places-cells');
    await cells.scrollIntoViewIfNeeded();
    const box = (await cells.boundingBox())!;
    const below = Math.max(box.y, 80);
    const place = Math.floor(((below + 20 - box.y) / box.height) * 128);
    await page.touchscreen.tap(box.x + box.width / 2, below + 20);
    await expect.poll(() => titleOf(table)).toMatch(new RegExp(`^Row ${place} `));
    // A finger that drags scrolls the page and picks nothing.
    await dragFinger(page, [box.x + 20, below + 200], [box.x + 20, below + 60]);
    await settled(table);
    expect(await titleOf(table)).toMatch(new RegExp(`^Row ${place} `));

    const rotary = await figureOn(page, 'rotary-dial');
    await rotary.getByRole('button', { name: 'More: Place of the query' }).tap();
    await expect.poll(() => titleOf(rotary)).toMatch(/^The query stands 6 places after its key/);
  });
}

it('shows nothing wrong for hostile links', async () => {
  const evil = encodeURIComponent('<img src=x onerror=alert(1)>');
  for (const values of [
    `position-table.place=1e9&position-table.col=-7&position-table.text=${evil}&rotary-dial.m=NaN&rotary-dial.n=-3&rotary-dial.base=0&rotary-dial.d=3`,
    'position-table.place=-1&position-table.col=99999&position-table.text=&rotary-dial.m=1e99&rotary-dial.q=&rotary-dial.k=a,b,c&rotary-dial.base=1e12',
    'position-table.model=gpt2&position-table.place=1024&rotary-dial.q=0,0,0,0,0,0,0,0&rotary-dial.k=0,0,0,0,0,0,0,0&rotary-dial.n=%zz',
  ]) {
    const page = await openChapter(`#&${values}`);
    for (const name of names) {
      const shown = await figureOn(page, name);
      expect(await shown.innerText(), values).not.toMatch(/NaN|undefined|Infinity|∞|no number|\[object/);
      expect(await shown.locator('img, script').count()).toBe(0);
    }
  }
});

for (const colorScheme of ['light', 'dark'] as const) {
  it(`in the ${colorScheme} theme axe finds nothing`, async () => {
    const page = await openChapter('', { colorScheme });
    for (const name of names) await (await figureOn(page, name)).getByText('Numbers', { exact: true }).click();
    await page.locator('#rotary-dial').getByText('The numbers of query and key').click();
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
    await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
    const violations = await page.evaluate(async (roots) => {
      interface Found { violations: { id: string; nodes: { target: string[]; html: string }[] }[] }
      const { axe } = window as unknown as { axe: { run(context: object, options: object): Promise<Found> } };
      const found = await axe.run({ include: roots.map((name) => [`#${name}`]) }, { resultTypes: ['violations'], rules: { 'target-size': { enabled: true }, 'label-content-name-mismatch': { enabled: true } } });
      return found.violations.flatMap(({ id, nodes }) => nodes.map(({ target, html }) => `${id}: ${target.join(' ')} ${html.slice(0, 120)}`));
    }, [...names]);
    expect(violations).toEqual([]);
  });
}
