// The dials of chapter 2, with the native core behind them: what is written and drawn against values worked out here in
// float64, and every state that the chapter's links ask for.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nativeEngine } from '../../web/compiler/engine.ts';
import { faultOf } from '../../web/compiler/links.ts';
import type { FigureDefinition } from '../../web/figures/definition.ts';
import { figure as dotDial } from '../../web/figures/dot-dial.ts';
import { figure as softmaxDial, without } from '../../web/figures/softmax-dial.ts';
import { signed } from '../../web/marks/number.ts';
import { pageSchema } from '../../web/state/page.ts';
import { formatState, initialState, parseState } from '../../web/state/schema.ts';
import { draw } from './draw.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const program = `${root}build/native/lookback`;
const chapter = readFileSync(`${root}chapters/02-searching.md`, 'utf8');
const signal = new AbortController().signal;
/** Each run starts the native program. */
const numRuns = 60;

/** Everything a figure shows in a state: its picture as markup and as text, its words, its table. */
async function show<S, R>(figure: FigureDefinition<S, R>, patch: Partial<S>) {
  const state = { ...initialState(figure.schema), ...patch };
  const result = await figure.compute(nativeEngine(program), state, signal, () => {});
  const context = { id: 'f', state, result, set: () => {}, page: initialState(pageSchema) };
  const markup = await draw(figure.view(context));
  expect(markup).not.toMatch(/<[^>]*\sstyle\s*=|<script|undefined|\[object|NaN|Infinity/);
  const text = markup.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  return { state, result, markup, text, title: figure.title(state, result).replaceAll('\u00A0', ' '), describe: figure.describe(state, result), table: figure.table(state, result) };
}

/** Attributes of the first element with a class, as numbers. */
function placed(markup: string, className: string): Record<string, number> {
  const tag = new RegExp(`<\\w+[^>]*class="(?:[^"]* )?${className}(?: [^"]*)?"[^>]*>`).exec(markup)?.[0] ?? '';
  return Object.fromEntries([...tag.matchAll(/ (\w+)="(-?[\d.]+)%?"/g)].map((match) => [match[1], Number(match[2])]));
}

describe('links of the chapter', () => {
  const figures = { 'dot-dial': dotDial, 'softmax-dial': softmaxDial };
  const links = [...chapter.matchAll(/\(figure:(dot-dial|softmax-dial)\?([^)]*)\)/g)];

  it('ask for states that the dials have', () => {
    expect(links.length).toBeGreaterThan(8);
    for (const [link, name, query] of links) {
      for (const [key, value] of new URLSearchParams(query)) expect(faultOf(figures[name as keyof typeof figures].schema, key, value), link).toBeNull();
    }
  });
});

describe('states', () => {
  it('of the softmax dial survive the way through a link', () => {
    const { schema } = softmaxDial;
    const states = fc.record({
      scores: fc.array(fc.integer({ min: -1000, max: 1000 }).map((hundredths) => hundredths / 100), { minLength: 2, maxLength: 8 }),
      names: fc.array(fc.string({ unit: 'grapheme', maxLength: 6 }), { maxLength: 8 }),
      stretch: fc.integer({ min: 0, max: 300 }).map((tenths) => tenths / 10),
      powers: fc.boolean(),
      scale: fc.nat(12),
    });
    fc.assert(
      fc.property(states, (state) => {
        const clamped = Object.fromEntries(Object.entries(schema).map(([key, field]) => [key, field.clamp(state[key as keyof typeof state] as never)]));
        expect(parseState(schema, formatState(schema, clamped as never))).toEqual(clamped);
      }),
    );
  });

  it('never hold fewer than two or more than eight tokens', () => {
    const field = softmaxDial.schema.scores;
    expect(field.parse('')).toHaveLength(2);
    expect(field.parse('1')).toHaveLength(2);
    expect(field.parse('1,2,3,4,5,6,7,8,9')).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(field.parse('99,-99,NaN')).toEqual([10, -10, 0.3]);
  });

  it('lose a token and keep its name for the next one', () => {
    const state = { ...initialState(softmaxDial.schema), names: ['a', 'b'] };
    expect(without(state, 1)).toEqual({ scores: [1, 0.3, 0.1, 0], names: ['a', 'mice', 'all', 'day', '.', 'At', 'night', 'b'] });
  });
});

describe.skipIf(!existsSync(program))('the dot dial', () => {
  it('works the product out twice, as the chapter does', async () => {
    const { title, text, describe: said, table } = await show(dotDial, {});
    expect(title).toBe('q and k lean the same way, so q · k is above zero: +4.00');
    expect(text).toContain('2.0 × 1.0 + 1.0 × 2.0 = 2.00 + 2.00 = +4.00');
    expect(text).toContain('2.236 × 2.236 × cos 36.9° = 2.236 × 2.236 × 0.800 = +4.00');
    expect(said).toContain('makes +4.00');
    expect(table.rows[2]).toEqual(['products added up', null, null, 4]);
    expect(table.rows[0]).toEqual(['x', 2, 1, 2]);
  });

  it('tells the signs apart', async () => {
    expect((await show(dotDial, { kx: -1 })).title).toBe('q and k stand at a right angle, so q · k is 0');
    expect((await show(dotDial, { kx: -2, ky: -1 })).title).toBe('q and k point in opposite directions, so q · k is below zero: −5.00');
    expect((await show(dotDial, { kx: 4, ky: 2 })).title).toBe('q and k point the same way, so q · k is above zero: +10.00');
    const apart = await show(dotDial, { kx: -3 });
    expect(apart.title).toBe('q and k point apart, so q · k is below zero: −4.00');
    expect(apart.text).toContain('2.0 × (−3.0) + 1.0 × 2.0 = −6.00 + 2.00 = −4.00');
    expect(apart.markup).toContain('big-num dial-number dial-slate');
    expect(apart.markup).toContain('dial-shadow dial-slate');
  });

  it('has words for an arrow without length', async () => {
    const none = await show(dotDial, { qx: 0, qy: 0 });
    expect(none.title).toBe('q has no length, so q · k is 0');
    expect(none.text).toContain('there is no angle');
    expect(none.text).not.toContain('°');
    expect(none.describe).toContain('no angle');
    expect((await show(dotDial, { kx: 0, ky: 0 })).title).toBe('k has no length, so q · k is 0');
    expect((await show(dotDial, { qx: 0, qy: 0, kx: 0, ky: 0 })).title).toBe('Neither arrow has a length, so q · k is 0');
  });

  it('shows and draws what float64 gives, for any arrows', async () => {
    const coordinate = fc.integer({ min: -40, max: 40 }).map((tenths) => tenths / 10);
    const scale = (320 - 2 * 14) / 9;
    await fc.assert(
      fc.asyncProperty(fc.tuple(coordinate, coordinate, coordinate, coordinate), async ([qx, qy, kx, ky]) => {
        const { text, markup, title } = await show(dotDial, { qx, qy, kx, ky });
        // In tenths, so that the expected sign is exact.
        const hundredths = Math.round(qx * 10) * Math.round(kx * 10) + Math.round(qy * 10) * Math.round(ky * 10);
        const product = signed(hundredths / 100);
        expect(text.split(product).length - 1).toBeGreaterThanOrEqual(3);
        expect(title).toContain(hundredths === 0 ? 'q · k is 0' : product);
        const bar = placed(markup.slice(markup.indexOf('dial-signed')), hundredths < 0 ? 'bar-slate' : 'bar-score');
        const most = Math.abs(hundredths) > 1000 ? 40 : 10;
        expect(bar['width']).toBeCloseTo((Math.abs(hundredths) / 100 / most) * 50, 1);
        expect(text).toContain(`−${most} 0 +${most}`);
        if (Math.hypot(qx, qy) === 0 || Math.hypot(kx, ky) === 0) return;
        const part = hundredths / 100 / (qx * qx + qy * qy);
        const drop = placed(markup, 'dial-drop');
        expect(drop['x1']).toBeCloseTo(160 + kx * scale, 0);
        expect(drop['y1']).toBeCloseTo(160 - ky * scale, 0);
        expect(Math.abs(drop['x2']! - (160 + part * qx * scale))).toBeLessThan(0.11);
        expect(Math.abs(drop['y2']! - (160 - part * qy * scale))).toBeLessThan(0.11);
        const arc = /class="dial-arc" d="M ([-\d.]+) ([-\d.]+) (?:A.*? |L .*? L )([-\d.]+) ([-\d.]+)"/.exec(markup);
        const parallel = Math.abs(qx * ky - qy * kx) < 1e-9 && hundredths > 0;
        expect(arc === null).toBe(parallel);
        if (arc === null) return;
        const direction = (x: string, y: string) => Math.atan2(160 - Number(y), Number(x) - 160);
        expect(Math.cos(direction(arc[1]!, arc[2]!) - Math.atan2(qy, qx))).toBeGreaterThan(0.999);
        expect(Math.cos(direction(arc[3]!, arc[4]!) - Math.atan2(ky, kx))).toBeGreaterThan(0.999);
        // The arc goes the short way: over the side on which k stands, seen from q. A full turn back is either.
        const sweep = /A [\d.]+ [\d.]+ 0 0 ([01])/.exec(markup)?.[1];
        const side = qx * ky - qy * kx;
        if (sweep !== undefined && Math.abs(side) > 1e-9) expect(sweep).toBe(side > 0 ? '0' : '1');
      }),
      { numRuns },
    );
  });
});

describe.skipIf(!existsSync(program))('the softmax dial', () => {
  const percentsOf = (markup: string) => [...markup.matchAll(/class="dial-percent">\s*((?:&lt;)?[\d.\u202F]+)\u202F%/g)].map((match) => match[1]!.replace('&lt;', '<').replace('\u202F', ''));

  it('shows nearly flat shares at first, and one that takes all when stretched', async () => {
    const flat = await show(softmaxDial, {});
    expect(percentsOf(flat.markup)).toEqual(['34', '23', '17', '14', '13', '100']);
    expect(flat.title).toBe('“Cats” gets 34\u202F%, the other four 66\u202F%');
    const sharp = await show(softmaxDial, { stretch: 9 });
    expect(percentsOf(sharp.markup)).toEqual(['97', '3', '0.2', '<0.1', '<0.1', '100']);
    expect(sharp.title).toBe('Stretched 9-fold, “Cats” gets 97\u202F%, the other four 3\u202F%');
    expect(sharp.text).toContain('“Cats” is 3.60 ahead of “hunt”, so its share is e 3.60 = 36.6 times as large.');
    expect(sharp.text).toMatch(/Even “day” has a share: 0\.012 %/);
  });

  it('says what is level, and what is beyond a float', async () => {
    expect((await show(softmaxDial, { stretch: 0 })).title).toBe('Stretched 0-fold, all scores are equal, and so are the shares');
    expect((await show(softmaxDial, { scores: [2, 2] })).title).toBe('Equal scores get equal shares');
    expect((await show(softmaxDial, { scores: [2, 2, 1] })).text).toContain('“Cats” and “hunt” are level');
    const far = await show(softmaxDial, { scores: [10, -10], stretch: 30 });
    expect(far.text).toContain('beyond what the machine’s floats hold');
    expect(far.text).toContain('too small for the machine’s floats');
    expect(percentsOf(far.markup)).toEqual(['100', '0', '100']);
  });

  it('shows and draws what float64 gives, for any scores', async () => {
    const hundredths = (from: number, to: number) => fc.integer({ min: from, max: to }).map((value) => value / 100);
    const states = fc.record({ scores: fc.array(fc.oneof(hundredths(0, 100), hundredths(-1000, 1000)), { minLength: 2, maxLength: 8 }), stretch: fc.integer({ min: 0, max: 120 }).map((tenths) => tenths / 10) });
    await fc.assert(
      fc.asyncProperty(states, async ({ scores, stretch }) => {
        const { markup, text, table } = await show(softmaxDial, { scores, stretch, powers: true });
        const stretched = scores.map((value) => value * stretch);
        const top = Math.max(...stretched);
        const powers = stretched.map((value) => Math.exp(value - top));
        const sum = powers.reduce((total, power) => total + power, 0);
        const rows = markup.split('<li ').slice(1);
        expect(rows).toHaveLength(scores.length);
        const [low, high] = [...markup.matchAll(/class="dial-head-scale"><span>([−\d]+)<\/span><span>score[^<]*<\/span><span>(\d+)</g)].map((match) => [Number(match[1]!.replace('−', '-')), Number(match[2])])[0]!;
        expect(high!).toBeGreaterThanOrEqual(Math.max(...stretched.map(Math.abs)) - 1e-3);
        expect(low).toBe(stretched.some((value) => value < 0) ? -high! : 0);
        rows.forEach((row, at) => {
          const drawn = placed(row, stretched[at]! < 0 ? 'bar-slate' : 'bar-score');
          const end = drawn['x']! + (stretched[at]! < 0 ? 0 : drawn['width']!);
          expect(Math.abs(end - ((stretched[at]! - low!) / (high! - low!)) * 100)).toBeLessThan(0.01);
          expect(placed(row, 'bar-share')['width']).toBeCloseTo((powers[at]! / sum) * 100, 1);
          const shown = Number(/class="dial-stretched">([^<]*)</.exec(row)![1]!.replace('−', '-').replace('\u202F', ''));
          expect(Math.abs(shown - stretched[at]!)).toBeLessThan(0.0051);
          const [part, percents] = [(powers[at]! / sum) * 100, percentsOf(row)[0]!];
          if (percents === '<0.1') expect(part).toBeLessThan(0.0501);
          else expect(Math.abs(Number(percents) - part)).toBeLessThan(part < 0.949 ? 0.0501 : 0.501);
          expect(table.rows[at]![4]).toBeCloseTo(powers[at]! / sum, 5);
        });
        expect(percentsOf(markup).at(-1)).toBe('100');
        const [first, second] = [...stretched].sort((a, b) => b - a) as [number, number];
        if (first === second) expect(text).toContain('are level');
        else expect(Math.abs(Number(/ is ([\d.]+) ahead of /.exec(text)?.[1]) - (first - second))).toBeLessThan(0.0051);
        const ratio = /e \S+ = ([\d.]+)(?:\u202F×\u202F10\S+)? times as large/.exec(text)?.[1];
        if (ratio !== undefined && Math.exp(first - second) < 1000) expect(Math.abs(Number(ratio) / Math.exp(first - second) - 1)).toBeLessThan(1e-3);
      }),
      { numRuns },
    );
  });

  it('holds the scale that a drag began with', async () => {
    expect((await show(softmaxDial, { scale: 2 })).markup).toMatch(/dial-head-scale"><span>−10<[^]*<span>10</);
    expect((await show(softmaxDial, { scale: 5 })).markup).toMatch(/dial-head-scale"><span>0<[^]*<span>50</);
  });
});
