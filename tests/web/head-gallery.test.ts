// head-gallery: every head under its own name with the core's pattern and scores, in the order that is asked for; what has
// not come is an empty shape; links of every kind leave the figure in use.

import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { EngineError, headScores, type Engine, type LayerGallery, type LoadProgress, type Run } from '../../web/engine/types.ts';
import { csv, displayTable } from '../../web/figures/definition.ts';
import { figure } from '../../web/figures/head-gallery.ts';
import { headsOf, sorted, sorts, wallOf, type Result, type Seen, type State } from '../../web/figures/head-gallery/work.ts';
import { formatNumber } from '../../web/marks/number.ts';
import { shareInk } from '../../web/marks/ink.ts';
import { stillPattern } from '../../web/marks/pattern.ts';
import { pageSchema } from '../../web/state/page.ts';
import { initialState, parseState } from '../../web/state/schema.ts';
import { draw as drawTemplate } from './draw.ts';
import { knownEngine, model } from './known-head.ts';

const signal = new AbortController().signal;
const stateOf = (patch: Partial<State>): State => ({ ...initialState(figure.schema), text: 'When Mary and John', ...patch });

async function see(patch: Partial<State>, engine: Engine = knownEngine()): Promise<{ state: State; seen: Seen }> {
  const state = stateOf(patch);
  const seen = await figure.compute(engine, state, signal, () => {});
  if (seen.kind !== 'seen') throw new Error(`The figure shows ${seen.kind}.`);
  return { state, seen };
}

async function drawn(state: State, result: Result): Promise<string> {
  const markup = await drawTemplate(figure.view({ id: 'f', state, result, set: () => {}, page: initialState(pageSchema) }));
  expect(markup).not.toMatch(/<[^>]*\sstyle\s*=|<script|undefined|\[object|NaN/);
  return markup;
}

/** Names of the heads as they hang, and what stands below each. */
function hung(markup: string): [name: string, score: string][] {
  return [...markup.matchAll(/class="gallery-name">([^<]*)<[^]*?(?=class="gallery-name"|$)/g)].map(([piece, name]) => [name!, /class="gallery-score">([^<]*)</.exec(piece)?.[1] ?? '']);
}

describe('head-gallery', () => {
  it('hangs every head under its name, with the core’s own score below it, in the order of that score', async () => {
    const engine = knownEngine();
    for (const sort of sorts) {
      const { state, seen } = await see({ sort }, engine);
      const run = { tokens: [], pass: 0, milliseconds: 0, trace_bytes: 0 } as Run;
      const truth = [];
      for (const layer of [0, 1]) {
        const { scores } = await engine.gallery(run, layer, 64);
        for (const head of [0, 1, 2]) truth.push({ name: `${layer}.${head}`, score: sort === 'place' ? 0 : scores[head * headScores.length + headScores.indexOf(sort)]! });
      }
      if (sort !== 'place') truth.sort((a, b) => b.score - a.score);
      const shown = (value: number) => (sort === 'place' ? '' : sort === 'entropy' ? `${value.toFixed(2)} bits` : formatNumber(value, 'share'));
      expect(hung(await drawn(state, seen))).toEqual(truth.map(({ name, score }) => [name, shown(score)]));
      if (sort !== 'place') {
        expect(figure.title(state, seen)).toContain(`Layer ${truth[0]!.name.replace('.', ' head ')} `);
        expect(figure.title(state, seen)).toContain(shown(truth[0]!.score));
      }
    }
  });

  it('draws the core’s pattern, square by square, and hatches what is masked', async () => {
    const { seen } = await see({});
    for (const { pattern } of headsOf(seen)) {
      const { grid, side } = pattern;
      const markup = await drawTemplate(stillPattern(pattern, 'hatch'));
      const inks = Array.from({ length: side * side }, () => 0);
      for (const [, opacity, path] of markup.matchAll(/stroke-opacity="([\d.]+)" d="([^"]*)"/g)) {
        let [row, column] = [0, 0];
        for (const [, move, x, y, length] of path!.matchAll(/([Mm])(\d+) ([\d.]+)h(\d+)/g)) {
          [row, column] = move === 'M' ? [Number(y) - 0.5, Number(x)] : [row, column + Number(x)];
          for (let left = Number(length); left > 0; left--) inks[row * side + column++]! += Number(opacity);
        }
      }
      inks.forEach((ink, at) => expect(ink).toBeCloseTo(shareInk(Math.round(grid[at]! * 10) / 10).opacity, 6));
      // The stairs above the diagonal: side (side − 1) / 2 squares of 10 by 10.
      const corners: [number, number][] = [];
      let here: [number, number] = [0, 0];
      for (const [, sign, numbers] of /url\(#hatch\)" d="([^"]*)"/.exec(markup)![1]!.matchAll(/([MHV])([\d ]+)/g)) {
        const [a = 0, b = 0] = numbers!.split(' ').map(Number);
        here = sign === 'M' ? [a, b] : sign === 'H' ? [a, here[1]] : [here[0], a];
        corners.push(here);
      }
      const area = corners.reduce((sum, [x, y], at) => sum + x * corners[(at + 1) % corners.length]![1] - corners[(at + 1) % corners.length]![0] * y, 0) / 2;
      expect(Math.abs(area)).toBe((side * (side - 1) * 100) / 2);
    }
  });

  it('says the same in title, description and table', async () => {
    const { state, seen } = await see({ sort: 'previous', heads: ['1.2'] });
    const best = sorted('previous', seen)[0]!;
    const value = formatNumber(best.scores.previous!, 'share');
    expect(figure.title(state, seen)).toBe(`Layer ${best.layer} head ${best.head} looks hardest at the token before, with ${value} on average`);
    const open = headsOf(seen)[5]!;
    expect(figure.describe(state, seen)).toContain(`Open is layer 1 head 2: token before ${formatNumber(open.scores.previous!, 'share')}, first token ${formatNumber(open.scores.first!, 'share')}`);
    const { labels, rows } = displayTable(figure.table(state, seen));
    expect(labels).toEqual(['layer', 'head', 'token before', 'first token', 'same token', 'induction', 'itself', 'spread']);
    expect(rows).toHaveLength(6);
    expect(rows[0]!.slice(0, 3)).toEqual([String(best.layer), String(best.head), value]);
    expect(csv(figure.table(state, seen)).split('\r\n')[1]!.split(',')[2]).toBe(String(best.scores.previous));
    const resting = headsOf(seen).filter(({ scores }) => scores.first! > 0.5).length;
    expect(figure.title(stateOf({}), seen)).toBe(`Of 6 heads, ${resting} give the first token more than half, on average`);
  });

  it('opens one head with its scores and a link that names the same text, layer and head', async () => {
    const { state, seen } = await see({ text: 'a&b c', heads: ['1.0'] });
    const markup = await drawn(state, seen);
    expect(markup.match(/aria-expanded="true"/g)).toHaveLength(1);
    const link = /class="sets" href="([^"]*)"/.exec(markup)![1]!.replaceAll('&amp;', '&');
    expect(link).toBe('03-one-head.html#one-head&one-head.text=a%26b%20c&one-head.layer=1&one-head.head=0&one-head.model=other&one-head.stage=shares&one-head.row=-1&one-head.col=-1');
    const { entropy } = headsOf(seen)[3]!.scores;
    expect(markup).toContain(`Spread: ${entropy!.toFixed(2)} bits, as much as an even look at ${(2 ** entropy!).toFixed(1)} tokens.`);
    // Beyond the model's heads the nearest is meant.
    expect(await drawn(stateOf({ heads: ['9.9'] }), seen)).toContain('Layer 1 head 2');
  });

  it('says so where no look of the text can have a score, and puts such heads last', async () => {
    const honest = knownEngine();
    const twinless = knownEngine({ gallery: async (...args) => {
      const found = await honest.gallery(...args);
      const scores = found.scores.map((value, at) => ([2, 3].includes(at % headScores.length) && !(args[1] === 1 && at < 6) ? NaN : value));
      return { ...found, scores };
    } });
    await honest.run({ text: 'When Mary and John' });
    const { state, seen } = await see({ sort: 'induction' }, twinless);
    expect(hung(await drawn(state, seen)).map(([name]) => name)).toEqual(['1.0', '0.0', '0.1', '0.2', '1.1', '1.2']);
    expect(hung(await drawn(state, seen)).at(-1)).toEqual(['1.2', '–']);
    const none: Seen = { ...seen, layers: seen.layers.map((heads) => heads!.map((head) => ({ ...head, scores: { ...head.scores, same: null } }))) };
    expect(figure.title(stateOf({ sort: 'same' }), none)).toBe('No token of this text has come before, so no head can be sorted by it');
    expect(displayTable(figure.table(state, none)).rows[0]![4]).toBe('');
  });

  it('says how many tokens a square of a long text stands for', async () => {
    const { state, seen } = await see({ heads: ['0.1'] });
    const long: Seen = { ...seen, block: 16, run: { ...seen.run!, tokens: Array.from({ length: 1024 }, () => seen.run!.tokens[0]!) } };
    expect(await drawn(state, long)).toContain('1\u202F024 tokens are too many for grids of this size: a square stands for 16 × 16 pairs of tokens and shows the largest share among them.');
  });

  it('takes any link', async () => {
    const engine = knownEngine();
    const value = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...sorts, '0.0', '1.2', '999.999', '-1.0'));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...Object.keys(figure.schema)), value), async (link) => {
        const state = parseState(figure.schema, new Map(Object.entries(link)));
        const result = await figure.compute(engine, state, signal, () => {});
        expect(`${figure.title(state, result)} ${figure.describe(state, result)} ${csv(figure.table(state, result))}`).not.toMatch(/undefined|NaN|\[object/);
        await drawn(state, result);
      }),
      { numRuns: 100 },
    );
  });
});

// ----------------------------------------------------------------------------------------------- as it comes, layer by layer

describe('while its model arrives, head-gallery', () => {
  function arriving(run?: () => Promise<void>) {
    const come = { layers_begun: 0 };
    const listeners = new Set<(progress: LoadProgress | null) => void>();
    const progress = (): LoadProgress => ({ step: '', done_bytes: 31e6, total_bytes: 498e6, parts: [], tokens_at: 60e6, layers_at: [50e6, 124e6], layers_begun: come.layers_begun, notice: '' });
    const known = knownEngine({}, { ...model, arriving: true });
    const { gallery, run: runNow } = known;
    const engine = Object.assign(known, {
      arriving: progress,
      onArrival(listener: (progress: LoadProgress | null) => void) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      async run(...args: Parameters<Engine['run']>) {
        await run?.();
        return runNow.apply(engine, args);
      },
      async gallery(at: Run, layer: number, most: number): Promise<LayerGallery> {
        if (layer >= come.layers_begun) throw new EngineError('not_yet', 'Its weights have not come.');
        return gallery.call(engine, at, layer, most);
      },
    });
    const more = (layers: number) => {
      come.layers_begun = layers;
      listeners.forEach((listener) => listener(progress()));
    };
    return { engine, more, listeners };
  }

  const follow = (engine: Engine, state: State) => {
    const results: Result[] = [];
    const done = figure.compute(engine, state, signal, (result) => results.push(result)).then((first) => results.unshift(first));
    const there = () => results.map((result) => (result.kind === 'seen' ? headsOf(result).length : -1)).at(-1);
    return { results, done, there };
  };

  it('shows what is there, leaves the room of the others, and fills it as they come', async () => {
    const { engine, more, listeners } = arriving();
    const state = stateOf({});
    const { results, done, there } = follow(engine, state);
    await done;
    expect(there()).toBe(0);
    expect(figure.title(state, results[0]!)).toBe('All heads at once, waiting for their model');
    const empty = await drawn(state, results[0]!);
    expect(hung(empty).map(([name]) => name)).toEqual(['0.0', '0.1', '0.2', '1.0', '1.1', '1.2']);
    expect(empty.match(/gallery-awaited/g)).toHaveLength(6);
    expect(empty).toContain('0 of 2 layers can be seen so far: 31\u202FMB of 498\u202FMB of the model have come.');
    more(1);
    await vi.waitFor(() => expect(there()).toBe(3));
    const half = results.at(-1) as Seen;
    expect((await drawn(state, half)).match(/gallery-awaited/g)).toHaveLength(3);
    expect(wallOf('first', half)[1]!.map(({ layer, head }) => `${layer}.${head}`)).toEqual(['1.0', '1.1', '1.2']);
    expect(figure.title(state, half)).toMatch(/^Of the 1 layer that is here: Of 3 heads/);
    more(2);
    await vi.waitFor(() => expect(there()).toBe(6));
    expect(listeners.size).toBe(0);
    // A head that was there is the same, so that its picture need not be drawn again.
    expect(headsOf(results.at(-1) as Seen)[1]).toBe(headsOf(half)[1]);
  });

  it('shows the empty shapes where the tokens of a typed text have to come first', async () => {
    let come = () => {};
    const { engine, more } = arriving(() => new Promise<void>((resolve) => (come = resolve)));
    const { results, done, there } = follow(engine, stateOf({}));
    await done;
    expect((results[0] as Seen).run).toBeNull();
    more(2);
    come();
    await vi.waitFor(() => expect(there()).toBe(6));
  });

  it('refuses a text beyond the window in the core’s sentence', async () => {
    const result = await figure.compute(knownEngine(), stateOf({ text: 'a b c d e f g h i' }), signal, () => {});
    expect(result.kind).toBe('refused');
    expect(figure.describe(stateOf({}), result)).toBe('The text has 9 tokens, but the model\'s window holds 8.');
  });
});

describe('of a long text, head-gallery', () => {
  it('works out the layers that are asked for, and no others', async () => {
    const tokens = Array.from({ length: 300 }, (_, word) => ({ id: 0, word, pieces: [] }));
    const looked: number[] = [];
    const free: (() => void)[] = [];
    const info = { ...model, config: { ...model.config, n_layers: 4 } };
    const engine = knownEngine({
      run: async () => ({ tokens, pass: 1, milliseconds: 1, trace_bytes: 1 }),
      gallery: async (_run, layer) => {
        looked.push(layer);
        await new Promise<void>((resolve) => free.push(resolve));
        return { block: 5, side: 60, grids: new Float32Array(3 * 3600), scores: new Float32Array(3 * headScores.length) };
      },
    }, info);
    const results: Result[] = [];
    const newest = () => results.at(-1) as Seen;
    const come = async (layers: number[]) => {
      await vi.waitFor(() => expect(free).toHaveLength(1));
      free.pop()!();
      await vi.waitFor(() => expect(newest().layers.flatMap((heads, layer) => (heads ? [layer] : []))).toEqual(layers));
    };
    const first = figure.compute(engine, stateOf({}), signal, (result) => results.push(result)).then((result) => results.unshift(result));
    await come([0]);
    await first;
    expect(figure.describe(stateOf({}), newest())).toContain('1 of 4 layers have been worked out; of a text as long as this, the others are when they come into sight.');
    newest().ask(2);
    newest().ask(2);
    await come([0, 2]);
    expect(wallOf('place', newest()).map((heads) => 'pattern' in heads[0]!)).toEqual([true, false, true, false]);
    // Asked for while another is worked out.
    newest().ask(3);
    await vi.waitFor(() => expect(looked).toEqual([0, 2, 3]));
    newest().ask(1);
    await come([0, 2, 3]);
    await come([0, 1, 2, 3]);
    expect(looked).toEqual([0, 2, 3, 1]);
    expect(figure.describe(stateOf({}), newest())).not.toContain('worked out');
  });
});
