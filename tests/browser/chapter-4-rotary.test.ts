// rotary-dial in Chromium: what is displayed against the native program, by mouse, keyboard and typing.

import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { useBook } from './book.ts';
import { decimals, expectPlain, lesson, settled, signed, type } from './chapter-2-page.ts';

const openPage = useBook();

/** The figure in the page that a link opens. */
async function openDial(fragment = ''): Promise<Locator> {
  const figure = (await openPage(`04-order.html${fragment}`)).locator('#rotary-dial');
  await figure.scrollIntoViewIfNeeded();
  await settled(figure);
  return figure;
}

const titleOf = async (figure: Locator) => (await figure.locator('.figure-title').innerText()).replaceAll('\u00A0', ' ');
const fine = (value: number) => `${value > 0 ? '+' : ''}${decimals(value, 4)}`;
const whole = (value: number) => String(value).replace(/\B(?=(\d{3})+$)/g, '\u202F');

const lists = { q: [1.4, 0.6, 1, -0.8, 0.5, 1.2, 1.6, 0.2], k: [1.2, -0.4, 0.6, 1, 1.1, 0.7, 0.9, 1.3] };

interface Dial {
  m: number;
  n: number;
  base: number;
  d: number;
}

const truth = ({ m, n, base, d }: Dial, { q, k } = lists) =>
  lesson('rotary', { q: q.slice(0, d), k: k.slice(0, d), m, n, base, bases: [10_000, 500_000], shifts: [1, 10, 100, 1000] });

/** Every number that the dial shows. */
async function expectDial(figure: Locator, state: Dial, of = lists): Promise<void> {
  await settled(figure);
  const { pairs, score, unturned, at_distance: alone, elsewhere, most_apart: apart, compared } = await truth(state, of);
  expect(await figure.locator('.rotary-product').allInnerTexts()).toEqual(pairs.map(({ product }) => signed(product)));
  const turns = await figure.locator('.rotary-turns .num').allInnerTexts();
  turns.forEach((text, at) => expectPlain(text, pairs[at]!.wavelength));
  expect(turns.length).toBe(state.d / 2);
  await expectSum(figure, pairs.map(({ product }) => product), score);
  expect(await titleOf(figure)).toContain(`the score is ${signed(score)}`);
  const rows = await figure.locator('.rotary-elsewhere tbody tr').evaluateAll((found) => found.map((row) => [...row.children].map((cell) => cell.textContent!)));
  expect(rows).toEqual([
    [whole(state.m), whole(state.n), fine(score)],
    ...elsewhere.map((there) => [whole(there.m), whole(there.n), fine(there.score)]),
    [decimals(state.m - state.n, 0).replace(/\B(?=(\d{3})+$)/g, '\u202F'), 'not turned', fine(alone)],
    ['not turned', 'not turned', fine(unturned)],
  ]);
  expect(apart).toBeLessThan(1e-5);
  const hint = await figure.locator('.rotary-elsewhere .hint').innerText();
  if (apart === 0) expect(hint).toMatch(/do not differ/);
  else expectPlain(/differ by (.*) at most/.exec(hint)![1]!, apart);
  const waves = await figure.locator('.rotary-waves tbody tr').evaluateAll((found) => found.map((row) => [...row.children].map((cell) => cell.textContent!)));
  waves.forEach((row, at) => {
    expect(row[0]).toBe(String(at));
    expectPlain(row[1]!, pairs[at]!.theta);
    expectPlain(row[2]!, compared[0]!.wavelengths[at]!);
    expectPlain(row[3]!, compared[1]!.wavelengths[at]!);
    if (![10_000, 500_000].includes(state.base)) expectPlain(row[4]!, pairs[at]!.wavelength);
  });
  expect(waves.length).toBe(state.d / 2);
}

/** A sum written out, to as many decimals as make what is shown add up. */
async function expectSum(figure: Locator, products: number[], score: number): Promise<void> {
  const shown = (await figure.locator('.rotary-sum').innerText()).replace(/\s+/g, ' ');
  const count = /\.(\d+)$/.exec(shown.trim())![1]!.length;
  const units = (value: number) => Math.round(Number(value.toFixed(count)) * 10 ** count);
  expect(products.reduce((sum, product) => sum + units(product), 0), shown).toBe(units(score));
  const withSign = (value: number) => `${units(value) > 0 ? '+' : ''}${decimals(value, count)}`;
  const parts = products.map((product, at) => (at === 0 ? withSign(product) : `${decimals(product, count).startsWith('−') ? '−' : '+'} ${decimals(Math.abs(product), count)}`));
  expect(shown.trim()).toBe(`q · k ${products.length > 1 ? `= ${parts.join(' ')} ` : ''}= ${withSign(score)}`);
}

const dial = (values: Partial<Dial>): Dial => ({ m: 9, n: 4, base: 10_000, d: 8, ...values });

it('shows what the core computes, for many places, bases and sizes', async () => {
  for (const state of [dial({}), dial({ m: 109, n: 104 }), dial({ m: 3, n: 50, base: 500_000 }), dial({ m: 100_000, n: 0, base: 77, d: 6 }), dial({ m: 7, n: 7, d: 2 })]) {
    const figure = await openDial(`#&${Object.entries(state).map(([key, value]) => `rotary-dial.${key}=${value}`).join('&')}`);
    await expectDial(figure, state);
    // The hands end where the turned pairs are, on one scale.
    const { pairs } = await truth(state);
    const longest = Math.max(...pairs.flatMap(({ q_turned: q, k_turned: k }) => [Math.hypot(...q), Math.hypot(...k)]));
    for (const [meaning, key] of [['query', 'q_turned'], ['key', 'k_turned']] as const) {
      const tips = await figure.locator(`.rotary-face .mark-${meaning} polygon`).evaluateAll((found) => found.map((tip) => tip.getAttribute('points')!.split(' ')[0]!.split(',').map(Number)));
      tips.forEach(([x, y], at) => {
        const [tx, ty] = pairs[at]![key];
        expect(Math.abs((x! - 66) / 48 - tx / longest)).toBeLessThan(0.01);
        expect(Math.abs((66 - y!) / 48 - ty / longest)).toBeLessThan(0.01);
      });
      expect(tips.length).toBe(pairs.length);
    }
  }
});

it('keeps its score while both places slide together, and not while one does', async () => {
  const figure = await openDial();
  const score = await figure.locator('.rotary-sum .big-num').innerText();
  const both = figure.getByRole('slider', { name: 'Both together, from place' });
  await both.focus();
  for (let press = 0; press < 3; press++) await figure.page().keyboard.press('ArrowRight');
  await expectDial(figure, dial({ m: 12, n: 7 }));
  expect(await figure.locator('.rotary-sum .big-num').innerText()).toBe(score);
  await figure.page().keyboard.press('End');
  await expectDial(figure, dial({ m: 100, n: 95 }));
  expect(await figure.locator('.rotary-sum .big-num').innerText()).toBe(score);
  await type(figure.getByRole('spinbutton', { name: 'Both together, from place' }), '4321');
  await expectDial(figure, dial({ m: 4326, n: 4321 }));
  expect(await figure.locator('.rotary-sum .big-num').innerText()).toBe(score);

  await type(figure.getByRole('spinbutton', { name: 'Place of the query' }), '20');
  await type(figure.getByRole('spinbutton', { name: 'Place of the key' }), '6');
  await expectDial(figure, dial({ m: 20, n: 6 }));
  await figure.getByRole('slider', { name: 'Place of the query' }).press('ArrowLeft');
  await expectDial(figure, dial({ m: 19, n: 6 }));
  const range = figure.getByRole('slider', { name: 'Place of the key' });
  const box = (await range.boundingBox())!;
  await figure.page().mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await settled(figure);
  const n = Number(await figure.getByRole('spinbutton', { name: 'Place of the key' }).inputValue());
  expect(Math.abs(n - 50)).toBeLessThan(4);
  await expectDial(figure, dial({ m: 19, n }));
});

it('takes another base, size and other numbers, by buttons and typing', async () => {
  const figure = await openDial();
  await figure.getByRole('button', { name: '500\u202F000', exact: true }).click();
  await expectDial(figure, dial({ base: 500_000 }));
  await type(figure.getByRole('spinbutton', { name: 'base' }), '2000');
  await expectDial(figure, dial({ base: 2000 }));
  await figure.getByText('The numbers of query and key').click();
  await figure.getByRole('button', { name: '4', exact: true }).click();
  await type(figure.getByRole('spinbutton', { name: 'Number 1 of the query' }), '-3.5');
  await type(figure.getByRole('spinbutton', { name: 'Number 2 of the key' }), '2');
  await expectDial(figure, dial({ base: 2000, d: 4 }), { q: [1.4, -3.5, 1, -0.8], k: [1.2, -0.4, 2, 1] });
  // What lies below the first place is the first place.
  await type(figure.getByRole('spinbutton', { name: 'Place of the query' }), '-7');
  await expectDial(figure, dial({ m: 0, base: 2000, d: 4 }), { q: [1.4, -3.5, 1, -0.8], k: [1.2, -0.4, 2, 1] });
});
