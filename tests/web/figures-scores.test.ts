// why-sqrt and softmax-ratio with the native core behind them: what is written and drawn, under the right name, for several
// states, against values worked out here in float64.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nativeEngine } from '../../web/compiler/engine.ts';
import { faultOf } from '../../web/compiler/links.ts';
import { displayTable, type FigureDefinition } from '../../web/figures/definition.ts';
import { figure as ratio } from '../../web/figures/softmax-ratio.ts';
import { figure as sqrt } from '../../web/figures/why-sqrt.ts';
import { score, share } from '../../web/marks/number.ts';
import { pageSchema } from '../../web/state/page.ts';
import { formatState, initialState, parseState } from '../../web/state/schema.ts';
import { draw } from './draw.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const program = process.env['LOOKBACK_NATIVE'] ?? `${root}build/native/lookback`;
const chapter = readFileSync(`${root}chapters/03-one-head.md`, 'utf8');
const signal = new AbortController().signal;
const native = nativeEngine(program);
const figures: Record<string, FigureDefinition<any, any>> = { 'why-sqrt': sqrt, 'softmax-ratio': ratio };

const plainText = (text: string) => text.replace(/<[^>]*>/g, ' ').replaceAll('&lt;', '<').replace(/\s+/g, ' ').replace(/ (?=[.,])/g, '').trim();

async function show<S, R>(figure: FigureDefinition<S, R>, patch: Partial<S>) {
  const state = { ...initialState(figure.schema), ...patch };
  const result = await figure.compute(native, state, signal, () => {});
  const markup = await draw(figure.view({ id: 'f', state, result, set: () => {}, page: initialState(pageSchema) }));
  expect(markup).not.toMatch(/<[^>]*\sstyle\s*=|<script|undefined|\[object|NaN|Infinity/);
  return { result, markup, text: plainText(markup), title: plainText(figure.title(state, result)), says: plainText(figure.describe(state, result)), table: displayTable(figure.table(state, result)).rows };
}

/** The widths of drawn parts, in percent. */
const widths = (markup: string, className: string) => [...markup.matchAll(new RegExp(`<rect class="${className}" x="[\\d.]+%" width="([\\d.]+)%"`, 'g'))].map(([, width]) => Number(width));

describe('links of the chapter', () => {
  const links = [...chapter.matchAll(/\(figure:(why-sqrt|softmax-ratio)\?([^)]*)\)/g)];

  it('ask for states that the figures have', () => {
    expect(links.length).toBeGreaterThan(5);
    for (const [link, name, query] of links) {
      for (const [key, value] of new URLSearchParams(query)) expect(faultOf(figures[name!]!.schema as never, key, value), link).toBeNull();
    }
  });

  it('survive the way through a link, whatever they hold', () => {
    for (const figure of Object.values(figures)) {
      const anything = fc.record(Object.fromEntries(Object.keys(figure.schema).map((key) => [key, fc.oneof(fc.string(), fc.double().map(String), fc.constantFrom('NaN', '1,2,x', ',,,', '1e99', ''))])));
      fc.assert(
        fc.property(anything, (values) => {
          const state = parseState(figure.schema, new Map(Object.entries(values) as [string, string][]));
          expect(parseState(figure.schema, formatState(figure.schema, state))).toEqual(state);
        }),
      );
    }
  });
});

describe.skipIf(!existsSync(program))('why-sqrt', () => {
  it('shows the spread and the shares that the core gives, before and after the division', async () => {
    for (const d of [1, 16, 64, 100, 256]) {
      const truth = await native.lesson('spread', { d, seed: 1 });
      for (const scores of ['raw', 'divided'] as const) {
        const { text, title, markup } = await show(sqrt, { d, scores });
        const { spread, top_share: top, row, shares, counts } = truth[scores];
        expect(title).toContain(`spread about ${spread.toFixed(1)} around zero`);
        expect(title).toContain(`the best of 8 keys gets ${plainText(share(top))} on average`);
        expect(text).toContain(`spread ${spread.toFixed(2)} to either side`);
        row.forEach((value, at) => expect(text).toContain(plainText(`${score(value)} ${share(shares[at]!)}`)));
        // A bar for every stretch of the scale that holds scores, as high as their number says.
        const bars = [...markup.matchAll(/<rect class="bar-(?:slate|score)" x="([\d.]+)%" y="[\d.]+" width="[\d.]+%" height="([\d.]+)"/g)].map(([, x, height]) => [Number(x), Number(height)] as const);
        const filled = counts.flatMap((count, at) => (count > 0 ? [[at, count] as const] : []));
        expect(bars.map(([x]) => x)).toEqual(filled.map(([at]) => at));
        const tallest = Math.max(...counts);
        bars.forEach(([, height], at) => expect(height / 104).toBeCloseTo(filled[at]![1] / tallest, 2));
        const [low, high] = [...markup.matchAll(/class="spread-edge" x1="([\d.]+)%"/g)].map(([, x]) => Number(x) - 50);
        expect(high).toBeCloseTo(spread, 1);
        expect(low).toBeCloseTo(-spread, 1);
      }
    }
  });

  it('compares the lengths of lists under their own names', async () => {
    const { table, text, says, result } = await show(sqrt, {});
    expect(table.map((row) => row[0])).toEqual(['1', '4', '16', '64', '256']);
    result.lengths.forEach((row, at) => {
      expect(table[at]!.slice(1)).toEqual([String(row.root), row.spread.toFixed(3), share(row.top_share), row.divided_spread.toFixed(3), share(row.divided_top_share)]);
      expect(text).toContain(plainText(`${row.d} ${row.root} ${row.spread.toFixed(2)} ${share(row.top_share)} ${row.divided_spread.toFixed(2)} ${share(row.divided_top_share)}`));
    });
    expect(says).toContain('the square root of 64 is 8.00');
  });

  it('draws other numbers with another seed', async () => {
    expect((await show(sqrt, { seed: 2 })).result.raw.row).not.toEqual((await show(sqrt, { seed: 1 })).result.raw.row);
  });
});

describe.skipIf(!existsSync(program))('softmax-ratio', () => {
  it('says the numbers of the book’s row', async () => {
    const book = await show(ratio, {});
    expect(book.title).toBe('A lead of 1.02 is a ratio of 2.77: 43 % and 15 %, beside one other token');
    expect(book.text).toContain('The lead is 4.25 − 3.23 = 1.02, and e 1.02 = 2.77. Divide the two shares of the row: 2.77.');
    const alone = await show(ratio, { others: [] });
    expect(alone.title).toBe('A lead of 1.02 is a ratio of 2.77: 73 % and 27 %, alone in their row');
    expect(alone.text).not.toContain('others 4');
    expect((await show(ratio, { second: 4.25 })).title).toContain('Level scores, equal shares');
    expect((await show(ratio, { first: -2, second: -5.5 })).text).toContain('−2.00 − (−5.50) = 3.50');
  });

  it('draws and writes what float64 gives, and the bar of the two never moves with the others', async () => {
    const hundredths = fc.integer({ min: -1000, max: 1000 }).map((value) => value / 100);
    await fc.assert(
      fc.asyncProperty(hundredths, hundredths, fc.array(hundredths, { maxLength: 6 }), async (first, second, others) => {
        const { text, markup, table } = await show(ratio, { first, second, others });
        const powers = [first, second, ...others].map(Math.exp);
        const sum = powers.reduce((all, power) => all + power, 0);
        const shares = powers.map((power) => power / sum);
        const [whole, two] = widths(markup, 'ratio-first').map((width) => width / 100);
        expect(whole).toBeCloseTo(shares[0]!, 3);
        expect(two).toBeCloseTo(powers[0]! / (powers[0]! + powers[1]!), 3);
        table.forEach((row, at) => expect(row[1]).toBe(score([first, second, ...others][at]!)));
        const rest = shares.slice(2).reduce((all, part) => all + part, 0);
        if (others.length > 0) expect(widths(markup, 'ratio-rest')[0]! / 100).toBeCloseTo(rest, 3);
        // Where rounding could go either way, either is right.
        const near = (value: number) => [value - 2e-7, value, value + 2e-7].map((close) => plainText(share(Math.max(close, 0))));
        expect(near(shares[0]!).some((words) => text.includes(`first ${words}`))).toBe(true);
        expect(near(shares[1]!).some((words) => text.includes(`second ${words}`))).toBe(true);
      }),
      { numRuns: 25 },
    );
  });
});
