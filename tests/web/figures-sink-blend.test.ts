// The sink and the map of blends, with the native core behind them: what is written and drawn against values worked out
// here in float64, the states that the chapter's links ask for, and percentages that always add up.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nativeEngine } from '../../web/compiler/engine.ts';
import { faultOf } from '../../web/compiler/links.ts';
import { placeLabels } from '../../web/figures/blend-labels.ts';
import { figure as blendMap } from '../../web/figures/blend-map.ts';
import { apportion, sharesFor, withShare, type Place } from '../../web/figures/blend-shares.ts';
import type { FigureDefinition } from '../../web/figures/definition.ts';
import { figure as sinkDemo } from '../../web/figures/sink-demo.ts';
import { score, share } from '../../web/marks/number.ts';
import { pageSchema } from '../../web/state/page.ts';
import { clampState, formatState, initialState, parseState } from '../../web/state/schema.ts';
import { draw, lettersOf } from './draw.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const program = `${root}build/native/lookback`;
const native = existsSync(program);
const chapter = readFileSync(`${root}chapters/02-searching.md`, 'utf8');
const engine = nativeEngine(program);
const signal = new AbortController().signal;
/** Each run starts the native program. */
const numRuns = 40;

async function show<S, R>(figure: FigureDefinition<S, R>, patch: Partial<S>) {
  const state = clampState(figure.schema, { ...initialState(figure.schema), ...patch });
  const result = await figure.compute(engine, state, signal, () => {});
  const patches: Partial<S>[] = [];
  const context = { id: 'f', state, result, set: (change: Partial<S>) => void patches.push(change), page: initialState(pageSchema) };
  const markup = await draw(figure.view(context));
  expect(markup).not.toMatch(/<[^>]*\sstyle\s*=|<script|undefined|\[object|NaN|Infinity/);
  const text = lettersOf(markup.replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' ');
  return { state, result, markup, text, title: figure.title(state, result), said: figure.describe(state, result), table: figure.table(state, result) };
}

/** Attributes of every element with a class, in order; percentages as numbers. */
function placed(markup: string, className: string): Record<string, number>[] {
  const tags = markup.match(new RegExp(`<\\w+[^>]*class="(?:[^"]* )?${className}(?: [^"]*)?"[^>]*>`, 'g')) ?? [];
  return tags.map((tag) => Object.fromEntries([...tag.matchAll(/ ([\w-]+)="(-?[\d.]+)%?"/g)].map((match) => [match[1], Number(match[2])])));
}

function softmax(scores: readonly number[]): number[] {
  const exps = scores.map((value) => Math.exp(value - Math.max(...scores)));
  const sum = exps.reduce((all, value) => all + value, 0);
  return exps.map((value) => value / sum);
}

const bits = (shares: readonly number[]) => shares.reduce((all, value) => all - (value > 0 ? value * Math.log2(value) : 0), 0);
const total = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

// --------------------------------------------------------------------------------------------------------------- links

describe('links of the chapter', () => {
  const figures: Record<string, FigureDefinition<any, any>> = { 'sink-demo': sinkDemo, 'blend-map': blendMap };
  const links = [...chapter.matchAll(/\(figure:(sink-demo|blend-map)\?([^)]*)\)/g)];

  it('ask for states that the figures have', () => {
    expect(links.length).toBeGreaterThan(8);
    for (const [link, name, query] of links) {
      for (const [key, value] of new URLSearchParams(query)) expect(faultOf(figures[name!]!.schema, key, value), link).toBeNull();
    }
  });

  it('carry every state there and back', () => {
    const sinks = fc.record({ query: fc.constantFrom('match', 'nothing', 'own'), phrase: fc.string({ unit: 'grapheme', maxLength: 30 }), sink: fc.constantFrom('off', 'on', 'both'), score: fc.double(), stretch: fc.double() });
    const blends = fc.record({ values: fc.array(fc.string({ maxLength: 8 }), { maxLength: 8 }), shares: fc.array(fc.double(), { maxLength: 8 }) });
    for (const [{ schema }, states] of [[sinkDemo, sinks], [blendMap, blends]] as [FigureDefinition<any, any>, fc.Arbitrary<any>][]) {
      fc.assert(
        fc.property(states, (wild) => {
          const state = clampState<any>(schema, wild);
          expect(parseState(schema, formatState(schema, state))).toEqual(state);
        }),
      );
    }
  });
});

// ---------------------------------------------------------------------------------------------------------------- sink

describe.skipIf(!native)('the sink', () => {
  it('starts from the world of the core, in which its example queries are what they are said to be', async () => {
    const { sink, sink_queries: queries } = await engine.lesson('worlds', {});
    const { score: sinkScore, stretch } = initialState(sinkDemo.schema);
    expect([stretch, sinkScore]).toEqual([sink.stretch, sink.sink_score]);
    for (const { query, matches } of queries) {
      const { result } = await show(sinkDemo, { query: 'own', phrase: query });
      const best = Math.max(...result.found.with_sink.shares);
      expect(best > result.found.with_sink.sink_share, query).toBe(matches);
    }
    expect((await show(sinkDemo, { query: 'match' })).result.found.query.phrase).toBe(queries.find(({ matches }) => matches)!.query);
    expect((await show(sinkDemo, {})).result.found.query.phrase).toBe(queries.find(({ matches }) => !matches)!.query);
  });

  it('takes the shares of a query that nothing matches, and says so', async () => {
    const { result, title, said, text, markup, table } = await show(sinkDemo, {});
    const scores = result.found.tokens.map((token) => token.score * 9);
    const [alone, joined] = [softmax(scores), softmax([...scores, 4])];
    const held = joined.at(-1)!;
    expect(held).toBeGreaterThan(0.5);
    const spread = `about ${Math.round(2 ** bits(alone))} tokens`;
    expect(title).toBe(`Without a sink “${result.found.query.phrase}” spreads over ${spread}; with one, the sink takes ${share(held)}`);
    expect(said).toContain(`the sink takes ${share(held)}`);
    expect(said).toContain(`over ${spread}.`);
    expect(text).toContain(`${spread} entropy ${score(bits(alone))} bits`);
    expect(text).toContain(`entropy ${score(bits(joined))} bits`);
    // Bars: every token has a score and two shares, the sink a score and one.
    const shares = placed(markup, 'bar-share').map(({ width }) => width!);
    expect(shares).toHaveLength(2 * scores.length);
    scores.forEach((_, at) => {
      expect(shares[2 * at]).toBeCloseTo(alone[at]! * 100, 1);
      expect(shares[2 * at + 1]).toBeCloseTo(joined[at]! * 100, 1);
    });
    expect(placed(markup, 'bar-sink').map(({ width }) => width)).toEqual([expect.closeTo((4 / 9) * 100, 1), expect.closeTo(held * 100, 1)]);
    expect(new Set(placed(markup, 'sink-mark').map(({ x1 }) => x1))).toEqual(new Set([44.44]));
    expect(markup.match(/token-sink/g)).toHaveLength(1);
    const row = table.rows.find(([name]) => name === 'sink')!;
    expect(row[3]).toBe(4);
    expect(row[5]).toBeCloseTo(held, 6);
    expect(total(table.rows.filter((cells) => typeof cells[5] === 'number').map((cells) => cells[5] as number))).toBeCloseTo(1, 5);
    expect(total(table.rows.filter((cells) => typeof cells[4] === 'number').map((cells) => cells[4] as number))).toBeCloseTo(1, 5);
  });

  it('lets a true match win', async () => {
    const { result, title, markup } = await show(sinkDemo, { query: 'match' });
    const scores = result.found.tokens.map((token) => token.score * 9);
    const best = scores.indexOf(Math.max(...scores));
    const name = result.found.tokens[best]!.text.trim();
    expect(title).toBe(`“${result.found.query.phrase}” finds “${name}” with or without a sink: ${share(softmax([...scores, 4])[best]!)} beside it, ${share(softmax(scores)[best]!)} alone`);
    expect(lettersOf(/token-lit">[^]*?<\/span><\/span>/.exec(markup)![0].replace('token-lit">', ''))).toContain(name);
    const { title: swallowed } = await show(sinkDemo, { query: 'match', score: 12, sink: 'on' });
    expect(swallowed).toBe(`No token answers “${result.found.query.phrase}” as well as the sink, which takes ${share(softmax([...scores, 12]).at(-1)!)}`);
  });

  it('is not on the picture when it is switched off', async () => {
    const off = await show(sinkDemo, { sink: 'off' });
    expect(off.markup).not.toMatch(/token-sink|bar-sink|sink-mark|f-score/);
    expect(off.text).not.toContain('with a sink');
    expect(off.title).toMatch(/^“.*” spreads its shares over about \d+ tokens$/);
    expect(off.said).not.toContain('the sink takes');
    const on = await show(sinkDemo, { sink: 'on' });
    expect(on.text).not.toContain('without a sink');
    expect(placed(on.markup, 'bar-share')).toHaveLength(on.result.found.tokens.length);
  });

  it('gives equal scores equal shares, in numbers too, and an empty query an even split', async () => {
    const { result, markup, title } = await show(sinkDemo, { query: 'own', phrase: '', sink: 'off' });
    const count = result.found.tokens.length;
    expect(title).toBe(`An empty query spreads its shares over about ${count} tokens`);
    expect(lettersOf(markup).split(share(1 / count)).length - 1).toBe(count);
  });

  it('names words that the world lacks', async () => {
    expect((await show(sinkDemo, { query: 'own', phrase: 'a zorblax' })).text).toContain('This small world does not know “zorblax”. Such words add nothing.');
  });

  it('draws any state', async () => {
    const states = fc.record({
      query: fc.constant('own' as const),
      phrase: fc.oneof(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.constantFrom('a law signed by the king', '<b>', 'key key key')),
      sink: fc.constantFrom('off' as const, 'on' as const, 'both' as const),
      score: fc.integer({ min: 0, max: 120 }).map((tenths) => tenths / 10),
      stretch: fc.integer({ min: 0, max: 200 }).map((tenths) => tenths / 10),
    });
    await fc.assert(
      fc.asyncProperty(states, async (wanted) => {
        const { markup, state } = await show(sinkDemo, wanted);
        for (const { width } of [...placed(markup, 'bar-share'), ...placed(markup, 'bar-score')]) expect(width! >= 0 && width! <= 100, JSON.stringify(state)).toBe(true);
      }),
      { numRuns },
    );
  });
});

// --------------------------------------------------------------------------------------------------------------- blend

describe.skipIf(!native)('the map of blends', () => {
  it('lands the blend of river and bank nearest riverside', async () => {
    const { result, title, said, text, markup } = await show(blendMap, {});
    const place = (name: string) => result.found.meanings.find((meaning) => meaning.name === name)!;
    const middle = { x: (place('river').x + place('bank').x) / 2, y: (place('river').y + place('bank').y) / 2 };
    const away = Math.hypot(middle.x - place('riverside').x, middle.y - place('riverside').y);
    expect(title).toBe('The blend of river and bank lands nearest riverside');
    expect(said).toContain(`It lies at x ${score(middle.x)}, y ${score(middle.y)}. Nearest on the map: riverside at ${score(away)}`);
    expect(text).toContain('The places on this map are invented.');
    expect(text).toMatch(/50.% of river \(1, 8\) \+ 50.% of bank \(5, 8\) = blend \(3, 8\)/);
    // On the picture the blend lies halfway between its two sources, and spokes run to both.
    const [grip] = placed(markup, 'blend-grip');
    const spokes = placed(markup, 'blend-spoke');
    expect(spokes).toHaveLength(2);
    expect(grip!.cx).toBeCloseTo((spokes[0]!.x1! + spokes[1]!.x1!) / 2, 1);
    expect(spokes[0]!['stroke-width']).toBe(3.5);
    expect([...markup.matchAll(/<option value="([^"]*)"\s+selected/g)].map((match) => match[1])).toEqual(['river', 'bank', 'sky']);
  });

  it('sits on a value that has everything', async () => {
    const { title, markup, table } = await show(blendMap, { shares: [100, 0, 0] });
    expect(title).toBe('All to river: the blend is river itself');
    expect(placed(markup, 'blend-spoke')).toHaveLength(1);
    expect(table.rows.find(([name]) => name === 'the blend')).toEqual(['the blend', 1, 8, null, 1, 8, 0]);
    expect(table.rows.find(([name]) => name === 'bank')!.slice(3, 6)).toEqual([0, 0, 0]);
  });

  it('agrees with a mean in float64 for any shares, on the picture as in the table', async () => {
    const { blend } = await engine.lesson('worlds', {});
    const names = blend.meanings.map(({ name }) => name);
    const states = fc.record({ values: fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 6 }), shares: fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 6, maxLength: 6 }) });
    await fc.assert(
      fc.asyncProperty(states, async ({ values, shares }) => {
        const { table, result, markup } = await show(blendMap, { values, shares });
        const used = shares.slice(0, values.length);
        const weights = total(used) > 0 ? used.map((weight) => weight / total(used)) : used.map(() => 1 / used.length);
        const points = values.map((name) => blend.meanings.find((meaning) => meaning.name === name)!);
        const [x, y] = [total(points.map((point, at) => point.x * weights[at]!)), total(points.map((point, at) => point.y * weights[at]!))];
        const row = table.rows.find(([name]) => name === 'the blend')!;
        expect(row[1]).toBeCloseTo(x, 4);
        expect(row[2]).toBeCloseTo(y, 4);
        const nearest = Math.min(...blend.meanings.map((meaning) => Math.hypot(meaning.x - x, meaning.y - y)));
        expect(result.found.distances[0]!.distance).toBeCloseTo(nearest, 4);
        expect(total(result.found.values.map(({ percent }) => percent))).toBe(100);
        const [grip] = placed(markup, 'blend-grip');
        expect(grip!.cx! > 0 && grip!.cx! < 100 && grip!.cy! > 0 && grip!.cy! < 100).toBe(true);
        // One scale in both directions: the ground is 1.2 times as wide as high.
        const [[ax, ay], [bx, by]] = [points[0]!, { x, y }].map((point) => [point.x, point.y] as const) as [Place, Place];
        const spoke = placed(markup, 'blend-spoke').find(({ x1, y1 }) => x1 !== grip!.cx || y1 !== grip!.cy);
        if (weights[0]! > 0 && Math.hypot(ax - bx, ay - by) > 0.5 && spoke) {
          const [dx, dy] = [spoke.x2! - spoke.x1!, (spoke.y2! - spoke.y1!) / 1.2];
          expect(dx * (by - ay) + dy * (bx - ax)).toBeCloseTo(0, 0);
        }
      }),
      { numRuns },
    );
  });

  it('leaves out names that are not on the map', async () => {
    expect((await show(blendMap, { values: ['nowhere', 'dog', 'sleep'], shares: [50, 50] })).title).toBe('The blend of dog and sleep lands nearest sleepy dog');
    const empty = await show(blendMap, { values: ['nowhere'], shares: [0, 0] });
    expect(empty.result.found.values.map(({ percent }) => percent)).toEqual([50, 50]);
  });
});

// -------------------------------------------------------------------------------------------------------- percentages

const percentages = fc.array(fc.nat(100), { minLength: 1, maxLength: 6 }).map((weights) => apportion(weights, 100));

describe('percentages under the hand', () => {
  it('always add up to 100, whatever one of them does', () => {
    fc.assert(
      fc.property(percentages, fc.nat(5), fc.nat(100), (percents, at, value) => {
        const place = at % percents.length;
        const next = withShare(percents, place, value);
        expect(total(next)).toBe(100);
        expect(next.every((percent) => Number.isInteger(percent) && percent >= 0)).toBe(true);
        expect(next[place]).toBe(percents.length === 1 ? 100 : value);
      }),
    );
  });

  it('keep the proportions of the others, and wake those that had nothing only when they must', () => {
    expect(withShare([50, 50, 0], 0, 20)).toEqual([20, 80, 0]);
    expect(withShare([40, 40, 20], 0, 70)).toEqual([70, 20, 10]);
    expect(withShare([100, 0, 0], 0, 90)).toEqual([90, 5, 5]);
    expect(apportion([1, 1, 1], 100)).toEqual([34, 33, 33]);
    expect(apportion([0, 0], 100)).toEqual([50, 50]);
  });

  it('follow a dragged blend as far as the values reach', () => {
    const corners: Place[] = [[0, 0], [8, 0], [0, 8]];
    expect(sharesFor(corners, [34, 33, 33], [4, 0])).toEqual([50, 50, 0]);
    expect(sharesFor(corners, [34, 33, 33], [2, 4])).toEqual([25, 25, 50]);
    expect(sharesFor(corners, [34, 33, 33], [9, 9])).toEqual([0, 50, 50]);
    expect(sharesFor(corners, [34, 33, 33], [-5, -5])).toEqual([100, 0, 0]);
    expect(sharesFor([[1, 1]], [100], [5, 5])).toEqual([100]);
    const coordinate = fc.integer({ min: 0, max: 90 }).map((tenths) => tenths / 10);
    const points = fc.array(fc.tuple(coordinate, coordinate), { minLength: 1, maxLength: 6 });
    const blendOf = (all: readonly Place[], percents: readonly number[]): Place => [total(all.map(([x], at) => (x * percents[at]!) / 100)), total(all.map(([, y], at) => (y * percents[at]!) / 100))];
    fc.assert(
      fc.property(points, fc.array(fc.nat(100), { minLength: 6, maxLength: 6 }), (all, weights) => {
        // A target that the values reach is met, up to the rounding of whole percentages.
        const goal = blendOf(all, apportion(weights.slice(0, all.length), 100));
        const found = blendOf(all, sharesFor(all, apportion(all.map(() => 1), 100), goal));
        expect(Math.hypot(found[0] - goal[0], found[1] - goal[1])).toBeLessThan(0.3);
      }),
    );
  });
});

describe('names on the map', () => {
  it('move to the other side of their point when they would lie on another', () => {
    const beside = [{ at: [50, 50] as Place, text: 'bank counter', size: 3 }, { at: [60, 50] as Place, text: 'money', size: 3 }];
    const [first, second] = placeLabels(beside, 1.2);
    expect(first).toBeLessThan(0);
    expect(second).toBeGreaterThan(0);
    expect(placeLabels([beside[0]!, { ...beside[1]!, at: [95, 50] }], 1.2).every((shift) => shift < 0)).toBe(true);
  });
});
