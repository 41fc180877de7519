// one-head: what is displayed is what the core gave, under the right name and in the ink that the legend explains; the
// mask hides what it must; links and texts of every kind leave the figure in use, and it never passes one model off as
// another.

import fc from 'fast-check';
import { get_encoding } from 'tiktoken';
import { describe, expect, it, vi } from 'vitest';
import { EngineError, type Engine, type Input, type LoadProgress, type ModelInfo, type Run } from '../../web/engine/types.ts';
import { withRun } from '../../web/engine/with-run.ts';
import { csv, displayTable } from '../../web/figures/definition.ts';
import { figure } from '../../web/figures/one-head.ts';
import { cellName, cellOf, extentOf, namesOf, valueAt } from '../../web/figures/one-head/reading.ts';
import { isHidden, stageNames, stageWords } from '../../web/figures/one-head/stages.ts';
import type { Result, Seen, State } from '../../web/figures/one-head/work.ts';
import { modelLabel } from '../../web/marks/model-label.ts';
import { formatNumber } from '../../web/marks/number.ts';
import { initialState, parseState } from '../../web/state/schema.ts';
import { pageSchema } from '../../web/state/page.ts';
import { draw as drawTemplate } from './draw.ts';
import { knownEngine, model } from './known-head.ts';

const signal = new AbortController().signal;
const stateOf = (patch: Partial<State>): State => ({ ...initialState(figure.schema), text: 'When Mary and John', ...patch });

async function see(patch: Partial<State>): Promise<{ state: State; seen: Seen }> {
  const state = stateOf(patch);
  const seen = await figure.compute(knownEngine(), state, signal, () => {});
  if (seen.kind !== 'seen') throw new Error(`The figure shows ${seen.kind}.`);
  return { state, seen };
}

async function draw(state: State, engine: Engine): Promise<string> {
  const result = await figure.compute(engine, state, signal, () => {});
  const markup = await drawTemplate(figure.view({ id: 'f', state, result, set: () => {}, page: initialState(pageSchema) }));
  expect(markup).not.toMatch(/<[^>]*\sstyle\s*=|<script|undefined|\[object|NaN/);
  return markup;
}

const textOf = (markup: string) => markup.replace(/<[^>]*>/g, ' ').replace(/[ \n]+/g, ' ');

// ------------------------------------------------------------------------------------------------------ what it shows

describe('one-head', () => {
  it('has a chapter’s sentence that GPT-2 cuts into fourteen tokens', () => {
    const encoding = get_encoding('gpt2');
    expect(encoding.encode(initialState(figure.schema).text)).toHaveLength(14);
    encoding.free();
  });

  it('shows in each cell the core’s number of that stage, and nothing where the mask hides it', async () => {
    const engine = knownEngine();
    for (const stage of stageNames) {
      const { seen } = await see({ stage, layer: 1, head: 2 });
      const run = await engine.run({ text: 'When Mary and John' });
      const core = await engine.head(run, 1, 2);
      const numbers = { raw: core.raw, scaled: core.scaled, masked: core.scaled, shares: core.pattern, blend: core.z, output: core.output! }[stage];
      const [rows, columns] = stageWords[stage].shape(seen.sizes);
      expect(numbers.length).toBe(rows * columns);
      let hidden = 0;
      for (let row = 0; row < rows; row++) {
        for (let column = 0; column < columns; column++) {
          const masked = ['masked', 'shares'].includes(stage) && column > row;
          const { text, ink } = cellOf(seen, stage, extentOf(seen, stage), row, column);
          hidden += masked ? 1 : 0;
          expect(text).toBe(masked ? '' : formatNumber(numbers[row * columns + column]!, stage === 'shares' ? 'share' : 'score'));
          expect(ink.className === 'ink-masked').toBe(masked);
        }
      }
      if (isHidden(stage, 0, 1)) expect(stageWords[stage].says({ ...seen.sizes, n: 4 })).toContain(stage === 'masked' ? `16 squares, ${hidden} hidden` : `the ${16 - hidden} scores in sight`);
    }
  });

  it('names the same cell in title, description, table and cell', async () => {
    const { state, seen } = await see({ stage: 'shares', layer: 1, head: 0, row: 3, col: 1 });
    const value = formatNumber(seen.grids.pattern[3 * 4 + 1]!, 'share');
    expect(figure.title(state, seen)).toBe(`In layer 1 head 0, “John” gives ${value} to “Mary”`);
    expect(figure.describe(state, seen)).toContain(`In layer 1 head 0, “John” gives ${value} to “Mary”.`);
    expect(cellName(seen, namesOf(seen), 'shares', 0, 3, 1)).toBe(`from “John” to “Mary”: ${value}`);
    const { labels, rows } = displayTable(figure.table(state, seen));
    expect([labels[2], rows[3]![0], rows[3]![2], rows[1]![3]]).toEqual(['1 Mary', '3 John', value, '']);
    expect(csv(figure.table(state, seen)).split('\r\n')[4]!.split(',')[2]).toBe(String(seen.grids.pattern[3 * 4 + 1]!));
  });

  it('opens a cell to its products, its row and the check', async () => {
    const { state, seen } = await see({ stage: 'shares', row: 3, col: 1, order: 'place' });
    const opened = seen.opened!;
    if (opened.kind !== 'score') throw new Error(opened.kind);
    const markup = textOf(await draw(state, knownEngine()));
    for (const product of opened.cell.products) expect(markup).toContain(formatNumber(product, 'fixed3'));
    for (const value of [opened.cell.raw, opened.cell.scaled, opened.cell.maximum, opened.cell.exponential, opened.cell.sum, opened.cell.share]) {
      expect(markup).toContain(value.toFixed(6).replace('-', '\u2212'));
    }
    expect(markup).toContain('Checked:');
    expect(markup).toContain(`its share of the sum: ${formatNumber(opened.cell.share, 'share')}`);
  });

  it('says so when the core’s number is wrong', async () => {
    const honest = knownEngine();
    const wrong = knownEngine({ cell: async (...args) => {
      const cell = await honest.cell(...args);
      return { ...cell, sum: cell.sum * 1.001 };
    } });
    await honest.run({ text: 'When Mary and John' });
    expect(textOf(await draw(stateOf({ stage: 'shares', row: 3, col: 1 }), wrong))).toContain('The check fails: one number is');
  });

  it('opens a hidden cell to its products and no share', async () => {
    const markup = textOf(await draw(stateOf({ stage: 'masked', row: 1, col: 3 }), knownEngine()));
    expect(markup).toContain('its share is exactly 0');
    expect(markup).not.toContain('its share of the sum');
  });

  it('opens a number of the blend to one product for each token in sight, and one that is written to one for each number of the blend', async () => {
    for (const [stage, count, sum] of [['blend', 3, 'sum of share × v:'], ['output', 4, 'sum of z × W O :']] as const) {
      const { state, seen } = await see({ stage, row: 2, col: 3, layer: 1, head: 2, order: 'place' });
      const opened = seen.opened!;
      if (opened.kind !== stage) throw new Error(opened.kind);
      const core = valueAt(seen, stage, 2, 3)!;
      expect(opened.cell.products).toHaveLength(count);
      expect(opened.cell.sum).toBeCloseTo(core, 5);
      expect(Math.abs(opened.proved.value - core)).toBeLessThanOrEqual(opened.proved.bound);
      const markup = textOf(await draw(state, knownEngine()));
      for (const numbers of [opened.cell.left, opened.cell.right, opened.cell.products]) for (const value of numbers) expect(markup).toContain(formatNumber(value, 'fixed3'));
      expect(markup).toContain(`${sum} ${formatNumber(opened.cell.sum, 'fixed3')}`);
      expect(markup).toContain('Checked:');
    }
  });

  it('says so when what the core writes is wrong', async () => {
    const honest = knownEngine();
    const wrong = knownEngine({ written: async (...args) => {
      const cell = await honest.written(...args);
      return { ...cell, sum: cell.sum * 1.0001 };
    } });
    await honest.run({ text: 'When Mary and John' });
    expect(textOf(await draw(stateOf({ stage: 'output', row: 3, col: 11 }), wrong))).toContain('The check fails: one number is');
  });

  it('stays in use when the model cannot take the text, and says the core’s sentence', async () => {
    const markup = textOf(await draw(stateOf({ text: 'a b c d e f g h i' }), knownEngine()));
    expect(markup).toContain('The text has 9 tokens, but the model&#39;s window holds 8.');
    expect(markup).toContain('Text');
    const ids = knownEngine({}, { ...model, vocabulary: 'none' });
    for (const [typed, named] of [['0, x', '“x”'], ['0 50', '“50”'], ['-1', '“-1”'], ['1.5', '“1.5”']]) {
      expect(textOf(await draw(stateOf({ ids: typed! }), ids))).toContain(`${named} is no token of this model; whole numbers from 0 to 49 were expected`);
    }
    expect(textOf(await draw(stateOf({ ids: '3; 2 1,0' }), ids))).not.toContain('no token');
  });

  it('takes any link', async () => {
    const engine = knownEngine();
    const value = fc.oneof(fc.string({ unit: 'binary' }), fc.integer({ min: -5, max: 2000 }).map(String), fc.constantFrom(...stageNames));
    const links = fc.dictionary(fc.constantFrom(...Object.keys(figure.schema)), value);
    await fc.assert(
      fc.asyncProperty(links, async (link) => {
        const state = parseState(figure.schema, new Map(Object.entries(link)));
        const result = await figure.compute(engine, state, signal, () => {});
        const said = `${figure.title(state, result)} ${figure.describe(state, result)} ${csv(figure.table(state, result))}`;
        expect(said).not.toMatch(/undefined|NaN|\[object/);
        await draw(state, engine);
      }),
      { numRuns: 150 },
    );
  });
});

// ---------------------------------------------------------------------------------------------------- whose numbers

describe('whose numbers one-head shows', () => {
  const gpt2Config = { n_layers: 12, n_heads: 12, d_model: 768, d_head: 64, d_mlp: 3072, n_positions: 1024, d_vocab: 50257, tied_head: true };
  const little: ModelInfo = { ...model, name: 'Little model', origin: 'little' };
  const label = async (info: ModelInfo) => textOf(await drawTemplate(modelLabel(info))).trim();

  it('is said in the label, and only the published file is called GPT-2', async () => {
    expect(await label(little)).toBe('Little model · 2 layers × 3 heads, trained on made-up stories');
    const small: ModelInfo = { ...model, name: 'gpt2', config: gpt2Config, file_bytes: 548_105_171 };
    expect(await label(small)).toBe('GPT-2 small, from your disk · 12 layers × 12 heads');
    expect(await label({ ...small, file_bytes: 548_118_077 })).toBe('“gpt2”, from your disk · 12 layers × 12 heads, the sizes of GPT-2 small');
    expect(await label({ ...little, origin: 'disk' })).toBe('“Little model”, from your disk · 2 layers × 3 heads');
  });

  it('is said with its host, its precision, and that it still arrives', async () => {
    const fetched: ModelInfo = { ...model, name: 'owner/tiny', origin: 'web', host: 'huggingface.co' };
    expect(await label(fetched)).toBe('owner/tiny, from huggingface.co · 2 layers × 3 heads');
    expect(await label({ ...fetched, precision: 'int8', arriving: true })).toBe(
      'owner/tiny, from huggingface.co · 2 layers × 3 heads · weights rounded to int8, so numbers differ a little · still arriving',
    );
    expect(await label({ ...little, precision: 'f16' })).toBe('Little model · 2 layers × 3 heads, trained on made-up stories · weights rounded to f16');
  });

  const notice = async (patch: Partial<State>, info: ModelInfo) => {
    const text = textOf(await draw(stateOf(patch), knownEngine({}, info)));
    return /This is about .*?\.(?: (?:Open GPT-2 small…|Back to the little model))?/.exec(text)?.[0].replace(/ +/g, ' ') ?? '';
  };

  it('is told where a link means another model, with the way to it', async () => {
    expect(await notice({ model: 'gpt2', layer: 9, head: 9 }, little)).toBe(
      'This is about layer 9 head 9 of GPT-2 small; shown is the nearest that the little model has, layer 1 head 2. Open GPT-2 small…',
    );
    expect(await notice({ model: 'gpt2', layer: 1, head: 1 }, little)).toBe(
      'This is about layer 1 head 1 of GPT-2 small; shown is the little model’s head of that place, which is another one. Open GPT-2 small…',
    );
    expect(await notice({ model: 'little', layer: 1, head: 1 }, model)).toBe(
      'This is about layer 1 head 1 of the little model; shown is “tiny”’s head of that place, which is another one. Back to the little model',
    );
    expect(await notice({ model: 'other', layer: 1, head: 1 }, little)).toContain('of a model that somebody opened; shown is');
    expect(await notice({ layer: 5, head: 0 }, little)).toBe('This is about layer 5 head 0; shown is the nearest that the little model has, layer 1 head 0.');
  });

  it('is not dwelt on where it is the one that is meant', async () => {
    expect(await notice({ model: 'little', layer: 1, head: 1 }, little)).toBe('');
    expect(await notice({ layer: 1, head: 1 }, model)).toBe('');
  });
});

// --------------------------------------------------------------------------------------------- while a model arrives

describe('while its model arrives, one-head', () => {
  /** An engine whose model has begun so many layers, and whose heads write once `written` says so. */
  function arrivingEngine(options: { run?: () => Promise<void>; written?: boolean } = {}) {
    const come = { layers_begun: 0, written: options.written ?? true };
    const listeners = new Set<(progress: LoadProgress | null) => void>();
    const progress = (): LoadProgress => ({
      step: '', done_bytes: 31e6, total_bytes: 498e6, parts: [], tokens_at: 60e6, layers_at: [50e6, 124e6], layers_begun: come.layers_begun, notice: '',
    });
    const known = knownEngine({}, { ...model, arriving: true });
    const { run, head } = known;
    const engine = Object.assign(known, {
      arriving: progress,
      onArrival(listener: (progress: LoadProgress | null) => void) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      async run(input: Input) {
        await options.run?.();
        return run.call(engine, input);
      },
      async head(at: Run, layer: number, index: number) {
        if (layer >= come.layers_begun) throw new EngineError('not_yet', 'Its weights have not come.');
        const grids = await head.call(engine, at, layer, index);
        return come.written ? grids : { ...grids, output: null };
      },
    });
    const more = (patch: Partial<typeof come>) => {
      Object.assign(come, patch);
      listeners.forEach((listener) => listener(progress()));
    };
    return { engine, more, listeners };
  }

  /** The figure's results, one after the other. */
  function follow(engine: Engine, state: State) {
    const results: Result[] = [];
    const done = Promise.resolve(figure.compute(engine, state, signal, (result) => results.push(result))).then((first) => results.unshift(first));
    const kinds = () => results.map((result) => result.kind);
    return { results, done, kinds };
  }

  it('says which layer has not come and how far that is, and shows it as soon as it is there', async () => {
    const { engine, more, listeners } = arrivingEngine();
    const state = stateOf({ layer: 1 });
    const { results, done, kinds } = follow(engine, state);
    await done;
    expect(kinds()).toEqual(['awaited']);
    expect(figure.describe(state, results[0]!)).toBe('Layer 1 has not come yet: 31\u202FMB of 124\u202FMB.');
    const drawn = textOf(await drawTemplate(figure.view({ id: 'f', state, result: results[0]!, set: () => {}, page: initialState(pageSchema) })));
    expect(drawn).toContain('Layer 1 has not come yet');
    more({ layers_begun: 1 });
    await vi.waitFor(() => expect(kinds()).toEqual(['awaited', 'awaited']));
    more({ layers_begun: 2 });
    await vi.waitFor(() => expect(kinds().at(-1)).toBe('seen'));
    expect(listeners.size).toBe(0);
  });

  it('shows a layer that is there at once, and waits for what its heads write', async () => {
    const { engine, more } = arrivingEngine({ written: false });
    more({ layers_begun: 1 });
    const shares = follow(engine, stateOf({ layer: 0, stage: 'shares' }));
    await shares.done;
    expect(shares.kinds()).toEqual(['seen']);
    const output = follow(engine, stateOf({ layer: 0, stage: 'output' }));
    await output.done;
    expect(output.kinds()).toEqual(['awaited']);
    more({ written: true });
    await vi.waitFor(() => expect(output.kinds().at(-1)).toBe('seen'));
    expect((output.results.at(-1) as Seen).grids.output).not.toBeNull();
  });

  it('says so where the tokens of a typed text have to come first', async () => {
    let come = () => {};
    const { engine, more } = arrivingEngine({ run: () => new Promise<void>((resolve) => (come = resolve)) });
    const state = stateOf({ layer: 1 });
    const { results, done, kinds } = follow(engine, state);
    await done;
    expect(kinds()).toEqual(['awaited']);
    expect(figure.describe(state, results[0]!)).toBe('The table with the tokens of this text has not come yet: 31\u202FMB of 60\u202FMB.');
    more({ layers_begun: 2 });
    come();
    await vi.waitFor(() => expect(kinds().at(-1)).toBe('seen'));
  });
});

// ------------------------------------------------------------------------------------------------------------- runs

describe('runs', () => {
  it('are done once for a text, however many heads are looked at', async () => {
    const engine = knownEngine();
    for (const head of [0, 1, 2]) for (const stage of stageNames) await figure.compute(engine, stateOf({ head, stage, row: 1, col: 0 }), signal, () => {});
    expect(engine.runs).toBe(1);
    await figure.compute(engine, stateOf({ text: 'another' }), signal, () => {});
    expect(engine.runs).toBe(2);
  });

  it('wait for each other, so no figure reads another’s trace', async () => {
    const engine = knownEngine();
    const texts = ['a', 'a b', 'a b c', 'a b c d'];
    const sizes = await Promise.all(texts.map((text) => withRun(engine, { text }, signal, async (run) => [run.tokens.length, (await engine.head(run, 0, 0)).n])));
    expect(sizes).toEqual([[1, 1], [2, 2], [3, 3], [4, 4]]);
  });

  it('are done again when another text took the session, but not for ever', async () => {
    let stale = 2;
    const engine = knownEngine();
    const seen = await withRun(engine, { text: 'a b' }, signal, async (run) => {
      if (stale-- > 0) throw new EngineError('stale', 'The text has changed since; ask again.');
      return run.pass;
    });
    expect(seen).toBe(3);
    const always = withRun(engine, { text: 'a b' }, signal, async () => { throw new EngineError('stale', 'The text has changed since; ask again.'); });
    await expect(always).rejects.toThrow('The text has changed since');
    expect(engine.runs).toBeLessThan(9);
  });

  it('leave the way free when one fails or is called off', async () => {
    const engine = knownEngine();
    await expect(withRun(engine, { text: 'a' }, signal, async () => { throw new Error('broken'); })).rejects.toThrow('broken');
    expect(await withRun(engine, { text: 'a b' }, signal, async (run) => run.tokens.length)).toBe(2);
    const calledOff = withRun(engine, { text: 'a' }, AbortSignal.abort(), async () => 1);
    await expect(calledOff).rejects.toThrow('abort');
    expect(engine.runs).toBe(2);
    expect(await withRun(engine, { text: 'a' }, signal, async (run) => run.tokens.length)).toBe(1);
  });
});
