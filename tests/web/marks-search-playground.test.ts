// The search playground with the real core: what is displayed is q·k of the phrases' features, before and after a
// reader changes a phrase or a feature.

import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { nativeEngine } from '../../web/compiler/engine.ts';
import type { Engine } from '../../web/engine/types.ts';
import type { Phrase } from '../../web/engine/lessons.ts';
import { figure } from '../../web/figures/search-playground.ts';
import { withChange } from '../../web/figures/search-changes.ts';
import { formatState, initialState, parseState } from '../../web/state/schema.ts';
import { pageSchema } from '../../web/state/page.ts';
import { score } from '../../web/marks/number.ts';
import { draw } from './draw.ts';

type State = Parameters<typeof figure.compute>[1];

const program = process.env['LOOKBACK'] ?? fileURLToPath(new URL('../../build/native/lookback', import.meta.url));
const engine = nativeEngine(program) as unknown as Engine;
const start = initialState(figure.schema);

async function show(patch: Partial<State>) {
  const wanted = { ...start, ...patch };
  const state = parseState(figure.schema, formatState(figure.schema, wanted));
  expect(state).toEqual(wanted); // a link carries every state below
  const result = await figure.compute(engine, state, new AbortController().signal, () => {});
  const markup = await draw(figure.view({ id: 'f', state, result, set: () => {}, page: initialState(pageSchema) }));
  expect(markup).not.toMatch(/NaN|undefined|\[object/);
  const shown = [...markup.matchAll(/class="match-number">([^<]*)</g)].map((match) => match[1]!);
  return { state, result, markup, shown, title: figure.title(state, result) };
}

const box = async (patch: Partial<State> = {}) => {
  const figure = await show(patch);
  if (figure.result.mode !== 'box') throw new Error('the search box was asked for');
  return { ...figure, found: figure.result.found, features: figure.result.worlds.features.map((feature) => feature.name) };
};
const story = async (patch: Partial<State> = {}) => {
  const figure = await show({ mode: 'story', ...patch });
  if (figure.result.mode !== 'story') throw new Error('a story was asked for');
  return { ...figure, told: figure.result.told, stories: figure.result.stories };
};

/** q·k in float64, from the sums of the words' features. */
function expectedScore(query: Phrase, key: Phrase): number {
  const size = (vector: readonly number[]) => Math.hypot(...vector);
  const lengths = size(query.sum) * size(key.sum);
  return lengths === 0 ? 0 : query.sum.reduce((sum, part, at) => sum + part * key.sum[at]!, 0) / lengths;
}

describe('the search box', () => {
  it('teaches untouched: the page that says it in other words comes first, and its contents come back', async () => {
    const { found, shown, markup, title } = await box();
    expect(found.query.phrase).toBe('a place with a sky');
    expect(found.results[0]!.title).toMatch(/planet/i);
    expect(shown).toEqual(found.results.map((row) => score(row.score)));
    expect([...shown].sort().reverse()).toEqual(shown);
    expect(title).toContain(shown[0]);
    expect(markup).toMatch(/match-best/);
  });

  it('shows q·k for every key, whatever is searched for', async () => {
    for (const query of ['a place with a sky', 'someone who ruled', 'food', 'zzz', '', 'planet planet river']) {
      const { found, shown } = await box({ query });
      found.results.forEach((row, at) => expect(Math.abs(Number(shown[at]) - expectedScore(found.query, row.key))).toBeLessThan(0.00501));
    }
  });

  it('moves the score when one feature of a key is changed, to q·k and nothing else', async () => {
    const before = await box();
    const row = before.found.results[1]!;
    const sky = before.features.indexOf('sky');
    const weights = row.key.sum.map((weight, at) => (at === sky ? weight + 4 : weight));
    const after = await box({ pages: withChange([], row.index, { keyWeights: weights }) });
    const changed = after.found.results.find((other) => other.index === row.index)!;
    const displayed = Number(after.shown[after.found.results.indexOf(changed)]);
    expect(displayed).not.toBe(Number(before.shown[1]));
    const q = before.found.query.sum;
    const dot = q.reduce((sum, part, at) => sum + part * weights[at]!, 0) / Math.hypot(...q) / Math.hypot(...weights);
    expect(Math.abs(displayed - dot)).toBeLessThan(0.00501);
    for (const other of after.found.results) {
      if (other.index !== row.index) expect(other.score).toBe(before.found.results.find((same) => same.index === other.index)!.score);
    }
  });

  it('opens a match to products that add up to the score on display', async () => {
    const { found } = await box();
    const { markup, shown } = await box({ open: found.results[0]!.index });
    const products = [...markup.matchAll(/class="feature-product">([\d.]+)</g)].map((match) => Number(match[1]));
    const total = products.pop()!;
    expect(total).toBe(Number(shown[0]));
    expect(Math.abs(products.reduce((sum, product) => sum + product, 0) - total)).toBeLessThan(0.005 * (products.length + 1));
  });
});

describe('inside a sentence', () => {
  it('lets a token ask in at least four stories, and the answer is the best q·k', async () => {
    const { stories } = await story();
    expect(stories.length).toBeGreaterThanOrEqual(4);
    for (const { id, asking } of stories) {
      const { told, shown } = await story({ story: id });
      expect(told.asking.index).toBe(asking);
      const ranked = told.candidates.map((row) => expectedScore(told.asking.query, row.key)).sort((a, b) => b - a);
      expect(ranked[0]).toBeGreaterThan(0.3);
      shown.forEach((text, at) => expect(Math.abs(Number(text) - ranked[at]!), `${id}, row ${at}`).toBeLessThan(0.00501));
    }
  });

  it('never looks ahead: only tokens before the asking one have a score', async () => {
    const { told, markup } = await story({ asking: 4 });
    expect(told.candidates.map((row) => row.index)).toEqual([0, 1, 2, 3]);
    expect(markup.match(/token-below/g)?.length).toBe(4);
  });

  it('takes changed queries, keys, values and sentences', async () => {
    const { told } = await story();
    const asking = told.asking.index;
    const entries = withChange(withChange([], 0, { key: 'a hungry animal', value: 'it has fur' }), asking, { query: 'a hungry animal' });
    const changed = await story({ tokens: entries });
    expect(changed.told.best).toBe(0);
    expect(changed.shown[0]).toBe('1.00');
    expect(changed.markup).toContain('it has fur');
    const own = await story({ text: 'A planet and <b> a sky', asking: 5 });
    expect(own.told.tokens.map((token) => token.text).join('')).toBe('A planet and <b> a sky');
  });

  it('survives links that speak of what is not there', async () => {
    const { told, title } = await story({ story: 'nowhere', asking: 255, open: 200, tokens: ['99k:x', 'nonsense', '2y:1 2 3'] });
    expect(told.asking.index).toBe(told.tokens.length - 1);
    expect(title).not.toBe('');
  });
});
