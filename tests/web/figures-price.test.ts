// The figures of chapter 6 with the native core behind them: counts against sums worked out here one by one, states that the
// chapter's links ask for, and the measuring with an engine whose passes take known times.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nativeEngine } from '../../web/compiler/engine.ts';
import { faultOf } from '../../web/compiler/links.ts';
import { EngineError, type Engine, type Input, type ModelInfo, type Run } from '../../web/engine/types.ts';
import { csv, displayTable, type FigureDefinition } from '../../web/figures/definition.ts';
import { figure as counter } from '../../web/figures/cost-counter.ts';
import { figure as priceHere } from '../../web/figures/price-here.ts';
import { lengthsUpTo, type Price } from '../../web/figures/price-here/measure.ts';
import { many, room, time } from '../../web/figures/price-here/words.ts';
import { pageSchema } from '../../web/state/page.ts';
import { formatState, initialState, parseState } from '../../web/state/schema.ts';
import { draw } from './draw.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const program = process.env['LOOKBACK_NATIVE'] ?? `${root}build/native/lookback`;
const chapter = readFileSync(`${root}chapters/06-the-price.md`, 'utf8');
const signal = new AbortController().signal;
const native = nativeEngine(program);

/** What people read: spaces of every kind are spaces. */
const plainText = (text: string) => text.replace(/<[^>]*>/g, ' ').replaceAll('&#39;', "'").replace(/\s+/g, ' ').replace(/ (?=[.,])/g, '').trim();
const parted = (value: number) => String(value).replace(/\B(?=(\d{3})+$)/g, ' ');

async function drawn<S, R>(figure: FigureDefinition<S, R>, state: S, result: R): Promise<string> {
  const markup = await draw(figure.view({ id: 'f', state, result, set: () => {}, page: initialState(pageSchema) }));
  expect(markup).not.toMatch(/<[^>]*\sstyle\s*=|<script|undefined|\[object|NaN|Infinity/);
  return markup;
}

async function count(patch: Partial<Parameters<typeof counter.title>[0]>) {
  const state = { ...initialState(counter.schema), ...patch };
  const result = await counter.compute(native, state, signal, () => {});
  const markup = await drawn(counter, state, result);
  return { state, result, markup, text: plainText(markup), title: plainText(counter.title(state, result)), says: plainText(counter.describe(state, result)), table: displayTable(counter.table(state, result)).rows.map((row) => row.map(plainText)) };
}

describe('links of the chapter', () => {
  const figures: Record<string, FigureDefinition<any, any>> = { 'cost-counter': counter, 'price-here': priceHere };
  const links = [...chapter.matchAll(/\(figure:(cost-counter|price-here)\?([^)]*)\)/g)];

  it('ask for states that the figures have', () => {
    expect(links.length).toBeGreaterThan(8);
    for (const [link, name, query] of links) {
      for (const [key, value] of new URLSearchParams(query)) expect(faultOf(figures[name!]!.schema as never, key, value), link).toBeNull();
    }
  });

  it('survive the way through a link, whatever they hold', () => {
    for (const figure of Object.values(figures)) {
      const anything = fc.record(Object.fromEntries(Object.keys(figure.schema).map((key) => [key, fc.oneof(fc.string(), fc.integer().map(String), fc.constantFrom('NaN', '-1', '1e99', 'time', ''))])));
      fc.assert(
        fc.property(anything, (values) => {
          const state = parseState(figure.schema, new Map(Object.entries(values) as [string, string][]));
          expect(parseState(figure.schema, formatState(figure.schema, state))).toEqual(state);
        }),
      );
    }
  });
});

describe.skipIf(!existsSync(program))('the cost counter', () => {
  it('says the book’s numbers', async () => {
    const doubled = await count({});
    expect(doubled.title).toBe('Twice the text, 3.8 times the looks: 9 tokens take 45 in a head, 18 take 171');
    expect(doubled.text).toContain('9 × 10 ÷ 2 = 45');
    expect(doubled.text).toContain('9 × 9 = 81');
    expect(doubled.text).toMatch(/× 144 = 24 624/);
    expect((await count({ tokens: 1000, added: 0 })).title).toBe('1 000 tokens: 500 500 looks in one head, 72 072 000 in all 144 heads');
    expect((await count({ tokens: 1000, added: 1 })).title).toBe('One more token takes 1 001 new looks in a head, one at each token in sight');
    expect((await count({ tokens: 9, added: 991 })).title).toContain('11 122 times the looks');
    expect((await count({ tokens: 200_000, added: 9 })).title).toContain('1.00009 times the looks');
    expect((await count({ tokens: 1, added: 0, layers: 1, heads: 1 })).title).toBe('1 token: 1 look in one head, 1 in all');
  });

  it('shows what counting one by one gives, in every part', async () => {
    const size = fc.integer({ min: 1, max: 60 });
    await fc.assert(
      fc.asyncProperty(size, fc.nat(60), fc.integer({ min: 1, max: 48 }), fc.integer({ min: 1, max: 25 }), async (tokens, added, layers, heads) => {
        const sum = (n: number) => Array.from({ length: n }, (_, at) => at + 1).reduce((all, looks) => all + looks, 0);
        const { text, markup, table, says } = await count({ tokens, added, layers, heads });
        expect(text).toContain(`× ${parted(layers * heads)} = ${parted(sum(tokens + added) * layers * heads)}`);
        expect(table.map((row) => row[1])).toEqual([sum(tokens), tokens * added, sum(added), sum(tokens + added), ...[1, 2, 4, 8, 16].map((times) => sum(tokens * times))].map(parted));
        expect(says).toContain(`${parted(sum(tokens))} look`);
        // The drawn squares are the looks: their areas in units of one square.
        const n = tokens + added;
        expect(markup.includes('<polygon class="cost-before"')).toBe(n > 40);
        if (n > 40) return;
        const unit = 300 / n;
        const area = (className: string) => [...markup.matchAll(new RegExp(`<rect class="${className}" x="[\\d.]+" y="[\\d.]+" width="([\\d.]+)" height="([\\d.]+)"`, 'g'))].reduce((all, [, width, height]) => all + (Number(width) * Number(height)) / unit / unit, 0);
        expect(area('cost-before')).toBeCloseTo(sum(tokens), 0);
        expect(area('cost-across')).toBeCloseTo(tokens * added, 0);
        expect(area('cost-among')).toBeCloseTo(sum(added), 0);
      }),
      { numRuns: 25 },
    );
  });

  it('frames a token’s row and says what it sees', async () => {
    const { text, markup, says } = await count({ sight: 7 });
    expect(text).toContain('This token sees 7: itself and the 6 before it.');
    expect(says).toContain('The framed token has 7 in sight.');
    const [, y, width] = /class="cost-frame" x="0" y="([\d.]+)" width="([\d.]+)"/.exec(markup)!;
    expect(Number(y)).toBeCloseTo((6 / 18) * 300, 1);
    expect(Number(width)).toBeCloseTo((7 / 18) * 300, 1);
    expect((await count({ sight: 1 })).text).toContain('it sees itself alone');
    // A row that is no longer there frames nothing.
    expect((await count({ tokens: 2, added: 0, sight: 9 })).markup).not.toContain('cost-frame');
  });

  it('copes with the largest numbers', async () => {
    const { text, title } = await count({ tokens: 200_000, added: 200_000, layers: 1000, heads: 200 });
    expect(title).toContain('20 000 100 000');
    expect(text).toContain('1.60 × 10¹⁶');
  });
});

// ------------------------------------------------------------------------------------------------------- the measuring

const config = { n_layers: 4, n_heads: 4, d_model: 96, d_head: 24, d_mlp: 384, n_positions: 128, d_vocab: 2048, tied_head: true };
const model = (patch: Partial<ModelInfo> = {}): ModelInfo => ({
  name: 'known', origin: 'disk', host: '', precision: 'f32', arriving: false, config, n_parameters: 1, weight_bytes: 4, file_bytes: 4, at_hand: true, vocabulary: 'own', notes: [], ...patch,
});

/** An engine whose pass takes a millisecond a token that it has to compute, and which reuses a common beginning. */
function knownEngine(info: ModelInfo, lesson: Engine['lesson'] = (name, input) => native.lesson(name, input)) {
  const passes: { computed: number; length: number }[] = [];
  let before: number[] = [];
  const engine = {
    passes,
    lesson,
    model: () => info,
    inUse: async () => info,
    onModel: () => () => {},
    async run(input: Input): Promise<Run> {
      const { ids } = input as { ids: number[] };
      const window = info.config.n_positions;
      if (ids.length > window) throw new EngineError('window_full', `The text has ${ids.length} tokens, but the model's window holds ${window}.`);
      if (ids.length === 0 || ids.some((id) => !(id >= 0 && id < info.config.d_vocab))) throw new EngineError('bad_argument', 'No such token.');
      let kept = 0;
      while (kept < Math.min(ids.length - 1, before.length) && ids[kept] === before[kept]) kept++;
      before = ids;
      passes.push({ computed: ids.length - kept, length: ids.length });
      return { tokens: [], pass: passes.length, milliseconds: ids.length - kept, trace_bytes: 100 * ids.length };
    },
  };
  return engine as unknown as Engine & { passes: typeof passes };
}

/** Measures to the end. */
async function measured(engine: Engine): Promise<Price> {
  let last: Price | undefined;
  const first = await priceHere.compute(engine, initialState(priceHere.schema), signal, (price) => (last = price));
  first.start();
  await expect.poll(() => last !== undefined && !last.running).toBe(true);
  return last!;
}

it('lengths go by doubling up to the window', () => {
  expect(lengthsUpTo(128)).toEqual([8, 16, 32, 64, 128]);
  expect(lengthsUpTo(1000)).toEqual([8, 16, 32, 64, 128, 256, 512, 1000]);
  expect(lengthsUpTo(8)).toEqual([8]);
  expect(lengthsUpTo(3)).toEqual([3]);
});

it('units are those that people use', () => {
  expect([0.042, 0.42, 12.4, 999, 3400].map(time)).toEqual(['0.042\u202Fms', '0.42\u202Fms', '12\u202Fms', '999\u202Fms', '3.4\u202Fs']);
  expect([960, 123_456, 6_340_608, 9.67e9, 2.5e13].map(many).map(plainText)).toEqual(['960', '123 456', '6.34 million', '9.67 billion', '25 trillion']);
  expect([500, 24_576, 75_497_472, 1.2e10].map(room).map(plainText)).toEqual(['500 bytes', '25 kB', '75 MB', '12 GB']);
});

describe.skipIf(!existsSync(program))('price-here', () => {
  it('counts before anything is measured, and says what the core says beyond the window', async () => {
    const engine = knownEngine(model());
    const price = await priceHere.compute(engine, initialState(priceHere.schema), signal, () => {});
    expect(engine.passes).toEqual([]);
    expect(price.measured).toEqual([]);
    const state = initialState(priceHere.schema);
    const text = plainText(await drawn(priceHere, state, price));
    expect(text).toContain("129 The text has 129 tokens, but the model's window holds 128.");
    expect(text).toContain('128 tokens: 8 256 looks × 16 heads = 132 096');
    expect(text).toContain('A look takes 24 products for its score and 24 for the blend, which makes 6.34 million multiplications. The tables of the layers take 56.6 million.');
    expect(text).toContain('So 10 % of the work is looking back.');
    expect(plainText(priceHere.title(state, price))).toBe('A text of 128 tokens takes 63 million multiplications, 10 % of them for looking back');
    expect(displayTable(priceHere.table(state, price)).rows.map((row) => [row[0], row[4], row[6]])).toEqual([8, 16, 32, 64, 128].map((n) => [String(n), '', '']));
  });

  it('times passes from nothing, and single tokens with all before them kept', async () => {
    const engine = knownEngine(model());
    const price = await measured(engine);
    expect(price.problem).toBe('');
    expect(price.measured).toEqual([8, 16, 32, 64, 128].map((n) => ({ whole: n, next: 1, trace_bytes: 100 * n })));
    // Nothing in between: every pass computed all of its tokens or one.
    for (const { computed, length } of engine.passes) expect([1, length]).toContain(computed);
    const { speed, rows } = price.counts;
    const work = rows.reduce((sum, row) => sum + row.for_looks + row.for_tables, 0);
    expect(speed! / ((work / 248) * 1000)).toBeCloseTo(1, 5);
    rows.forEach((row) => expect(row.expected_milliseconds! / ((row.for_looks + row.for_tables) / (work / 248))).toBeCloseTo(1, 5));
  });

  it('shows what was measured, each under its length', async () => {
    const price = await measured(knownEngine(model()));
    const state = initialState(priceHere.schema);
    const markup = await drawn(priceHere, state, price);
    for (const n of price.lengths) expect(plainText(markup)).toContain(`${n} ms`);
    const widths = [...markup.matchAll(/class="price-measured" width="([\d.]+)%"/g)].map(([, width]) => Number(width));
    // One scale for bars and marks.
    const longest = Math.max(128, price.counts.rows[4]!.expected_milliseconds!);
    price.measured.forEach(({ whole }, at) => expect(widths[at]).toBeCloseTo((whole / longest) * 100, 1));
    const marks = [...markup.matchAll(/class="price-mark" x1="([\d.]+)%"/g)].map(([, x]) => Number(x));
    price.counts.rows.forEach((row, at) => expect(marks[at]).toBeCloseTo((row.expected_milliseconds! / longest) * 100, 1));
    expect(plainText(priceHere.title({ ...state, open: 64 }, price))).toBe('A text of 64 tokens takes 64 ms on this machine');

    const next = plainText(await drawn(priceHere, { ...state, show: 'next' }, price));
    expect(next).toContain('64 1 ms kept 64 ms anew 128 1 ms kept 128 ms anew');
    expect(plainText(priceHere.title({ ...state, show: 'next' }, price))).toBe('The last of 128 tokens takes 1 ms here when keys and values are kept, 128 ms when not');

    const memory = plainText(await drawn(priceHere, { ...state, show: 'memory', open: 64 }, price));
    expect(memory).toContain('64 197 kB keys and values 262 kB all grids 128 393 kB keys and values 1 MB all grids');
    expect(memory).toContain('64 tokens: 4 layers × 2 lists of 96 numbers × 4 bytes for each, 197 kB in all.');
    expect(memory).toContain('This book’s engine keeps 6.4 kB');
    expect(csv(priceHere.table(state, price)).split('\r\n')[5]).toMatch(/^128,8256,6340608,56623104,128,[\d.]+,1,393216,12800,1048576$/);
  });

  it('describes what is shown', async () => {
    const price = await measured(knownEngine(model()));
    const said = (show: 'time' | 'next' | 'memory') => plainText(priceHere.describe({ show, open: 0 }, price));
    expect(said('time')).toContain('64 tokens: 2 080 looks in a head, 29.9 million multiplications, measured 64 ms. 128 tokens: ');
    expect(said('next')).toContain('64 tokens: the last one takes 491 520 multiplications when keys and values are kept, 29.9 million when not, measured 1 ms and 64 ms.');
    expect(said('memory')).toContain('64 tokens: keys and values take 197 kB, every head’s grid would take 262 kB. 128 tokens: ');
    expect(plainText(priceHere.describe({ show: 'next', open: 0 }, { ...price, measured: [] }))).not.toContain('measured');
    for (const show of ['time', 'next', 'memory'] as const) expect(said(show)).toContain('One token more than 128 is refused.');
  });

  it('measures a large model only when asked, and stops at once', async () => {
    const engine = knownEngine(model());
    const seen: Price[] = [];
    const price = await priceHere.compute(engine, initialState(priceHere.schema), signal, (next) => seen.push(next));
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(engine.passes).toEqual([]);
    price.start();
    price.stop();
    const passes = engine.passes.length;
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(engine.passes.length - passes).toBeLessThanOrEqual(1);
    expect(seen.at(-1)!.running).toBe(false);
    expect(seen.at(-1)!.problem).toBe('');
  });

  it('waits for a model that still arrives', async () => {
    let arrived = (_: null) => {};
    const info = model({ arriving: true });
    const engine = Object.assign(knownEngine(info), { onArrival: (listener: (progress: null) => void) => ((arrived = listener), () => {}) });
    let last: Price | undefined;
    const price = await priceHere.compute(engine, initialState(priceHere.schema), signal, (next) => (last = next));
    const waiting = await drawn(priceHere, initialState(priceHere.schema), price);
    expect(waiting).toContain('The model is still on its way.');
    expect(waiting).toMatch(/<button[^>]*disabled[^>]*>\s*Measure/);
    expect(price.refusal).toBe('');
    info.arriving = false;
    arrived(null);
    await expect.poll(() => last?.refusal).toContain('129 tokens');
    expect(engine.passes).toEqual([]);
  });

  it('ends with the figure', async () => {
    const engine = knownEngine(model());
    const figure = new AbortController();
    let told = 0;
    const price = await priceHere.compute(engine, initialState(priceHere.schema), figure.signal, () => told++);
    price.start();
    figure.abort();
    const before = told;
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(told).toBe(before);
  });

  it('takes the smallest models, and says why one cannot be measured', async () => {
    const small = await measured(knownEngine(model({ config: { ...config, n_positions: 1 } })));
    expect(small.measured).toEqual([{ whole: 1, next: null, trace_bytes: 100 }]);
    expect(plainText(await drawn(priceHere, { show: 'next', open: 0 }, small))).toContain('nothing before it');
    const two = await measured(knownEngine(model({ config: { ...config, d_vocab: 2 } })));
    expect(two.measured).toHaveLength(5);

    const engine = knownEngine(model());
    engine.run = ((run) => async (input: Input) => {
      if ((input as { ids: number[] }).ids.length === 32) throw new EngineError('out_of_memory', 'There is no memory for this text.');
      return run(input);
    })(engine.run);
    const failed = await measured(engine);
    expect(failed.problem).toBe('There is no memory for this text.');
    expect(failed.measured).toHaveLength(2);
    expect(await drawn(priceHere, initialState(priceHere.schema), failed)).toContain('There is no memory for this text.');
  });
});
