// layer-map, logit-lens and parameter-budget on the core: labels and values against the native program and against
// numbers worked out here, in several states; links of every kind leave them in use.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildEngine } from '../../web/compiler/engine.ts';
import { faultOf } from '../../web/compiler/links.ts';
import { nativeProgram } from '../../web/compiler/native.ts';
import { displayTable, type FigureDefinition } from '../../web/figures/definition.ts';
import { figure as layerMap } from '../../web/figures/layer-map.ts';
import { figure as logitLens } from '../../web/figures/logit-lens.ts';
import { figure as parameterBudget } from '../../web/figures/parameter-budget.ts';
import { initialState, parseState } from '../../web/state/schema.ts';
import { pageSchema } from '../../web/state/page.ts';
import { draw, lettersOf } from './draw.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const little = `${root}web/public/models/little`;
const native = nativeProgram(process.env['LOOKBACK_NATIVE'] ?? `${root}build/native/lookback`, little);
const engine = buildEngine(native, { wasm: `${root}build/wasm/wasm`, little });
const signal = new AbortController().signal;

async function show<S, R>(figure: FigureDefinition<S, R>, patch: Partial<S>, base: 0 | 1 = 0) {
  const state = { ...initialState(figure.schema), ...patch };
  const result = await figure.compute(engine, state, signal, () => {});
  const markup = await draw(figure.view({ id: 'f', state, result, set: () => {}, page: { ...initialState(pageSchema), base } }));
  expect(markup).not.toMatch(/<[^>]*\sstyle\s*=|<script|undefined|\[object|NaN|Infinity/);
  const { labels, rows } = displayTable(figure.table(state, result));
  const text = lettersOf(markup.replace(/<\/(span|p|button|td|th|li|text)>/g, ' $&')).replace(/\s+/g, ' ');
  return { state, result, markup, text, title: figure.title(state, result), describe: figure.describe(state, result), labels, rows };
}

// Numbers written out anew: two decimals with a real minus; shares in whole per cent, below one with a decimal.
function two(value: number): string {
  const digits = Math.abs(value).toFixed(2);
  return (value < 0 && Number(digits) !== 0 ? '−' : '') + digits;
}
function share(value: number): string {
  const percent = value * 100;
  if (percent > 0 && percent < 0.05) return '<\u202F0.1\u202F%';
  return `${percent.toFixed(percent !== 0 && percent < 0.95 ? 1 : 0)}\u202F%`;
}
const parted = (value: number) => String(value).replace(/\B(?=(\d{3})+$)/g, '\u202F');

/** All kinds of space alike, as in what is read off the picture. */
const even = (text: string) => text.replace(/\s+/g, ' ');

/** What stands on the pressed buttons of a class. */
const pressed = (markup: string, className: string) => [...markup.matchAll(new RegExp(`<button[^>]*class="[^"]*${className}[^>]*aria-pressed="true"[^>]*>([^]*?)</button>`, 'g'))].map(([, inside]) => lettersOf(inside!.replace(/<\/span>/g, ' $&')).replace(/\s+/g, ' ').trim());

// -------------------------------------------------------------------------------------------------------- logit-lens

interface LensRow {
  layers_done: number;
  top: { token: string; probability: number }[];
  target: { probability: number; rank: number };
}
const lensOf = async (options: object) => ((await native.command('inside', { top: 5, ...options })) as { lens: LensRow[] }).lens;
const word = (token: string) => token.replace(/^“(.*)”$/s, '$1').trim();
const paris = 'Maya lives in Paris, the capital of';

describe('logit-lens', () => {
  it('shows the core’s guesses and chances after every number of layers, under the counting of either base', async () => {
    const truth = await lensOf({ text: paris, target: ' France' });
    expect(truth).toHaveLength(5);
    for (const base of [0, 1] as const) {
      for (const { layers_done: done, top, target } of truth) {
        const { text, title, rows, markup } = await show(logitLens, { target: 'France', done }, base);
        expect(rows.map(([count]) => count)).toEqual(['0', '1', '2', '3', '4']);
        expect(rows[done]!.slice(2)).toEqual([parted(target.rank + 1), ...top.flatMap(({ token }) => [word(token), expect.any(String)])]);
        expect(pressed(markup, 'lens-depth')).toEqual([even(`${done} layers done, first guess ${word(top[0]!.token)} ${share(top[0]!.probability)} , chance of France ${share(target.probability)}`)]);
        const when = done === 0 ? 'Before any layer' : done === 4 ? 'After all 4 layers' : done === 1 ? 'After 1 layer' : `After ${done} layers`;
        expect(text).toContain(`${when}, the likeliest next tokens`);
        for (const { token, probability } of top) expect(text).toContain(even(`${word(token)} ${share(probability)}`));
        expect(title).toBe(target.rank === 0 ? `${when}, “France” leads with ${share(target.probability)}` : `${when}, “${word(top[0]!.token)}” leads with ${share(top[0]!.probability)}; “France” has ${share(target.probability)}`);
        expect(text.includes(even(`in place ${parted(target.rank + 1)}`))).toBe(target.rank >= 5);
        expect(markup).toContain(`aria-valuetext="${when[0]!.toLowerCase()}${when.slice(1)}"`);
      }
    }
  });

  it('starts with all layers done, and reads any place and word', async () => {
    const last = await show(logitLens, {});
    expect(last.title).toMatch(/^After all 4 layers, “France” leads/);
    for (const [position, target] of [[3, ' Paris'], [0, ' lives'], [5, ' Italy']] as const) {
      const truth = await lensOf({ text: paris, target, from: position });
      const { rows } = await show(logitLens, { position, target: target.trim() });
      expect(rows.map((row) => row[2])).toEqual(truth.map((row) => parted(row.target.rank + 1)));
    }
    const pieces = await show(logitLens, { target: 'Zanzibar' });
    expect(pieces.text).toMatch(/“Zanzibar” is \d+ tokens to this model; its first is followed\./);
    expect((await show(logitLens, { text: '' })).title).toContain('waiting for a text');
    expect((await show(logitLens, { text: 'word '.repeat(200) })).text).toMatch(/window/);
  });

  it('names the token that is followed of a longer word, and no space as if it were a word', async () => {
    const leading = 'the leading space (the first token of “xylophone”)';
    const told = await show(logitLens, { target: 'xylophone' });
    expect(told.title).toContain(`; ${leading} has `);
    expect((await show(logitLens, { target: 'xylophone', quiz: true })).text).toContain(`After how many layers is ${leading} among the top three guesses`);
    expect(told.describe + told.text).not.toContain('“space”');
    expect((await show(logitLens, { target: 'Zanzibar' })).title).toMatch(/; “\p{L}+” \(the first token of “Zanzibar”\) has |; the leading space \(the first token of “Zanzibar”\) has /u);
  });

  it('keeps its numbers until the reader has guessed, and then sets the guess beside the truth', async () => {
    const truth = await lensOf({ text: paris, target: ' France' });
    const entry = truth.findIndex(({ target }) => target.rank < 3);
    const asked = await show(logitLens, { target: 'France', quiz: true });
    expect(asked.title).toBe('After how many layers is “France” among the top three guesses for the first time?');
    expect(asked.rows).toEqual([]);
    expect(asked.text + asked.describe).not.toMatch(/%|Italy|Morocco/);
    for (const guess of [0, 1, 2, 3, 4, 5]) {
      const { text, describe: said } = await show(logitLens, { target: 'France', quiz: true, guess });
      const told = guess === 0 ? 'before any layer' : guess === 1 ? 'after 1 layer' : guess === 4 ? 'after all 4 layers' : guess === 5 ? 'never' : `after ${guess} layers`;
      const verdict = guess === entry ? `You said ${told}, and so it is.` : `You said ${told}; it is after ${entry} layer${entry === 1 ? '' : 's'}.`;
      expect(text).toContain(verdict);
      expect(said).toContain(verdict);
    }
  });
});

// --------------------------------------------------------------------------------------------------------- layer-map

describe('layer-map', () => {
  const animal = initialState(layerMap.schema).text;

  it('shows the core’s lengths, shapes and neurons', async () => {
    for (const [position, layer] of [[8, 0], [8, 3], [1, 2], [11, 1]] as const) {
      const { lengths, tokens } = (await native.command('inside', { text: animal, from: position })) as { tokens: { token: string }[]; lengths: Record<'before' | 'attention' | 'between' | 'feed_forward' | 'after', number>[] };
      const named = word(tokens[position]!.token);
      const here = lengths[layer]!;
      for (const base of [0, 1] as const) {
        const { title, text, rows, result, markup } = await show(layerMap, { position, layer }, base);
        expect(title).toBe(`In layer ${layer} attention adds a row of length ${two(here.attention)} to “${named}”, the feed-forward step one of ${two(here.feed_forward)}`);
        expect(rows.map((row) => row.slice(1))).toEqual(lengths.map((l) => [l.before, l.attention, l.between, l.feed_forward, l.after].map(two)));
        const n = tokens.length;
        const steps = [
          `Row before the layer of “${named}” ${n} × 96 ${two(here.before)}`, `q , k , v of each of 4 heads ${n} × 24`, `${n} × ${n}`, `${n} × 96 ${two(here.attention)}`,
          `Row between old row plus what was collected ${n} × 96 ${two(here.between)}`, `Up each neuron reads the row ${n} × 384`, `${n} × 96 ${two(here.feed_forward)}`, `${n} × 96 ${two(here.after)}`,
        ];
        let from = 0;
        for (const step of steps) expect((from = text.indexOf(step, from) + 1), step).toBeGreaterThan(0);
        expect(pressed(markup, 'map-layer')).toEqual([`Layer ${layer + base} , attention adds ${two(here.attention)} , the feed-forward step adds ${two(here.feed_forward)}`]);
        if (result.kind !== 'seen') throw new Error(result.kind);
        const { neurons } = result.seen;
        const top = [...neurons].sort((a, b) => b.post - a.post)[0]!;
        expect(pressed(markup, 'map-neuron')).toEqual([`Neuron ${top.at + base} , before ${two(top.pre)} , after ${two(top.post)}`]);
        expect(text).toContain(`${neurons.filter(({ pre }) => pre > 0).length} of 384 neurons are above zero`);
      }
    }
  });

  it('bends every neuron as GELU does, and draws it where its numbers say', async () => {
    const { result, markup } = await show(layerMap, { position: 8, layer: 2, neuron: 17 });
    if (result.kind !== 'seen') throw new Error(result.kind);
    const { neurons, curve } = result.seen;
    for (const { pre, post } of neurons) {
      expect(post).toBeCloseTo(0.5 * pre * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (pre + 0.044715 * pre ** 3))), 5);
    }
    const [least, most] = [curve.x[0]!, curve.x.at(-1)!];
    for (const { pre } of neurons) expect(pre >= least && pre <= most).toBe(true);
    const [, cx] = /class="map-now" cx="?([\d.]+)/.exec(markup)!;
    const [, d] = /class="map-curve" d="?M([\d.]+) [^"]*L([\d.]+) [\d.]+"/.exec(markup) ?? [];
    const right = Number(/class="map-curve" d="[^"]*L([\d.]+) [\d.]+"/.exec(markup)![1]);
    expect(Number(cx)).toBeCloseTo(Number(d) + ((neurons[17]!.pre - least) / (most - least)) * (right - Number(d)), 0);
    expect(markup.match(/class="map-rug" d="([^"]*)"/)![1]!.split('M')).toHaveLength(385);
  });

  it('takes any text, and says what it cannot read', async () => {
    expect((await show(layerMap, { text: '' })).text).toContain('Type a text');
    expect((await show(layerMap, { text: '🙂', position: 99, layer: 99, neuron: 99_999 })).title).toMatch(/^In layer 3 attention adds/);
  });
});

// -------------------------------------------------------------------------------------------------- parameter-budget

describe('parameter-budget', () => {
  const sizes = { little: [4, 96, 2048, 128], small: [12, 768, 50257, 1024], medium: [24, 1024, 50257, 1024], large: [36, 1280, 50257, 1024], xl: [48, 1600, 50257, 1024], own: [3, 10, 7, 5] } as const;
  const counted = ([layers, width, tokens, places]: readonly number[]) => {
    const [L, d, V, P] = [layers!, width!, tokens!, places!];
    return { tokens: V * d, positions: P * d, attention: L * (4 * d * d + 4 * d), feed_forward: L * (8 * d * d + 5 * d), norms: (2 * L + 1) * 2 * d };
  };

  it('counts every part of every model', async () => {
    for (const [model, own] of Object.entries(sizes)) {
      const parts = counted(own);
      const all = Object.values(parts).reduce((a, b) => a + b);
      for (const part of Object.keys(parts) as (keyof typeof parts)[]) {
        const [layers, width, tokens, places] = own;
        const { text, title, markup, rows } = await show(parameterBudget, { model: model as keyof typeof sizes, piece: part, ...(model === 'own' ? { layers, width, tokens, places } : {}) });
        const part100 = (100 * parts[part]) / all;
        const percent = part100 < 0.05 ? '<\u202F0.1\u202F%' : `${part100.toFixed(1)}\u202F%`;
        expect(title).toContain(`has ${parted(all)} weights, ${percent} of them in`);
        expect(pressed(markup, 'budget-part')[0]).toMatch(new RegExp(`${even(`${percent} ${parted(parts[part])}`).replace('.', '\\.')}$`));
        expect(text).toContain(even(`: ${parted(parts[part])} weights`));
        expect(rows.length).toBe(5 + 4 + 1 + 1 + 2);
      }
    }
    const { labels, rows } = await show(parameterBudget, {});
    expect(labels).toEqual(['part', 'table', 'rows', 'columns', 'how many', 'weights', 'share of all']);
    expect(rows[0]!.slice(0, 6)).toEqual(['Token table', 'token table', '50\u202F257', '768', '1', '38\u202F597\u202F376']);
  });

  it('has the little model’s own sizes', async () => {
    const { config, n_parameters } = (await engine.inUse())!;
    const { result } = await show(parameterBudget, { model: 'little' });
    expect(result.asked.sizes).toEqual({ layers: config.n_layers, width: config.d_model, tokens: config.d_vocab, places: config.n_positions });
    expect(result.asked.weights).toBe(n_parameters);
    expect(config.d_mlp).toBe(4 * config.d_model);
  });
});

// -------------------------------------------------------------------------------------------------------------- links

describe('links', () => {
  it('of the chapter ask for states that the figures have', () => {
    const place = `${root}chapters/05-heads-and-layers.md`;
    if (!existsSync(place)) return;
    const figures = { 'layer-map': layerMap, 'logit-lens': logitLens, 'parameter-budget': parameterBudget };
    const links = [...readFileSync(place, 'utf8').matchAll(/\(figure:(layer-map|logit-lens|parameter-budget)\?([^)]*)\)/g)];
    expect(links.length).toBeGreaterThan(9);
    for (const [link, name, query] of links) {
      for (const [key, value] of new URLSearchParams(query)) expect(faultOf(figures[name as keyof typeof figures].schema as never, key, value), link).toBeNull();
    }
  });

  it('of every kind leave a figure that draws', async () => {
    const odd = fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.constantFrom('', '-1', '0', '1e9', '99999', 'xl', 'own', '<b>', '../..'));
    // As text these words would rightly be shown.
    const number = fc.oneof(odd, fc.constantFrom('NaN', 'undefined', '-Infinity'));
    const check = <S, R>(figure: FigureDefinition<S, R>) =>
      fc.assert(
        fc.asyncProperty(fc.array(fc.constantFrom(...(Object.keys(figure.schema) as (keyof S & string)[])).chain((key) => fc.tuple(fc.constant(key), figure.schema[key].kind === 'text' ? odd : number)), { maxLength: 5 }), async (values) => {
          const state = parseState(figure.schema, new Map(values));
          const result = await figure.compute(engine, state, signal, () => {});
          const markup = await draw(figure.view({ id: 'f', state, result, set: () => {}, page: initialState(pageSchema) }));
          expect(markup).not.toMatch(/NaN|undefined|\[object|<b>/);
          expect(figure.title(state, result) + figure.describe(state, result)).not.toMatch(/NaN|undefined/);
        }),
        { numRuns: 40 },
      );
    await check(logitLens);
    await check(layerMap);
    await check(parameterBudget);
  });
});
