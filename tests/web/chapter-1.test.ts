// The figures of chapter 1 and many-questions: what is written and drawn against the core's answers, worked out here once
// more where that is possible; links and wild states leave them in use.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nativeEngine } from '../../web/compiler/engine.ts';
import { faultOf } from '../../web/compiler/links.ts';
import type { Engine, Input, ModelInfo, Run } from '../../web/engine/types.ts';
import type { FigureDefinition } from '../../web/figures/definition.ts';
import { displayTable } from '../../web/figures/definition.ts';
import { figure as contextLens } from '../../web/figures/context-lens.ts';
import { figure as manyQuestions } from '../../web/figures/many-questions.ts';
import { figure as sameRow } from '../../web/figures/same-row.ts';
import { fixed, score, share } from '../../web/marks/number.ts';
import { pageSchema } from '../../web/state/page.ts';
import { clampState, formatState, initialState, parseState } from '../../web/state/schema.ts';
import { draw, lettersOf } from './draw.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const program = `${root}build/native/lookback`;
const native = existsSync(program);
const core = nativeEngine(program);
const signal = new AbortController().signal;
/** Each run starts the native program. */
const numRuns = 25;

async function show<S, R>(figure: FigureDefinition<S, R>, patch: Partial<S>, engine: Engine = core) {
  const state = clampState(figure.schema, { ...initialState(figure.schema), ...patch });
  const result = await figure.compute(engine, state, signal, () => {});
  const patches: Partial<S>[] = [];
  const context = { id: 'f', state, result, set: (change: Partial<S>) => void patches.push(change), page: initialState(pageSchema) };
  const markup = await draw(figure.view(context));
  expect(markup).not.toMatch(/<[^>]*\sstyle\s*=|<script|undefined|\[object|NaN|Infinity/);
  const text = lettersOf(markup.replace(/<[^>]*>/g, ' ')).replace(/[ \n]+/g, ' ');
  return { state, result, markup, text, title: figure.title(state, result), said: figure.describe(state, result), table: figure.table(state, result) };
}

describe('links of the chapters', () => {
  const figures: Record<string, FigureDefinition<any, any>> = { 'context-lens': contextLens, 'same-row': sameRow, 'many-questions': manyQuestions };
  const prose = ['01-a-word-alone', '02-searching'].map((name) => readFileSync(`${root}chapters/${name}.md`, 'utf8')).join('\n');
  const links = [...prose.matchAll(/\(figure:(context-lens|same-row|many-questions)\?([^)]*)\)/g)];

  it('ask for states that the figures have', () => {
    expect(links.length).toBeGreaterThan(15);
    for (const [link, name, query] of links) {
      for (const [key, value] of new URLSearchParams(query)) expect(faultOf(figures[name!]!.schema, key, value), link).toBeNull();
    }
  });

  it('carry every state there and back', () => {
    for (const { schema } of Object.values(figures)) {
      fc.assert(
        fc.property(fc.dictionary(fc.constantFrom(...Object.keys(schema)), fc.oneof(fc.string(), fc.integer().map(String), fc.constantFrom('-1', '', ',', '999999'))), (wild) => {
          const state = parseState<any>(schema, new Map(Object.entries(wild)));
          expect(parseState(schema, formatState(schema, state))).toEqual(state);
        }),
      );
    }
  });
});

// -------------------------------------------------------------------------------------------------------- context-lens

const product = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, at) => sum + value * b[at]!, 0);

describe.skipIf(!native)('context-lens', () => {
  const answers = { river: ['bank', 'river'], savings: ['bank', 'savings'], slipper: ['it', 'puppy'], chest: ['opened', 'Ines'], orim: ['sky', 'Orim'], treaty: ['treaty', 'Larkmoor'] };

  it('finds in each text the word that has what is asked for, and says how far back', async () => {
    for (const [text, [word, holder]] of Object.entries(answers)) {
      const { result, title, said, text: seen, markup, table } = await show(contextLens, { text });
      const { told } = result;
      const best = told.candidates.find(({ index }) => index === told.best)!;
      expect(best.text.trim()).toBe(holder);
      const back = told.asking.index - best.index;
      expect(title).toBe(`“${word}” asks for “${told.asking.query.phrase}”; “${holder}” has it, ${back} places back`);
      expect(said).toContain(`Best matches: ${holder} ${score(best.score)}`);
      expect(seen).toContain(`${score(best.score)} why`);
      // Every score is the product of the vectors that are opened beside it.
      for (const row of told.candidates) expect(row.score).toBeCloseTo(product(told.asking.query.vector, row.key.vector), 5);
      expect(table.rows).toHaveLength(told.candidates.length);
      expect(markup.match(/class="token token-asking"/g)).toHaveLength(1);
      // The bar under a word is its match.
      const bars = [...markup.matchAll(/class="tiny-share"[^]*?<rect class="ink-share" width="([\d.]+)%"/g)].map((match) => Number(match[1]));
      const scores = told.candidates.map((row) => row.score).filter((value) => value > 0);
      expect(bars).toHaveLength(scores.length);
      bars.forEach((width, at) => expect(width).toBeCloseTo(scores[at]! * 100, 1));
    }
  });

  it('covers a word: it is no longer found, and the next best steps in or nothing fits', async () => {
    const { result, title, text, markup } = await show(contextLens, { text: 'river', covered: [7] });
    expect(result.told.candidates[7]!.score).toBe(0);
    expect(title).toBe(`“bank” asks for “water or money here”, and nothing fits: “on” is the nearest, ${score(result.told.candidates[11]!.score)}`);
    expect(text).toContain('uncover river');
    expect(markup).toContain('need-covered');
    const all = await show(contextLens, { text: 'river', covered: Array.from({ length: 13 }, (_, at) => at) });
    expect(all.title).toBe('“bank” asks for “water or money here”, and no word that is left has it');
  });

  it('says why where there is nothing to list', async () => {
    const first = await show(contextLens, { text: 'treaty', asking: 0 });
    expect(first.text).toContain('“In” is the first word: there is none before it to match.');
    expect(first.table).toMatchObject({ caption: '“In” is the first word: there is none before it to match.', rows: [] });
    expect(first.markup).not.toContain('need-rows');
    expect((await show(contextLens, { text: 'treaty', asking: 1 })).text).toContain('What asks for nothing matches no word, so there is nothing to list.');
  });

  it('opens a match to products that add up to it', async () => {
    const { result, markup } = await show(contextLens, { text: 'orim', open: 5 });
    const { told } = result;
    const opened = told.candidates[5]!;
    const rows = [...markup.matchAll(/<tr class="feature-(?:shared|alone)">([^]*?)<\/tr>/g)].map((match) => lettersOf(match[1]!.replace(/<[^>]*>/g, ' ')).trim().split(/\s+/));
    const shown = told.features.map((_, at) => at).filter((at) => told.asking.query.vector[at]! > 0 || opened.key.vector[at]! > 0);
    expect(rows).toEqual(shown.map((at) => [told.features[at], score(told.asking.query.vector[at]!), '×', score(opened.key.vector[at]!), '=', score(opened.products[at]!)]));
  });

  it('stays in use for every state that a link may bring', async () => {
    const states = fc.record({ text: fc.constantFrom('river', 'treaty', 'none', ''), asking: fc.integer({ min: -1, max: 300 }), covered: fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 5 }), open: fc.integer({ min: -1, max: 300 }) });
    await fc.assert(fc.asyncProperty(states, async (state) => void (await show(contextLens, state))), { numRuns });
  });
});

// ------------------------------------------------------------------------------------------------------ many-questions

describe.skipIf(!native)('many-questions', () => {
  it('says and draws the shares of the core, with layer 1 and without', async () => {
    const truth = await core.lesson('questions', {});
    const off = await core.lesson('questions', { off: ['where', 'who', 'meaning'] });
    const { title, said, text, table } = await show(manyQuestions, {});
    const name = (at: number) => truth.tokens[at]!.text.trim();
    expect(title).toBe(`With the first layer, “money” looks at “purse”, ${share(truth.second.shares[truth.second.best!]!)}; without that layer, it looks at “bank”, ${share(off.second.shares[off.second.best!]!)}`);
    for (const head of truth.first) {
      expect(said).toContain(`${head.question} It looks at “${name(head.best!)}”, ${share(head.shares[head.best!]!)}`);
      expect(text).toContain(`“${name(head.best!)}” gets ${share(head.shares[head.best!]!)}, the sink ${share(head.sink_share)}.`);
      expect(head.shares.reduce((sum, value) => sum + value, head.sink_share)).toBeCloseTo(1, 5);
    }
    const rows = displayTable(table).rows;
    expect(rows[20]).toEqual(['purse', '', '', '', share(truth.second.shares[20]!), share(off.second.shares[20]!)]);
    expect(rows[2]!.slice(1, 4)).toEqual(truth.first.map((head) => share(head.shares[2]!)));
    // The asking word's row, before and after.
    const { before, after } = truth.tokens[truth.asking]!;
    truth.features.forEach((feature, at) => {
      if (before[at]! > 0 || after[at]! >= 0.05) expect(text).toContain(`${feature} ${score(before[at]!)} → ${score(after[at]!)}`);
    });
  });

  it('a head that is off adds nothing, and the sentence says so', async () => {
    const without = await show(manyQuestions, { off: ['meaning'] });
    expect(without.title).toContain('With 2 of the 3 heads of the first layer, “money” looks at “purse”');
    const { before, after } = without.result.seen.tokens[14]!;
    const at = (feature: string) => without.result.seen.features.indexOf(feature);
    expect(after[at('water')]).toBe(before[at('water')]);
    expect(after[at('place')]!).toBeGreaterThan(before[at('place')]!);
    const none = await show(manyQuestions, { off: ['where', 'who', 'meaning'] });
    expect(none.title).toMatch(/^Without the first layer, “money” looks at “bank”, /);
    expect(none.result.seen.second.shares).toEqual(none.result.alone.second.shares);
  });

  it('takes any sentence and any asker', async () => {
    const states = fc.record({ text: fc.constantFrom('', '.', 'the', 'Omar sold a boat by the sea.', '  ', '<b>zorblax</b> & the bank'), asking: fc.integer({ min: -1, max: 300 }), later: fc.integer({ min: -1, max: 300 }), off: fc.array(fc.constantFrom('where', 'who', 'meaning', 'x'), { maxLength: 3 }) });
    await fc.assert(fc.asyncProperty(states, async (state) => void (await show(manyQuestions, state))), { numRuns });
  });
});

// ------------------------------------------------------------------------------------------------------------ same-row

const width = 8;
const layers = 2;
const model = {
  name: 'tiny', origin: 'little', host: '', precision: 'f32', arriving: false, at_hand: true, n_parameters: 1, weight_bytes: 4, file_bytes: 4, vocabulary: 'own', notes: [],
  config: { n_layers: layers, n_heads: 2, d_model: width, d_head: 4, d_mlp: 32, n_positions: 12, d_vocab: 50, tied_head: true },
} satisfies ModelInfo;

/** Words are tokens, their ids the place of their first occurrence in `words`. A row after a layer is a hash of what stood before it. */
const words = ['The', ' dog', ' cat', ' it', ' saw', ' train'];
function knownEngine(): Engine {
  let pass = 0;
  let ids: number[] = [];
  const idsOf = (text: string) => text.split(/(?= )/).map((word) => Math.max(words.indexOf(word), 0));
  const views = (found: readonly number[]) => found.map((id, word) => ({ id, word, pieces: [{ kind: 'text' as const, shown: words[id]! }] }));
  const engine = {
    model: () => model,
    inUse: async () => model,
    onModel: () => () => {},
    tokenize: async (text: string) => views(idsOf(text)),
    async run(input: Input): Promise<Run> {
      ids = 'text' in input ? idsOf(input.text) : input.ids;
      return { tokens: views(ids), pass: ++pass, milliseconds: 1, trace_bytes: 1 };
    },
    async activation(_run: Run, name: string) {
      const place = Number(/^rows\.(\d+)$/.exec(name)![1]);
      const rows = [number(ids[place]!), number(ids[place]! + 100 * place)];
      for (let done = 1; done <= layers; done++) rows.push(number(done * 1000 + ids.slice(0, place + 1).reduce((sum, id, at) => sum + (id + 1) * (at + 7), 0)));
      return { shape: [layers + 2, width], data: Float32Array.from(rows.flat()) };
    },
    lens: async () => [{ id: 1, pieces: [{ kind: 'text' as const, shown: ' dog' }], logit: 1, probability: 0.75 }],
  };
  const number = (seed: number) => Array.from({ length: width }, (_, at) => Math.fround(Math.sin(seed * 12.9 + at * 3.3)));
  return engine as unknown as Engine;
}

describe('same-row', () => {
  const one = 'The dog saw it';
  const two = 'The train saw it';

  it('compares the last word that both texts have, from the table on', async () => {
    const { result, title, text, said } = await show(sameRow, { one, two, stage: 2 }, knownEngine());
    if (result.kind !== 'seen') throw new Error('The figure shows nothing.');
    expect(result.sides.map(({ place }) => place)).toEqual([3, 3]);
    expect(result.equal).toEqual([width, width, 0, 0]);
    expect(title).toBe(`“it” begins as the same ${width} numbers in both texts; after 1 layer, none of them is the same`);
    expect(text).toContain(`The row of “it” in the table: all ${width} numbers equal, to the last bit`);
    expect(text).toContain(`after 1 layer: none of the ${width} numbers equal`);
    expect(said).toContain('the first text “dog” 75\u202F%; the second text “dog” 75\u202F%');
  });

  it('spells out the number that is asked for, with its bits', async () => {
    const { result, text, table } = await show(sameRow, { one, two, stage: 3, col: 5 }, knownEngine());
    if (result.kind !== 'seen') throw new Error('The figure shows nothing.');
    const values = result.sides.map(({ rows }) => rows[3]![5]!);
    const bits = values.map((value) => new Uint32Array(Float32Array.of(value).buffer)[0]!.toString(16).toUpperCase().padStart(8, '0'));
    expect(text).toContain(`after 2 layers: ${fixed(values[0]!, 6)} ${bits[0]} in the first text, ${fixed(values[1]!, 6)} ${bits[1]} in the second`);
    expect(displayTable(table).rows[5]).toEqual(['5', ...values.map((value) => fixed(value, 3))]);
    expect(table.rows).toHaveLength(width);
  });

  it('another place in the text parts the rows as soon as the place is added', async () => {
    const { result, title } = await show(sameRow, { one: 'The dog saw it', two: 'The dog it', stage: 1 }, knownEngine());
    if (result.kind !== 'seen') throw new Error('The figure shows nothing.');
    expect(result.equal.slice(0, 2)).toEqual([width, 0]);
    expect(title).toContain('with its place added, none of them is the same');
  });

  it('finds rows equal to the last bit where nothing before them differs, and takes places by hand', async () => {
    const same = await show(sameRow, { one: 'The dog saw it', two: 'The dog saw cat', first: 1, second: 1, stage: 999 }, knownEngine());
    if (same.result.kind !== 'seen') throw new Error('The figure shows nothing.');
    expect(same.result.equal).toEqual([width, width, width, width]);
    expect(same.title).toBe(`“dog” begins as the same ${width} numbers in both texts; after 2 layers, they are still the same`);
    const different = await show(sameRow, { one, two, first: 1, second: 1, stage: 0 }, knownEngine());
    expect(different.title).toBe(`“dog” and “train” are two rows of the table; in the table, none of the ${width} numbers equal`);
  });

  it('marks each pair that differs, and asks for a text where there is none', async () => {
    const { markup } = await show(sameRow, { one, two, stage: 2 }, knownEngine());
    expect(markup.match(/strips-differs/g)).toHaveLength(width);
    const empty = await show(sameRow, { one: '' }, knownEngine());
    expect(empty.result.kind).toBe('refused');
    expect(empty.text).toContain('Type a text');
  });

  it('stays in use for every state that a link may bring', async () => {
    const places = fc.integer({ min: -1, max: 100_000 });
    const states = fc.record({ one: fc.string({ maxLength: 20 }), two: fc.string({ maxLength: 20 }), first: places, second: places, stage: fc.nat(2000), col: fc.nat(200_000) });
    await fc.assert(fc.asyncProperty(states, async (state) => void (await show(sameRow, state, knownEngine()))), { numRuns });
  });
});
