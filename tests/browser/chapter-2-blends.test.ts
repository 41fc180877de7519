// The sink and the map of blends in Chromium, driven by mouse, keyboard and typing; what they show against the native
// program.

import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { BlendOutput } from '../../web/engine/lessons.ts';
import { dragFinger, expectBar, figureOn, lesson, openChapter, percent, readShown, settled, tableOf, titleOf, two, type, useChapter } from './chapter-2-page.ts';

useChapter();

// --------------------------------------------------------------------------------------------------------------- sink

interface SinkState {
  query: string;
  sink?: 'off' | 'on' | 'both';
  score?: number;
  stretch?: number;
}

/** The rows as they stand on the screen; a cell is absent where its column is. */
function sinkRows(figure: Locator) {
  return figure.locator('.sink-list > li').evaluateAll((rows) =>
    rows.map((row) => {
      const cells = [...row.querySelectorAll('.sink-cell:not(.sink-none)')];
      const mark = row.querySelector('.sink-mark')?.getBoundingClientRect();
      const room = row.querySelector('.sink-bar .bar-room')!.getBoundingClientRect();
      return {
        name: row.querySelector('.token-text')!.textContent!.trim(),
        numbers: cells.map((cell) => cell.querySelector('.bar-number')!.lastChild!.textContent!),
        largest: cells.map((cell) => cell.classList.contains('sink-largest')),
        bars: cells.map((cell) => window.barIn(cell)),
        mark: mark ? (mark.x + mark.width / 2 - room.x) / room.width : null,
      };
    }),
  );
}

async function expectSink(figure: Locator, { query, sink = 'both', score = 4, stretch = 9 }: SinkState): Promise<void> {
  await settled(figure);
  const { keys } = (await lesson('worlds', {})).sink;
  const truth = await lesson('sink', { query, keys, stretch, sink_score: score });
  const { tokens, without_sink: alone, with_sink: joined } = truth;
  expect(await figure.getByRole('textbox', { name: 'Query' }).inputValue()).toBe(query);

  const columns = [sink !== 'on' && { shares: alone.shares, sink: null }, sink !== 'off' && { shares: joined.shares, sink: joined.sink_share }].filter((column) => column !== false);
  const expected = tokens.map((token, at) => ({ name: token.text.trim(), score: token.stretched, shares: columns.map(({ shares }) => shares[at]!) }));
  if (sink !== 'off') expected.push({ name: 'sink', score, shares: columns.flatMap((column) => column.sink ?? []) });
  const rows = await sinkRows(figure);
  expect(rows.map(({ name, numbers }) => ({ name, numbers }))).toEqual(expected.map((row) => ({ name: row.name, numbers: [two(row.score), ...row.shares.map(percent)] })));

  // Bars of scores share one scale, on which the sink's score is a mark.
  const extent = Math.max(stretch, sink === 'off' ? 0 : score) || 1;
  rows.forEach(({ bars, mark }, at) => {
    [expected[at]!.score / extent, ...expected[at]!.shares].forEach((length, column) => expectBar(bars[column]!, length));
    if (sink === 'off') expect(mark).toBeNull();
    else expect(Math.abs(mark! - score / extent)).toBeLessThan(0.01);
  });

  // Each share is rounded by itself: their sum misses 100 by less than half a percent for each.
  const shown = [sink !== 'on' && rows.slice(0, tokens.length).map(({ numbers }) => numbers[1]!), sink !== 'off' && rows.map(({ numbers }) => numbers.at(-1)!)];
  for (const column of shown.filter((texts) => texts !== false)) {
    const sum = column.reduce((total, text) => total + (text.startsWith('<') ? 0.05 : readShown(text)), 0);
    expect(Math.abs(sum - 100)).toBeLessThanOrEqual(column.length / 2);
  }

  const spreads = await figure.locator('.sink-over .label').allInnerTexts();
  expect(spreads).toEqual([sink !== 'on' && alone, sink !== 'off' && joined].flatMap((column) => (column ? [`entropy ${two(column.entropy_bits)} bits`] : [])));
  const title = await titleOf(figure);
  if (sink !== 'off') expect(title).toContain(percent(joined.sink_share > Math.max(...joined.shares) ? joined.sink_share : Math.max(...joined.shares)));
  expect(await tableOf(figure)).toEqual([
    ...tokens.map((token, at) => [token.text.trim(), token.key.phrase, two(token.score), two(token.stretched), percent(alone.shares[at]!), percent(joined.shares[at]!)]),
    ['sink', '', '', two(score), '', percent(joined.sink_share)],
    ['entropy in bits', '', '', '', two(alone.entropy_bits), two(joined.entropy_bits)],
  ]);
}

describe('the sink', () => {
  it('follows queries to try and typed ones, with a sink, without, and side by side', async () => {
    const page = await openChapter();
    const figure = await figureOn(page, 'sink-demo');
    const { sink_queries: queries } = await lesson('worlds', {});
    await expectSink(figure, { query: queries.find(({ matches }) => !matches)!.query });
    for (const { query } of [queries[1]!, queries[4]!]) {
      await figure.getByRole('button', { name: query, exact: true }).click();
      await expectSink(figure, { query });
    }
    const field = figure.getByRole('textbox', { name: 'Query' });
    await field.fill('');
    await field.pressSequentially('a brave woman in a storm');
    await expectSink(figure, { query: 'a brave woman in a storm' });

    await figure.getByRole('button', { name: 'No sink' }).click();
    await expectSink(figure, { query: 'a brave woman in a storm', sink: 'off' });
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expectSink(figure, { query: 'a brave woman in a storm', sink: 'on' });
    await field.fill('');
    await expectSink(figure, { query: '', sink: 'on' });
  });

  it('follows the sink’s score and the stretch, by keys, mouse and typing', async () => {
    const page = await openChapter('#sink-demo&sink-demo.query=match');
    const figure = await figureOn(page, 'sink-demo');
    const query = (await lesson('worlds', {})).sink_queries.find(({ matches }) => matches)!.query;
    await expectSink(figure, { query });
    await type(figure.getByRole('spinbutton', { name: 'sink’s score' }), '11.5');
    await expectSink(figure, { query, score: 11.5 });
    const stretch = figure.getByRole('slider', { name: 'stretch' });
    await stretch.focus();
    for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
    await expectSink(figure, { query, score: 11.5, stretch: 0.3 });
    const room = (await stretch.boundingBox())!;
    await page.mouse.click(room.x + room.width * 0.75, room.y + room.height / 2);
    await settled(figure);
    const picked = Number(await stretch.inputValue());
    expect(Math.abs(picked - 15)).toBeLessThan(1.2);
    await expectSink(figure, { query, score: 11.5, stretch: picked });
    await figure.locator('.slider', { has: page.locator('#sink-demo-score-range') }).getByRole('button', { name: 'Less' }).click();
    await expectSink(figure, { query, score: 11, stretch: picked });
    await type(figure.getByRole('spinbutton', { name: 'sink’s score' }), '0');
    await type(figure.getByRole('spinbutton', { name: 'stretch' }), '0');
    await expectSink(figure, { query, score: 0, stretch: 0 });
  });
});

// --------------------------------------------------------------------------------------------------------------- blend

/** A number of the map: two decimals, without those that are zero. */
const short = (value: number) => two(value).replace(/\.?0+$/, '');
const place = ([x, y]: readonly number[]) => `(${short(x!)}, ${short(y!)})`;
const whole = (value: number) => `${value}\u202F%`;

const sliders = (figure: Locator) => figure.locator('.blend-share .slider-range');
const percentsOf = (figure: Locator) => figure.locator('.blend-share .slider-number').evaluateAll((fields) => fields.map((field) => Number((field as HTMLInputElement).value)));
const valuesOf = (figure: Locator) => figure.locator('.blend-share select').evaluateAll((fields) => fields.map((field) => (field as HTMLSelectElement).value));

/** What is drawn: every name on the map with its point, and the grip of the blend, in pixels of the map. */
function drawnMap(figure: Locator) {
  return figure.locator('.blend-map').evaluate((map) => {
    const room = map.getBoundingClientRect();
    const middle = (element: Element): [number, number] => {
      const box = element.getBoundingClientRect();
      return [box.x + box.width / 2 - room.x, box.y + box.height / 2 - room.y];
    };
    return {
      names: [...map.querySelectorAll('.blend-point .blend-word')].map((word) => ({ text: word.textContent!, near: word.closest('.blend-near') !== null, x: (parseFloat(word.getAttribute('x')!) / 100) * room.width, y: (parseFloat(word.getAttribute('y')!) / 100) * room.height })),
      grip: middle(map.querySelector('.blend-grip')!),
      corner: [room.x, room.y] as [number, number],
    };
  });
}

/** The map's own scale, from two meanings whose places the core tells. */
async function scaleOf(figure: Locator, { meanings }: BlendOutput) {
  const { names, ...rest } = await drawnMap(figure);
  const at = (name: string) => names.find(({ text }) => text.replace(/ \d.*$/, '') === name)!;
  const [low, high] = [meanings.reduce((a, b) => (b.x < a.x || (b.x === a.x && b.y < a.y) ? b : a)), meanings.reduce((a, b) => (b.x > a.x || (b.x === a.x && b.y > a.y) ? b : a))];
  const unit = (at(high.name).x - at(low.name).x) / (high.x - low.x);
  const pixels = ([x, y]: readonly [number, number]) => [at(low.name).x + (x - low.x) * unit, at(low.name).y - (y - low.y) * unit] as [number, number];
  return { names, ...rest, at, pixels };
}

async function expectBlend(figure: Locator, values: string[], percents: number[]): Promise<BlendOutput> {
  await settled(figure);
  const truth = await lesson('blend', { meanings: (await lesson('worlds', {})).blend.meanings, values, weights: percents });
  expect(await valuesOf(figure)).toEqual(values);
  expect(await percentsOf(figure)).toEqual(truth.values.map((value) => value.percent));
  expect((await percentsOf(figure)).reduce((sum, part) => sum + part, 0)).toBe(100);
  expect(await sliders(figure).evaluateAll((fields) => fields.map((field) => Number((field as HTMLInputElement).value)))).toEqual(truth.values.map((value) => value.percent));

  const parts = truth.values.filter(({ share }) => share > 0);
  const terms = await figure.locator('.blend-sum .blend-term').allInnerTexts();
  expect(terms).toEqual([...parts.map((part) => `${whole(part.percent)} of ${part.name} ${place([part.x, part.y])}`), `blend ${place(truth.blend)}`]);
  const near = truth.distances.slice(0, 3).map(({ name, distance }) => `${name} ${two(distance)}`).join(', ');
  expect(await figure.locator('.blend-numbers .hint').innerText()).toContain(`Nearest: ${near} away.`);
  expect(await titleOf(figure)).toContain(parts.length === 1 ? `All to ${parts[0]!.name}` : `lands nearest ${truth.nearest}`);

  const { names, grip, at, pixels } = await scaleOf(figure, truth);
  const shown = new Map<string, number>();
  for (const { name, percent: part } of truth.values) shown.set(name, (shown.get(name) ?? 0) + part);
  expect(names.map(({ text }) => text).sort()).toEqual(truth.meanings.map(({ name }) => (shown.has(name) ? `${name} ${whole(shown.get(name)!)}` : name)).sort());
  expect(names.filter(({ near }) => near).map(({ text }) => text.replace(/ \d.*$/, ''))).toEqual([truth.nearest]);
  for (const meaning of truth.meanings) {
    const [x, y] = pixels([meaning.x, meaning.y]);
    expect(Math.hypot(at(meaning.name).x - x, at(meaning.name).y - y), meaning.name).toBeLessThan(1);
  }
  const [x, y] = pixels(truth.blend);
  expect(Math.hypot(grip[0] - x, grip[1] - y)).toBeLessThan(1);

  const others = truth.distances.filter(({ blended }) => !blended);
  const distance = (name: string) => two(truth.distances.find((entry) => entry.name === name)!.distance);
  expect(await tableOf(figure)).toEqual([
    ...truth.values.map((value) => [value.name, two(value.x), two(value.y), percent(value.share), ...value.contribution.map(two), distance(value.name)]),
    ['the blend', ...truth.blend.map(two), '', ...truth.blend.map(two), '0.00'],
    ...others.map(({ name }) => [name, ...(({ x, y }) => [two(x), two(y)])(truth.meanings.find((meaning) => meaning.name === name)!), '', '', '', distance(name)]),
  ]);
  return truth;
}

describe('the map of blends', () => {
  it('follows shares by keys, mouse and typing, and other values', async () => {
    const page = await openChapter();
    const figure = await figureOn(page, 'blend-map');
    await expectBlend(figure, ['river', 'bank', 'sky'], [50, 50, 0]);
    await type(figure.getByRole('spinbutton', { name: 'share of sky' }), '37');
    await settled(figure);
    // The others keep their proportions: two equal ones part what is left.
    const typed = await percentsOf(figure);
    expect(typed[2]).toBe(37);
    expect(Math.abs(typed[0]! - typed[1]!)).toBeLessThanOrEqual(1);
    await expectBlend(figure, ['river', 'bank', 'sky'], typed);

    await sliders(figure).first().focus();
    await page.keyboard.press('End');
    await expectBlend(figure, ['river', 'bank', 'sky'], [100, 0, 0]);
    const room = (await sliders(figure).nth(1).boundingBox())!;
    await page.mouse.click(room.x + room.width / 2, room.y + room.height / 2);
    await settled(figure);
    const clicked = await percentsOf(figure);
    expect(Math.abs(clicked[1]! - 50)).toBeLessThanOrEqual(2);
    await expectBlend(figure, ['river', 'bank', 'sky'], clicked);
    await figure.getByRole('combobox', { name: 'Value 3' }).selectOption('money');
    await expectBlend(figure, ['river', 'bank', 'money'], clicked);
    await figure.getByRole('combobox', { name: 'Value 1' }).selectOption('bank');
    await expectBlend(figure, ['bank', 'bank', 'money'], clicked);
    for (const [first, second] of (await lesson('worlds', {})).blend_values.slice(2, 4)) {
      await figure.getByRole('button', { name: `${first} and ${second}` }).click();
      await settled(figure);
      const values = await valuesOf(figure);
      expect(values.slice(0, 2)).toEqual([first, second]);
      await expectBlend(figure, values, [50, 50, 0]);
    }
  });

  it('follows the blend: dragged within the values’ area and past it, and moved by keys', async () => {
    const page = await openChapter();
    const figure = await figureOn(page, 'blend-map');
    const values = ['river', 'bank', 'sky'];
    const before = await expectBlend(figure, values, [50, 50, 0]);
    await figure.locator('.blend-map').scrollIntoViewIfNeeded();
    const { pixels, grip, corner } = await scaleOf(figure, before);
    const screen = ([x, y]: [number, number]) => [corner[0] + x, corner[1] + y] as const;
    const goal = [2.2, 6.7] as const;
    await page.mouse.move(...screen(grip));
    await page.mouse.down();
    await page.mouse.move(...screen(pixels([3, 5])), { steps: 3 });
    await page.mouse.move(...screen(pixels(goal)), { steps: 3 });
    await settled(figure);
    const inside = await expectBlend(figure, values, await percentsOf(figure));
    // Whole percentages: the blend is as near as those allow.
    expect(Math.hypot(inside.blend[0] - goal[0], inside.blend[1] - goal[1])).toBeLessThan(0.06);
    await page.mouse.move(...screen(pixels([1, 9])), { steps: 3 });
    await page.mouse.up();
    await page.mouse.move(5, 5);
    await expectBlend(figure, values, [100, 0, 0]);

    const handle = figure.getByRole('slider', { name: /^Blend/ });
    await handle.focus();
    for (const key of ['ArrowRight', 'Shift+ArrowRight', 'ArrowDown']) {
      await page.keyboard.press(key);
      await settled(figure);
    }
    const moved = await percentsOf(figure);
    expect(moved[1]).toBeGreaterThan(5);
    expect(moved[2]).toBeGreaterThan(0);
    const { blend, nearest } = await expectBlend(figure, values, moved);
    expect(await handle.getAttribute('aria-valuetext')).toBe(`x ${two(blend[0])}, y ${two(blend[1])}, nearest ${nearest}`);
    expect(await handle.evaluate((node) => node === document.activeElement)).toBe(true);
  });

  it('follows a finger, and the page stays where it is under it', async () => {
    const page = await openChapter('', { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });
    const figure = await figureOn(page, 'blend-map');
    const values = ['river', 'bank', 'sky'];
    const before = await expectBlend(figure, values, [50, 50, 0]);
    await figure.locator('.blend-map').scrollIntoViewIfNeeded();
    const { pixels, grip, corner } = await scaleOf(figure, before);
    const top = await page.evaluate(() => scrollY);
    const goal = pixels([1, 5]);
    await dragFinger(page, [corner[0] + grip[0], corner[1] + grip[1]], [corner[0] + goal[0], corner[1] + goal[1]]);
    await settled(figure);
    expect(await page.evaluate(() => scrollY)).toBe(top);
    // A quarter of the way up from sky, which is at 4, to river, at 8.
    await expectBlend(figure, values, [25, 0, 75]);
  });
});
