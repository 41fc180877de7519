// order-blind without a browser: what is asked of a model, what is said of its answers, and every state that a link brings.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nativeEngine } from '../../web/compiler/engine.ts';
import type { Engine, Input, ModelInfo, Run } from '../../web/engine/types.ts';
import { displayTable } from '../../web/figures/definition.ts';
import { figure } from '../../web/figures/order-blind.ts';
import type { State } from '../../web/figures/order-blind/state.ts';
import { apart, fellows, type Seen } from '../../web/figures/order-blind/work.ts';
import { pageSchema } from '../../web/state/page.ts';
import { clampState, formatState, initialState, parseState } from '../../web/state/schema.ts';
import { draw, lettersOf } from './draw.ts';

const program = fileURLToPath(new URL('../../build/native/lookback', import.meta.url));
const core = nativeEngine(program);
const signal = new AbortController().signal;

const [layers, heads, width] = [3, 2, 8];
const model = {
  name: 'tiny', origin: 'disk', host: '', precision: 'f32', arriving: false, at_hand: true, n_parameters: 1, weight_bytes: 4, file_bytes: 4, vocabulary: 'none', notes: [],
  config: { n_layers: layers, n_heads: heads, d_model: width, d_head: width / heads, d_mlp: 32, n_positions: 12, d_vocab: 50, tied_head: true },
} satisfies ModelInfo;

/** A model without vocabulary. Layer 0 brings the sum of the ids to the last token, later layers also something of the order. */
function knownEngine(asked: Input[] = []): Engine {
  let ids: number[] = [];
  let pass = 0;
  const rowOf = (layer: number) => Array.from({ length: width }, (_, at) => ids.reduce((sum, id, place) => sum + Math.sin(id + at) * (layer === 0 ? 1 : 1 + place * 0.1), 0));
  const engine = {
    model: () => model,
    inUse: async () => model,
    onModel: () => () => {},
    async run(input: Input): Promise<Run> {
      asked.push(input);
      ids = 'ids' in input ? input.ids : [];
      return { tokens: ids.map((id, word) => ({ id, pieces: [], word })), pass: ++pass, milliseconds: 1, trace_bytes: 1 };
    },
    async activation(_run: Run, name: string) {
      if (name.startsWith('shares.')) return { shape: [layers, heads, ids.length], data: Float32Array.from({ length: layers * heads * ids.length }, (_, at) => ((ids[at % ids.length]! + Math.floor(at / ids.length)) % 7) / 10) };
      const rows = ids.map((_, place) => (place === ids.length - 1 ? rowOf(Number(/^blocks\.(\d+)\./.exec(name)![1])) : Array<number>(width).fill(99)));
      return { shape: [ids.length, width], data: Float32Array.from(rows.flat()) };
    },
  };
  return engine as unknown as Engine;
}

async function show(patch: Partial<State>, engine: Engine) {
  const state = clampState(figure.schema, { ...initialState(figure.schema), ...patch });
  const result = await figure.compute(engine, state, signal, () => {});
  const context = { id: 'f', state, result, set: () => {}, page: initialState(pageSchema) };
  const markup = await draw(figure.view(context));
  expect(markup).not.toMatch(/<[^>]*\sstyle\s*=|<script|undefined|\[object|NaN|Infinity/);
  const text = lettersOf(markup.replace(/<[^>]*>/g, ' ')).replace(/[ \n]+/g, ' ');
  return { state, result, text, title: figure.title(state, result), said: figure.describe(state, result), table: figure.table(state, result) };
}

describe('with a model that has no vocabulary', () => {
  const orders = { oneids: '4, 1, 9, 3', twoids: '4, 9, 1, 3' };

  it('asks for the positions that the state names, and for nothing else where they stay', async () => {
    const asked: Input[] = [];
    for (const [positions, seed] of [['learned', 1], ['none', 1], ['shuffled', 7]] as const) await show({ ...orders, positions, seed }, knownEngine(asked));
    const [one, two] = [[4, 1, 9, 3], [4, 9, 1, 3]];
    expect(asked).toEqual([
      { ids: one }, { ids: two },
      { ids: one, edits: { positions: 'none' } }, { ids: two, edits: { positions: 'none' } },
      { ids: one, edits: { positions: 'shuffled', seed: 7 } }, { ids: two, edits: { positions: 'shuffled', seed: 7 } },
    ]);
  });

  it('says in which layers the last token gets the same, and by how much it differs elsewhere', async () => {
    const { result, title, said, text, table } = await show(orders, knownEngine());
    const seen = result as Seen;
    expect(seen.reordered).toBe(true);
    expect(title).toBe('Without positions, attention in layer 0 brings “3” the same from both texts');
    expect(said).toContain('Both texts are made of the same tokens.');
    expect(said).toMatch(/layer 0: the same; layer 1: the difference is \d+(\.\d)?\u202F% as long/);
    expect(text).toContain('Both texts are made of the same 4 tokens and end with “3”.');
    expect(text.match(/= same/g)).toHaveLength(1);
    expect(text.match(/≠ differs/g)).toHaveLength(2);
    // The row of the last token, not of another.
    expect(seen.sides[0].brought[0]![0]).toBeCloseTo([4, 1, 9, 3].reduce((sum, id) => sum + Math.sin(id), 0), 5);
    expect(displayTable(table).rows).toHaveLength(layers);
    expect(displayTable(table).rows[0]![3]).toBe('0.000');
    const other = await show({ ...orders, layer: 99, head: 99 }, knownEngine());
    expect(other.title).toContain('Without positions, attention in layer 2 brings “3” something else from each text');
    expect(other.text).toContain('layer 2 head 1');
  });

  it('pairs each token with its fellow, the first of its kind with the first', async () => {
    const { result } = await show({ oneids: '5, 1, 5, 2', twoids: '5, 5, 7, 2' }, knownEngine());
    expect(fellows(result as Seen)).toEqual([{ one: 0, two: 0 }, { one: 1, two: null }, { one: 2, two: 1 }, { one: 3, two: 3 }, { one: null, two: 2 }]);
    expect((result as Seen).reordered).toBe(false);
  });

  it('refuses what is no token, and says so', async () => {
    const { title, text } = await show({ twoids: '4, 99' }, knownEngine());
    expect(title).toBe('Two texts, waiting for words that the model can read');
    expect(text).toContain('“99” is no token of this model');
  });
});

it('holds rows against each other as the core does', () => {
  const found = apart(Float32Array.of(3, 0, 4, 1), Float32Array.of(3, -0, 1, 1));
  expect(found).toEqual({ one: Math.sqrt(26), two: Math.sqrt(11), difference: 3, most: 3, equal: 2 });
});

it('carries every state there and back', () => {
  const { schema } = figure;
  const wild = fc.dictionary(fc.constantFrom(...Object.keys(schema)), fc.oneof(fc.string(), fc.integer().map(String), fc.constantFrom('-1', '', 'toy', 'shuffled', '999999')));
  fc.assert(fc.property(wild, (values) => {
    const state = parseState<State>(schema, new Map(Object.entries(values)));
    expect(parseState<State>(schema, formatState(schema, state))).toEqual(state);
  }));
});

describe.skipIf(!existsSync(program))('the toy world', () => {
  it('takes any texts, question, feature and places', async () => {
    const phrase = fc.constantFrom('', ' ', '.', 'the', 'Zorblax & the <b>dog</b>', 'A queen saw the sea.');
    const states = fc.record({ toyone: phrase, toytwo: phrase, query: phrase, places: fc.double({ min: 0, max: 2, noNaN: true }), feature: fc.integer({ min: 0, max: 99 }) });
    await fc.assert(fc.asyncProperty(states, async (state) => void (await show({ mode: 'toy', ...state }, core))), { numRuns: 25 });
  });

  it('says that the blend is the same, and with places how far apart the two are', async () => {
    expect((await show({ mode: 'toy' }, core)).title).toBe('Added up in two orders, the blend of “.” is the same');
    const placed = await show({ mode: 'toy', places: 1 }, core);
    expect(placed.title).toMatch(/^With numbers for the places, the two blends of “\.” are \d\.\d\d apart$/);
    expect(displayTable(placed.table).rows).toHaveLength(14);
  });
});
