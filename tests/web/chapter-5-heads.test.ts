// head-views, never-ahead and head-finder on the little model: what they show is what the native program says of the same
// text, under the right names; a link of any kind leaves them in use; nothing recorded passes for computed.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildEngine } from '../../web/compiler/engine.ts';
import { withHeads } from '../../web/compiler/heads.ts';
import { nativeProgram } from '../../web/compiler/native.ts';
import type { Engine, ModelInfo } from '../../web/engine/types.ts';
import { csv, displayTable, type FigureDefinition } from '../../web/figures/definition.ts';
import { frame } from '../../web/figures/frame.ts';
import { figure as headFinder } from '../../web/figures/head-finder.ts';
import { figure as headViews } from '../../web/figures/head-views.ts';
import { recorded, recordedTokens, sentence } from '../../web/figures/head-views/recorded.ts';
import { figure as neverAhead } from '../../web/figures/never-ahead.ts';
import { modelLabel } from '../../web/marks/model-label.ts';
import { pageSchema } from '../../web/state/page.ts';
import { initialState, parseState } from '../../web/state/schema.ts';
import { draw, lettersOf } from './draw.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = process.env['LOOKBACK_NATIVE'] ?? join(root, 'build/native/lookback');
const wasm = process.env['LOOKBACK_WASM'] ?? join(root, 'build/wasm/wasm');
const little = join(root, 'web/public/models/little');
const capital = 'Maya lives in Paris, the capital of';
const signal = new AbortController().signal;

let engine: Engine;
beforeAll(() => void (engine = buildEngine(nativeProgram(program, little), { wasm, little })));

interface Look { layer: number; head: number; shares: number[] }
interface Inside { tokens: { token: string }[]; attention: { heads: Look[]; mean: number[]; hardest_looking: { to: number; layer: number; head: number; share: number }[] } }

async function inside(text: string, from: number, heads: string[] = []): Promise<Inside> {
  const args = ['inside', '--model', little, '--json', '--text', text, '--from', String(from), ...heads.flatMap((head) => ['--head', head])];
  return JSON.parse((await promisify(execFile)(program, args, { maxBuffer: 1 << 26 })).stdout);
}

/** As the book writes shares. */
function percent(share: number): string {
  const value = share * 100;
  if (value > 0 && value < 0.05) return '<\u202F0.1\u202F%';
  return `${value.toFixed(value !== 0 && value < 0.95 ? 1 : 0)}\u202F%`;
}

async function show<S, R>(figure: FigureDefinition<S, R>, patch: Partial<S>, asked = engine) {
  const state = { ...initialState(figure.schema), ...patch };
  const result = await figure.compute(asked, state, signal, () => {});
  const page = initialState(pageSchema);
  const markup = await draw(frame({ definition: figure, context: { id: 'f', state, result, set: () => {}, page }, number: '', caption: '' }));
  expect(markup).not.toMatch(/<[^>]*\sstyle\s*=|<script|undefined|\[object|NaN/);
  return { state, result, markup, letters: lettersOf(markup).replace(/\s+/g, ' '), title: figure.title(state, result), table: displayTable(figure.table(state, result)) };
}

const names = (tokens: { token: string }[]) => tokens.map(({ token }) => token.replace(/^“ ?|”$/g, ''));

// -------------------------------------------------------------------------------------------------------- head-views

describe('head-views', () => {
  const views = ['first', 'second', 'third', 'mean'] as const;

  it('shows in every view the shares that the native program gives, for several tokens and heads', async () => {
    for (const [heads, from] of [[['2.2', '0.0', '1.0'], 8], [['3.3', '1.1', '2.0'], 3], [['0.1', '3.0', '2.3'], -1]] as const) {
      const last = 11;
      const { tokens, attention } = await inside(sentence, from < 0 ? last : from, [...heads]);
      const rows = [...heads.map((name) => attention.heads.find(({ layer, head }) => `${layer}.${head}` === name)!.shares), attention.mean];
      for (const [at, view] of views.entries()) {
        const { title, table, markup } = await show(headViews, { heads, from, view });
        const most = rows[at]!.indexOf(Math.max(...rows[at]!));
        expect(title).toContain(`${most === rows[at]!.length - 1 ? 'itself' : `“${names(tokens)[most]}”`}, with ${percent(rows[at]![most]!)}`);
        const shown = [...markup.matchAll(/<span class="looks-number">([^<]*)<\/span>/g)].map(([, text]) => lettersOf(text!));
        expect(shown).toEqual(rows[at]!.map(percent));
        expect(table.rows.map((row) => row[at + 1])).toEqual(rows[at]!.map(percent));
        // As many arcs as shares of half a per cent, and a hatched row for each later token.
        expect([...markup.matchAll(/<path class="arc" d="M80/g)]).toHaveLength(rows[at]!.filter((share) => share >= 0.005).length);
        expect([...markup.matchAll(/later: out of sight/g)]).toHaveLength(tokens.length - rows[at]!.length);
      }
    }
  });

  it('names each head as it counts, and the average over all', async () => {
    const { letters } = await show(headViews, { heads: ['2.2', '0.0', '1.0'], view: 'mean' });
    for (const name of ['layer 2 head 2', 'layer 0 head 0', 'layer 1 head 0', 'average of all 16 heads']) expect(letters).toContain(name);
  });

  it('shows what is recorded of GPT-2 as recorded, while another model is open, and no model’s label above it', async () => {
    const { title, letters, markup } = await show(headViews, { model: 'gpt2', heads: ['4.3', '0.0', '4.11'], from: 8, view: 'first' });
    expect(title).toBe('Recorded from GPT-2 small: in layer 4 head 3, “it” looks most at “animal”, with 85\u202F%');
    expect(letters).toContain('Recorded figures of GPT-2 small, which is not open here');
    expect(letters).toContain('Open GPT-2 small…');
    expect(letters.match(/(?:&lt;|<)\s0\.5\s%/g)!.length).toBeGreaterThanOrEqual(2);
    expect(markup).not.toContain('figure-model"');
    expect((await show(headViews, { model: 'gpt2', heads: ['4.3', '0.0', '4.11'], from: 8, view: 'mean' })).title).toContain('on average over its 144 heads, “it” looks most at “The”, with 54\u202F%');
  });

  it('shows the model at hand, and says so, where nothing is recorded', async () => {
    for (const patch of [{ view: 'third' }, { view: 'first', from: 7 }, { view: 'first', text: capital }] as const) {
      const { title, letters } = await show(headViews, { model: 'gpt2', heads: ['4.3', '0.0', '4.11'], from: 8, ...patch });
      expect(title).not.toContain('Recorded');
      expect(letters).toContain('of GPT-2 small; shown is the nearest that the little model has');
      expect(letters).toContain('Little model');
    }
  });

  it('has records that can be shares, of the sentence as it is cut', async () => {
    expect(recordedTokens.join('')).toBe(sentence.slice(0, sentence.indexOf(' was')));
    for (const what of ['4.3', '0.0', 'mean']) {
      const known = recorded(sentence, 8, what)!;
      expect(known).toHaveLength(recordedTokens.length);
      const sum = known.reduce<number>((total, share) => total + (share ?? 0), 0);
      expect(sum).toBeGreaterThan(0.95);
      expect(sum).toBeLessThan(1.05);
    }
    for (const [text, from, what] of [[sentence, 7, '4.3'], [capital, 8, '4.3'], [sentence, 8, '4.4'], [sentence, 8, 'constructor']] as const) expect(recorded(text, from, what)).toBeNull();
  });
});

// ------------------------------------------------------------------------------------------------------- head-finder

describe('head-finder', () => {
  it('finds the head that the native program finds, for every pair of a text', async () => {
    const count = 8;
    for (let from = 0; from < count; from++) {
      const { tokens, attention } = await inside(capital, from);
      for (const { to, layer, head, share } of attention.hardest_looking) {
        const { title } = await show(headFinder, { from, to });
        const pair = from === to ? `“${names(tokens)[from]}” to itself` : `“${names(tokens)[from]}” to “${names(tokens)[to]}”`;
        expect(title).toBe(`From ${pair}, layer ${layer} head ${head} looks hardest, with ${percent(share)}`);
      }
    }
  });

  it('shows every head’s share in the map, in order in the list, and the row of the head that is picked', async () => {
    const all = Array.from({ length: 16 }, (_, at) => `${Math.floor(at / 4)}.${at % 4}`);
    const { attention } = await inside(capital, 7, all);
    const { table, markup } = await show(headFinder, { from: 7, to: 3, heads: ['3.1'] });
    const cells = [...markup.matchAll(/aria-label="layer (\d+) head (\d+), from “of” to “Paris”: ([^"]*)"/g)].map(([, layer, head, text]) => [layer, head, lettersOf(text!)].join(' '));
    expect(cells).toEqual(attention.heads.map(({ layer, head, shares }) => `${layer} ${head} ${percent(shares[3]!)}`));
    expect(table.rows).toEqual([...attention.heads].sort((a, b) => b.shares[3]! - a.shares[3]!).map(({ layer, head, shares }) => [String(layer), String(head), percent(shares[3]!)]));
    const picked = attention.heads.find(({ layer, head }) => layer === 3 && head === 1)!;
    const strip = markup.slice(markup.indexOf('id="f-to-token-0"'));
    expect([...strip.matchAll(/<span class="token-below">([^<]*)</g)].map(([, text]) => lettersOf(text!))).toEqual(picked.shares.map(percent));
  });

  it('says when a passage means GPT-2 and another model is open', async () => {
    expect((await show(headFinder, { model: 'gpt2' })).letters).toContain('This is about GPT-2 small; shown is the little model.');
    const { title, table, markup } = await show(headFinder, { model: 'gpt2', from: -1, to: 4 });
    expect(title).toBe('Recorded from GPT-2 small: the head of layer 8 that looks hardest from “of” to “Paris” gives it 61\u202F%');
    expect(table.rows).toEqual([['8', '61\u202F%']]);
    expect(markup).not.toContain('figure-model"');
    expect((await show(headFinder, { model: 'little' })).letters).not.toContain('This is about');
  });
});

// ------------------------------------------------------------------------------------------------------- never-ahead

describe('never-ahead', () => {
  it('finds every number equal up to where the texts part, and not from there on', async () => {
    const { result, title, table } = await show(neverAhead, {});
    if (result.kind !== 'seen') throw new Error(result.kind);
    expect(result.parting).toBe(11);
    for (const row of result.differing) expect(row.map((count) => count > 0)).toEqual(Array.from({ length: 12 }, (_, at) => at === 11));
    expect(title).toBe('“it” has the same 96 numbers in both texts after 4 layers; the texts part at “tired | w”');
    expect(table.rows[8]).toEqual(['8 it', '0', '0', '0', '0', '0']);
  });

  it('works each text out from nothing', async () => {
    const runs: string[] = [];
    const watched: Engine = { ...engine, run: (input, options) => (runs.push('text' in input ? input.text : input.ids.join()), engine.run(input, options)) };
    await show(neverAhead, { one: 'The dog ran', two: 'The dog sat' }, watched);
    const [first] = await engine.tokenize('The');
    for (const text of ['The dog ran', 'The dog sat']) {
      const before = runs[runs.indexOf(text, 1) - 1]!;
      expect(before).toMatch(/^\d+$/);
      expect(Number(before)).not.toBe(first!.id);
    }
  });

  it('shows the core’s numbers and their bits, and tells rows apart that differ in one', async () => {
    const run = await engine.run({ text: sentence });
    const { data } = await engine.activation(run, 'blocks.2.hook_resid_pre');
    const { markup } = await show(neverAhead, { token: 8, layers: 2 });
    const bits = new Uint32Array(data.slice(8 * 96, 8 * 96 + 6).buffer);
    for (let at = 0; at < 6; at++) {
      expect(markup).toContain(data[8 * 96 + at]!.toFixed(6).replace('-', '\u2212'));
      expect(markup.split(bits[at]!.toString(16).toUpperCase().padStart(8, '0'))).toHaveLength(3);
    }
    let calls = 0;
    const off: Engine = { ...engine, activation: async (...args) => {
      const found = await engine.activation(...args);
      if (args[1] === 'blocks.2.hook_resid_pre' && ++calls === 2) found.data[8 * 96 + 5]! += 1e-6;
      return found;
    } };
    const { title, letters } = await show(neverAhead, { token: 8, layers: 2 }, off);
    expect(title).toContain('“it” after 2 layers: 1 of 96 numbers differ');
    expect(letters).toContain('95 of 96 are equal to the last bit');
  });

  it('knows the same text, and one that goes on', async () => {
    expect((await show(neverAhead, { two: sentence })).title).toContain('the texts are the same');
    expect((await show(neverAhead, { one: 'The dog', two: 'The dog ran', token: 1 })).title).toContain('the texts part at “– | ran”');
  });
});

// ---------------------------------------------------------------------------------------------------------- all three

describe('the figures about heads', () => {
  const figures = [headViews, headFinder, neverAhead] as unknown as FigureDefinition<any, any>[];

  it('take any link', async () => {
    const value = fc.oneof(fc.string({ unit: 'binary', maxLength: 30 }), fc.integer({ min: -5, max: 2000 }).map(String), fc.constantFrom('2.2,0.0', '9.9', ',', 'mean', 'gpt2', '', sentence));
    for (const figure of figures) {
      const links = fc.dictionary(fc.constantFrom(...Object.keys(figure.schema)), value);
      await fc.assert(
        fc.asyncProperty(links, async (link) => {
          const state = parseState(figure.schema, new Map(Object.entries(link)));
          const { result } = await show(figure, state);
          expect(`${figure.title(state, result)} ${figure.describe(state, result)} ${csv(figure.table(state, result))}`).not.toMatch(/undefined|NaN|\[object/);
        }),
        { numRuns: 25 },
      );
    }
  });

  it('stay in use when the model cannot take the text', async () => {
    const long = 'a '.repeat(300);
    for (const [figure, patch] of [[headViews, { text: long }], [headFinder, { text: long }], [neverAhead, { two: long }]] as const) {
      const { letters } = await show(figure as FigureDefinition<any, any>, patch);
      expect(letters).toMatch(/window|128/);
      expect(letters).toContain('Model: the little model');
    }
    expect((await show(headViews, { text: '' })).letters).toContain('Type a text for the model to read.');
  });

  it('are bound to heads by what these do', () => {
    const found = new Map([['noun', { name: '2.2' }], ['resting', { name: '1.0' }]]) as never;
    expect(withHeads([['heads', 'noun,3.1,resting'], ['view', 'mean']], found)).toEqual([['heads', '2.2,3.1,1.0'], ['model', 'little'], ['view', 'mean']]);
    expect(withHeads([['heads', '4.3,0.0']], found)).toEqual([['heads', '4.3,0.0']]);
  });

  it('never carry one model’s label over another’s numbers', async () => {
    const model = (await engine.inUse()) as ModelInfo;
    const label = lettersOf(await draw(modelLabel(model)));
    for (const figure of figures) expect((await show(figure, {})).letters).toContain(label);
  });
});
