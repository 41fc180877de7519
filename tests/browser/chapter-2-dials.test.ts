// The dials of dot product and softmax in Chromium, driven by mouse, keyboard, finger and typing; what they show against
// the native program.

import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { decimals, dragFinger, expectBar, expectPlain, figureOn, lesson, openChapter, percent, readShown, settled, signed, tableOf, titleOf, two, type, useChapter } from './chapter-2-page.ts';

useChapter();

type Pair = [number, number];
const minus = (text: string) => (text.startsWith('−') ? `(${text})` : text);

// --------------------------------------------------------------------------------------------------------- dot product

const coordinate = (figure: Locator, axis: 'x' | 'y', letter: 'q' | 'k') =>
  figure.getByRole('spinbutton', { name: `${axis} of the ${letter === 'q' ? 'query' : 'key'} ${letter}` });
const arrow = (figure: Locator, letter: 'q' | 'k') => figure.getByRole('slider', { name: letter === 'q' ? /^Query q/ : /^Key k/ });

/** Where the arrows' tips are drawn, read off by the ticks of the axis; and where their handles are. */
function drawnArrows(figure: Locator) {
  return figure.locator('.plane').evaluate((plane) => {
    const ticks = [...plane.querySelectorAll('.plane-tick')].map((tick) => ({ value: Number(tick.textContent!.replace('−', '-')), x: Number(tick.getAttribute('x')) }));
    const [first, last] = [ticks[0]!, ticks.at(-1)!];
    const unit = (last.x - first.x) / (last.value - first.value);
    const middle = first.x - first.value * unit;
    const read = ([x, y]: number[]) => [(x! - middle) / unit, (middle - y!) / unit] as [number, number];
    return ['query', 'key'].map((meaning) => {
      const head = plane.querySelector(`.arrow-head.mark-${meaning}`)!;
      const grip = plane.querySelector(`.arrow-grip.mark-${meaning}`)!;
      const tip = head.getAttribute('points')?.split(' ')[0]!.split(',').map(Number) ?? [Number(head.getAttribute('cx')), Number(head.getAttribute('cy'))];
      return { tip: read(tip), grip: read([Number(grip.getAttribute('cx')), Number(grip.getAttribute('cy'))]) };
    });
  });
}

async function expectDot(figure: Locator, q: Pair, k: Pair): Promise<void> {
  await settled(figure);
  const truth = await lesson('dot', { q, k });
  const fields = [coordinate(figure, 'x', 'q'), coordinate(figure, 'y', 'q'), coordinate(figure, 'x', 'k'), coordinate(figure, 'y', 'k')];
  expect(await Promise.all(fields.map(async (field) => readShown(await field.inputValue())))).toEqual([...q, ...k]);

  const title = await titleOf(figure);
  const flat = truth.cosine === null || two(truth.dot) === '0.00';
  if (flat) expect(title).toMatch(/so q · k is 0$/);
  else expect(title).toMatch(new RegExp(`${truth.dot > 0 ? 'above' : 'below'} zero: [+−][\\d.]+$`));
  if (!flat) expect(title.split(': ')[1]).toBe(signed(truth.dot));
  expect(await figure.locator('.dial-number').innerText()).toBe(signed(truth.dot));

  const [sum, angle] = await figure.locator('.dial-ways dd').evaluateAll((ways) => ways.map((way) => [...way.querySelectorAll('.num')].map((part) => (part as HTMLElement).innerText)));
  const one = (value: number) => minus(decimals(value, 1));
  const three = (value: number) => decimals(value, 3);
  expect(sum).toEqual([
    `${one(q[0])} × ${one(k[0])} + ${one(q[1])} × ${one(k[1])}`,
    `= ${two(truth.products[0])} + ${minus(two(truth.products[1]))}`,
    `= ${signed(truth.dot)}`,
  ]);
  const lengths = `${three(truth.q_length)} × ${three(truth.k_length)}`;
  const degrees = truth.angle_degrees === null ? '' : `${decimals(truth.angle_degrees, 1)}°`;
  const product = `= ${signed(truth.lengths_times_cosine)}`;
  expect(angle).toEqual(truth.cosine === null ? [`${lengths} × no cosine`, product] : [`${lengths} × cos ${degrees}`, `= ${lengths} × ${minus(three(truth.cosine))}`, product]);

  const [low, , high] = (await figure.locator('.dial-ends > span').allInnerTexts()).map(readShown);
  expect(low).toBe(-high!);
  const half = Math.abs(truth.dot) / high! / 2;
  expectBar(await figure.locator('.dial-signed').evaluate((node) => window.barIn(node)), half, truth.dot < 0 ? 0.5 - half : 0.5);
  for (const [at, { tip, grip }] of (await drawnArrows(figure)).entries()) {
    const place = at === 0 ? q : k;
    for (const axis of [0, 1] as const) {
      expect(Math.abs(tip[axis] - place[axis])).toBeLessThan(0.01);
      expect(Math.abs(grip[axis] - place[axis])).toBeLessThan(0.01);
    }
  }
  const arc = await figure.locator('.dial-angle').allTextContents();
  expect(arc).toEqual(truth.angle_degrees === null || truth.angle_degrees < 0.05 ? [] : [degrees]);
  const shadow = await figure.locator('.hint .num').allInnerTexts();
  expect(shadow).toEqual(flat ? [] : [three(Math.abs(truth.cosine! * truth.k_length))]);

  const table = await tableOf(figure);
  const same = (cell: string, value: number | null) => (value === null ? expect(cell).toBe('') : expectPlain(cell, value));
  table.slice(0, 2).forEach((row, at) => [q[at]!, k[at]!, truth.products[at]!].forEach((value, column) => same(row[column + 1]!, value)));
  [truth.dot, null, truth.angle_degrees, truth.cosine, truth.lengths_times_cosine].forEach((value, at) => same(table[at + 2]![3]!, value));
  [truth.q_length, truth.q_direction_degrees].forEach((value, at) => same(table[at + 3]![1]!, value));
  [truth.k_length, truth.k_direction_degrees].forEach((value, at) => same(table[at + 3]![2]!, value));
}

/** The middle of an arrow's grip on the screen, and how many pixels one unit of the plane is. */
async function gripOf(figure: Locator, letter: 'q' | 'k'): Promise<{ x: number; y: number; unit: number }> {
  const box = (await arrow(figure, letter).locator('.arrow-grip').boundingBox())!;
  const unit = await figure.locator('.plane').evaluate((plane) => {
    const ticks = [...plane.querySelectorAll('.plane-tick')];
    const middle = (tick: Element) => tick.getBoundingClientRect().x + tick.getBoundingClientRect().width / 2;
    const [one, two] = [ticks.find((tick) => tick.textContent === '1')!, ticks.find((tick) => tick.textContent === '3')!];
    return (middle(two) - middle(one)) / 2;
  });
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, unit };
}

describe('the dot product', () => {
  it('follows typed numbers, its buttons and the steps beside the numbers', async () => {
    const figure = await figureOn(await openChapter(), 'dot-dial');
    await expectDot(figure, [2, 1], [1, 2]);
    await type(coordinate(figure, 'x', 'q'), '-1.5');
    await expectDot(figure, [-1.5, 1], [1, 2]);
    await type(coordinate(figure, 'y', 'k'), '-3.75');
    await expectDot(figure, [-1.5, 1], [1, -3.7]);
    await type(coordinate(figure, 'x', 'k'), '99');
    await expectDot(figure, [-1.5, 1], [4, -3.7]);
    expect(await figure.getByRole('button', { name: 'double of k' }).isDisabled()).toBe(true);
    await figure.getByRole('button', { name: 'double of q' }).click();
    await expectDot(figure, [-3, 2], [4, -3.7]);
    await figure.getByRole('button', { name: 'quarter turn of k' }).click();
    await expectDot(figure, [-3, 2], [3.7, 4]);
    await figure.getByRole('button', { name: 'More: x of the query q' }).click();
    await expectDot(figure, [-2.9, 2], [3.7, 4]);
    await coordinate(figure, 'y', 'q').press('ArrowDown');
    await expectDot(figure, [-2.9, 1.9], [3.7, 4]);
    await type(coordinate(figure, 'x', 'q'), '0');
    await type(coordinate(figure, 'y', 'q'), '0');
    await expectDot(figure, [0, 0], [3.7, 4]);
  });

  it('follows the arrows: dragged by the mouse, moved by keys', async () => {
    const page = await openChapter();
    const figure = await figureOn(page, 'dot-dial');
    for (const [letter, from, to] of [['q', [2, 1], [-2.4, 0.7]], ['k', [1, 2], [3.1, -2.2]]] as const) {
      const { x, y, unit } = await gripOf(figure, letter);
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 40, y - 30, { steps: 3 });
      await page.mouse.move(x + (to[0] - from[0]) * unit, y - (to[1] - from[1]) * unit, { steps: 4 });
      await page.mouse.up();
      await page.mouse.move(5, 5);
    }
    await expectDot(figure, [-2.4, 0.7], [3.1, -2.2]);
    await arrow(figure, 'k').focus();
    for (const key of ['ArrowLeft', 'ArrowUp', 'Shift+ArrowUp', 'Shift+ArrowUp']) {
      await page.keyboard.press(key);
      await settled(figure);
    }
    await expectDot(figure, [-2.4, 0.7], [3, -1.1]);
    expect(await arrow(figure, 'k').getAttribute('aria-valuetext')).toBe('x 3.00, y −1.10');
    expect(await arrow(figure, 'k').evaluate((handle) => handle === document.activeElement)).toBe(true);
  });

  it('follows a finger, and the page stays where it is under it', async () => {
    const page = await openChapter('', { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });
    const figure = await figureOn(page, 'dot-dial', false);
    await figure.locator('.plane').scrollIntoViewIfNeeded();
    const { x, y, unit } = await gripOf(figure, 'q');
    const before = await page.evaluate(() => scrollY);
    await dragFinger(page, [x, y], [x - unit, y - 2 * unit]);
    await settled(figure);
    expect([await coordinate(figure, 'x', 'q').inputValue(), await coordinate(figure, 'y', 'q').inputValue()]).toEqual(['1', '3']);
    expect(await page.evaluate(() => scrollY)).toBe(before);
  });
});

// ------------------------------------------------------------------------------------------------------------- softmax

const scoreField = (figure: Locator, name: string) => figure.getByRole('spinbutton', { name: `score of ${name}`, exact: true });

function tokenRows(figure: Locator) {
  return figure.locator('.dial-row').evaluateAll((rows) =>
    rows.map((row) => ({
      name: row.querySelector<HTMLTextAreaElement>('.dial-name textarea')!.value,
      score: Number(row.querySelector<HTMLInputElement>('.dial-score input')!.value.replace('−', '-')),
      stretched: row.querySelector('.dial-stretched')!.textContent!,
      percent: row.querySelector('.dial-percent')!.textContent!,
      first: row.classList.contains('dial-first'),
      bars: { score: window.barIn(row.querySelector('.dial-drag')), share: window.barIn(row.querySelector('.dial-share')) },
    })),
  );
}

async function expectSoftmax(figure: Locator, scores: number[], stretch: number, tokens: string[]): Promise<void> {
  await settled(figure);
  const truth = await lesson('softmax', { scores, stretch });
  const level = truth.stretched.every((value) => value === truth.stretched[0]);
  const rows = await tokenRows(figure);
  expect(rows.map(({ bars: _, ...words }) => words)).toEqual(
    scores.map((score, at) => ({
      name: tokens[at],
      score,
      stretched: two(truth.stretched[at]!),
      percent: percent(truth.shares[at]!),
      first: !level && at === truth.top_two!.first,
    })),
  );
  expect(await figure.locator('.dial-sum .dial-percent').innerText()).toBe('100\u202F%');

  const [low, , high] = (await figure.locator('.dial-head-scale').first().locator('span').allInnerTexts()).map(readShown);
  expect(low === 0 || low === -high!).toBe(true);
  rows.forEach(({ bars }, at) => {
    expectBar(bars.share, truth.shares[at]!);
    const length = (Math.abs(truth.stretched[at]!) / high!) * (low! < 0 ? 0.5 : 1);
    expectBar(bars.score, length, low! < 0 ? (truth.stretched[at]! < 0 ? 0.5 - length : 0.5) : 0);
  });

  const top = truth.top_two!;
  const title = await titleOf(figure);
  expect(await figure.getByRole('slider', { name: /scores ×/ }).inputValue()).toBe(String(stretch));
  if (level) expect(title).toMatch(/equal/);
  else expect(title).toContain(`“${tokens[top.first]}” gets ${percent(truth.shares[top.first]!)}, `);
  if (!level) expect(title.endsWith(` ${percent(truth.shares.reduce((sum, part, at) => (at === top.first ? sum : sum + part), 0))}`)).toBe(true);
  const ratio = await figure.locator('.dial-ratio').innerText();
  if (top.difference === 0) expect(ratio).toContain('are level');
  else {
    expect(ratio).toContain(`“${tokens[top.first]}” is ${two(top.difference)} ahead of “${tokens[top.second]}”`);
    if (top.ratio !== null) expectPlain(await figure.locator('.dial-ratio b').innerText(), top.ratio);
  }

  const table = await tableOf(figure);
  expect(table.map((row) => row.slice(0, 3))).toEqual(scores.map((score, at) => [tokens[at], two(score), two(truth.stretched[at]!)]));
  table.forEach((row, at) => {
    expectPlain(row[3]!, truth.exps[at]!);
    expectPlain(row[4]!, truth.shares[at]!);
  });
}

describe('softmax', () => {
  const words = ['Cats', 'hunt', 'mice', 'all', 'day', '.', 'At', 'night'];
  const initial = [1, 0.6, 0.3, 0.1, 0];

  it('follows typed scores, steps, and the stretch by keys, mouse and typing', async () => {
    const page = await openChapter();
    const figure = await figureOn(page, 'softmax-dial');
    await expectSoftmax(figure, initial, 1, words);
    await type(scoreField(figure, 'mice'), '-2.35');
    await expectSoftmax(figure, [1, 0.6, -2.35, 0.1, 0], 1, words);
    await figure.getByRole('button', { name: 'More: score of hunt' }).click();
    await expectSoftmax(figure, [1, 0.7, -2.35, 0.1, 0], 1, words);

    const stretch = figure.getByRole('slider', { name: /scores ×/ });
    await stretch.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expectSoftmax(figure, [1, 0.7, -2.35, 0.1, 0], 1.2, words);
    await type(figure.getByRole('spinbutton', { name: /scores ×/ }), '9');
    await expectSoftmax(figure, [1, 0.7, -2.35, 0.1, 0], 9, words);
    const room = (await stretch.boundingBox())!;
    await page.mouse.click(room.x + room.width / 2, room.y + room.height / 2);
    await settled(figure);
    const picked = Number(await stretch.inputValue());
    expect(Math.abs(picked - 15)).toBeLessThan(0.5);
    await expectSoftmax(figure, [1, 0.7, -2.35, 0.1, 0], picked, words);
    await type(figure.getByRole('spinbutton', { name: /scores ×/ }), '0');
    await expectSoftmax(figure, [1, 0.7, -2.35, 0.1, 0], 0, words);
  });

  it('follows a dragged bar, new, removed and renamed tokens, and shows the powers', async () => {
    const page = await openChapter('#softmax-dial&softmax-dial.scores=2,1,-1');
    const figure = await figureOn(page, 'softmax-dial');
    await expectSoftmax(figure, [2, 1, -1], 1, words);
    const drag = figure.getByRole('slider', { name: 'Score of hunt' });
    await drag.scrollIntoViewIfNeeded();
    const room = (await drag.boundingBox())!;
    const [low, high] = [Number(await drag.getAttribute('min')), Number(await drag.getAttribute('max'))];
    const at = (score: number) => room.x + 7 + ((score - low) / (high - low)) * (room.width - 14);
    await page.mouse.move(at(1), room.y + room.height / 2);
    await page.mouse.down();
    await page.mouse.move(at(-4), room.y + room.height / 2, { steps: 4 });
    await page.mouse.move(at(3.5), room.y + room.height / 2, { steps: 4 });
    await page.mouse.up();
    await settled(figure);
    const dragged = Number(await scoreField(figure, 'hunt').inputValue());
    expect(Math.abs(dragged - 3.5)).toBeLessThan(0.15);
    await expectSoftmax(figure, [2, dragged, -1], 1, words);
    await drag.focus();
    await page.keyboard.press('PageDown');
    const moved = Math.round((dragged - 1) * 100) / 100;
    await expectSoftmax(figure, [2, moved, -1], 1, words);

    await figure.getByRole('button', { name: 'add a token' }).click();
    await expectSoftmax(figure, [2, moved, -1, 0], 1, words);
    await figure.getByRole('button', { name: 'Remove Cats' }).click();
    await expectSoftmax(figure, [moved, -1, 0], 1, ['hunt', 'mice', 'all']);
    await figure.getByRole('textbox', { name: 'Name of token mice' }).fill('owls');
    await expectSoftmax(figure, [moved, -1, 0], 1, ['hunt', 'owls', 'all']);

    await figure.getByRole('button', { name: 'show the powers of e' }).click();
    await settled(figure);
    const truth = await lesson('softmax', { scores: [moved, -1, 0], stretch: 1 });
    const powers = await figure.locator('.dial-power').evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('.num')].map((part) => part.textContent!)));
    powers.forEach(([power, division], place) => {
      const [exponent, value] = power!.replace(/,$/, '').split(' = ') as [string, string];
      expect(exponent).toBe(`e${two(truth.stretched[place]!)} − ${minus(two(truth.maximum))}`);
      expectPlain(value, truth.exps[place]!);
      const [above, below, share] = division!.split(/ ÷ | = /) as [string, string, string];
      expect(above).toBe(value);
      expectPlain(below, truth.sum);
      expectPlain(share, truth.shares[place]!);
    });
  });

  it('says the smallest share where rounding hides it', async () => {
    const figure = await figureOn(await openChapter('#softmax-dial&softmax-dial.scores=1,0,-0.5&softmax-dial.stretch=7'), 'softmax-dial');
    await expectSoftmax(figure, [1, 0, -0.5], 7, words);
    const { shares } = await lesson('softmax', { scores: [1, 0, -0.5], stretch: 7 });
    expect(shares[2]).toBeLessThan(0.0005);
    const said = figure.locator('.hint').filter({ hasText: 'has a share' });
    expect(await said.innerText()).toContain('Even “mice”');
    expect(Math.abs(readShown(await said.locator('.num').innerText()) / 100 / shares[2]! - 1)).toBeLessThan(0.05);
    expect(percent(shares[2]!)).not.toBe('0\u202F%');
  });
});
