// The engine in Chromium, without the book: the same bits as the native program, precisions, shards, generation.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shard } from './checkpoint.ts';
import type { TestPage } from './engine-page.ts';
import { engineSuite } from './engine-suite.ts';
import { inside, little } from './site.ts';

declare const window: { lookback: TestPage; engine: ReturnType<TestPage['engineWith']> };

const engine = engineSuite('engine');
const { suite, openPage, pick, pickModel, openPicked, printOf, failure, forgiveFailedRequests } = engine;

const text = 'When Mary and John went to the store, John gave a drink to 🦉 naïve';

describe('the same bits', () => {
  it.each([1, 2])('as the native program, with %i threads', async (threads) => {
    await openPage(threads);
    await pickModel('odd');
    const model = await openPicked('odd');
    expect(model).toMatchObject({ name: 'odd', vocabulary: 'own', notes: [], config: { n_layers: 2, n_heads: 3, d_model: 33, d_head: 11, n_positions: 96 } });

    const truth = await inside('--model', join(engine.folder, 'odd'), '--text', text, '--head', '1.2', '--head', '0.0', '--top', '5');
    const got = await engine.page.evaluate(async (words) => {
      const engine = window.engine;
      const run = await engine.run({ text: words });
      const last = run.tokens.length - 1;
      const heads = await Promise.all([engine.head(run, 1, 2), engine.head(run, 0, 0)]);
      return {
        threads: (await engine.memory()).threads,
        fingerprint: await engine.fingerprint(run),
        ids: run.tokens.map((token) => token.id),
        trace_bytes: run.trace_bytes,
        shares: heads.map(({ n, pattern }) => [...pattern.slice(last * n, last * n + n)]),
        lens: (await engine.lens(run, 2, last, 5)).map(({ id, probability }) => ({ id, probability })),
      };
    }, text);
    expect(got.threads).toBe(threads);
    expect(got.fingerprint).toBe(truth.fingerprint);
    expect(got.ids).toEqual(truth.tokens.map((token: { id: number }) => token.id));
    expect(got.trace_bytes).toBe(truth.trace_bytes);
    expect(got.shares.map((row) => row.map(Math.fround))).toEqual(
      truth.attention.heads.map((head: { shares: number[] }) => head.shares.map(Math.fround)),
    );
    expect(got.lens.map(({ id }) => id)).toEqual(truth.lens[2].top.map((guess: { id: number }) => guess.id));
    expect(got.lens.map(({ probability }) => Math.fround(probability))).toEqual(
      truth.lens[2].top.map((guess: { probability: number }) => Math.fround(guess.probability)),
    );
  });

  it('whether a text is computed at once, typed, or changed in the middle', async () => {
    await openPage(2);
    await pickModel('odd');
    await openPicked('odd');
    const prints = await engine.page.evaluate(async (words) => {
      const at = async (part: string) => window.engine.fingerprint(await window.engine.run({ text: part }));
      const whole = await at(words);
      for (let length = 1; length < words.length; length += 7) await at([...words].slice(0, length).join(''));
      const typed = await at(words);
      await at(words.replace('Mary', 'Anna'));
      return [whole, typed, await at(words)];
    }, text);
    expect(new Set(prints).size).toBe(1);
  });
});

describe('a model without a vocabulary', () => {
  it('takes ids, names with a prefix, mask buffers and a read-out of its own', async () => {
    await openPage(1);
    await pickModel('untied');
    const model = await openPicked('untied');
    expect(model.vocabulary).toBe('none');
    expect(model.notes).toEqual(['There is no vocab.json and merges.txt, so this model takes token ids instead of text.']);
    const truth = await inside('--model', join(engine.folder, 'untied'), '--ids', '0,8,3,3,1');
    expect(await engine.page.evaluate(async () => window.engine.fingerprint(await window.engine.run({ ids: [0, 8, 3, 3, 1] })))).toBe(truth.fingerprint);
    expect(await failure(() => window.engine.run({ text: 'hello' }))).toEqual({
      code: 'bad_argument',
      sentence: 'This model has no vocabulary, so it takes ids, not text.',
    });
    expect(await failure(() => window.engine.run({ ids: [0, 9] }))).toEqual({
      code: 'bad_argument',
      sentence: 'Token id 9 is not in the vocabulary; ids from 0 to 8 were expected.',
    });
    expect(await failure(() => window.engine.run({ ids: [0, 1, 2, 3, 4, 5, 6, 7] }))).toEqual({
      code: 'window_full',
      sentence: "The text has 8 tokens, but the model's window holds 7.",
    });
    expect(await failure(() => window.engine.run({ ids: [] }))).toMatchObject({ code: 'bad_argument' });
  });
});

describe('the little model', () => {
  it('is in use from the start, from this site alone, and the core’s bits come out', async () => {
    await openPage(2);
    const asked: string[] = [];
    engine.page.on('request', (request) => asked.push(request.url()));
    const config = JSON.parse(await readFile(join(little, 'config.json'), 'utf8'));
    expect(await engine.page.evaluate(() => window.engine.model())).toBeNull();
    const sentence = 'The animal didn\'t cross the street because it was too tired 🦉';
    expect(await printOf(sentence)).toBe((await inside('--model', little, '--text', sentence)).fingerprint);
    expect(await engine.page.evaluate(() => window.engine.model())).toMatchObject({
      name: 'Little model', origin: 'little', vocabulary: 'own', notes: [],
      config: { n_layers: config.n_layer, n_heads: config.n_head, d_model: config.n_embd, n_positions: config.n_positions, d_vocab: config.vocab_size },
    });
    expect(new Set(asked.map((address) => new URL(address).origin + '/'))).toEqual(new Set([suite.site.address]));
  });

  it('gives way to the reader’s files, comes back, and survives files that are none', async () => {
    await openPage(1);
    await pickModel('odd');
    const first = await engine.page.evaluate(async () => {
      const files = window.lookback.pickedFiles();
      // Both asked for at once: the reader's wins, and who waited for the little one is served by it.
      const [waiting, opened] = await Promise.all([window.engine.inUse(), window.engine.open({ name: 'odd', files })]);
      return [waiting?.name, opened.name, opened.origin];
    });
    expect(first).toEqual(['odd', 'odd', 'disk']);
    const back = await engine.page.evaluate(async () => (await window.engine.openLittle()).origin);
    expect(back).toBe('little');
    const before = await printOf('still here');
    await pick('untied/config.json');
    expect((await failure(() => window.engine.open({ name: 'bad', files: window.lookback.pickedFiles() })))?.code).toBe('bad_file');
    expect(await printOf('still here')).toBe(before);
  });

  it('that cannot be fetched is a sentence, and the next call tries again', async () => {
    await openPage(1);
    await engine.page.route('**/models/little-*/**', (route) => route.abort());
    const run = () => failure(() => window.engine.run({ text: 'hello' }));
    const missing = { code: 'no_model', sentence: 'The little model could not be loaded from this site; check the connection, then change the figure or reload.' };
    expect(await run()).toEqual(missing);
    expect(await failure(() => window.engine.lesson('dot', { q: [1, 2], k: [3, 4] }))).toBeNull();
    await engine.page.unroute('**/models/little-*/**');
    expect(await run()).toBeNull();
    forgiveFailedRequests();
  });
});

describe('precisions', () => {
  it('cost what an offer says, and the same model opens in each', async () => {
    await openPage(1);
    await pickModel('odd');
    const told = await engine.page.evaluate(async () => {
      const { engine } = window;
      const source = { name: 'odd', files: window.lookback.pickedFiles() };
      const offer = await engine.inspect(source);
      const found = [];
      for (const precision of ['f32', 'f16', 'int8'] as const) {
        const info = await engine.open(source, { precision });
        const { pattern } = await engine.head(await engine.run({ text: 'one two three four' }), 1, 2);
        const sum = pattern.slice(12).reduce((a, b) => a + b);
        found.push({ precision: info.precision, weight_bytes: info.weight_bytes, offered: offer.choices[precision], most: (await engine.difference()).most, sum });
      }
      return { host: offer.host, bytes_to_read: offer.bytes_to_read, found, reopened: (await engine.reopen({ precision: 'f32' })).precision };
    });
    expect(told).toMatchObject({ host: '', reopened: 'f32' });
    const [f32, f16, int8] = told.found;
    for (const each of told.found) {
      expect(each.offered).toEqual({ kept_bytes: each.weight_bytes, refused: '' });
      expect(each.sum).toBeCloseTo(1, 4);
    }
    expect(f32!.most).toBe(0);
    expect(f16!.most).toBeGreaterThan(0);
    expect(int8!.most).toBeGreaterThan(f16!.most);
    expect(int8!.most).toBeLessThan(0.1);
    expect(f16!.weight_bytes).toBeLessThan(0.55 * f32!.weight_bytes);
    expect(int8!.weight_bytes).toBeLessThan(0.35 * f32!.weight_bytes);
  });
});

describe('shards', () => {
  it('give the same bits as one file, and one that is missing is named', async () => {
    await shard(join(engine.folder, 'odd'), join(engine.folder, 'shards'));
    await openPage(1);
    await pickModel('shards');
    expect(await openPicked('shards')).toMatchObject({ name: 'shards', vocabulary: 'own', notes: [] });
    expect(await printOf(text)).toBe((await inside('--model', join(engine.folder, 'odd'), '--text', text)).fingerprint);
    await pick(...['config.json', 'model.safetensors.index.json', 'model-2.safetensors', 'vocab.json', 'merges.txt'].map((name) => join('shards', name)));
    // A single file is taken as whole, so it is the core that misses what lies in the other.
    expect((await failure(() => window.engine.open({ name: 'half', files: window.lookback.pickedFiles() })))?.code).toBe('missing_tensor');
  });
});

describe('generation', () => {
  const draws = (draw: { temperature: number; top_k: number; top_p: number; seed: number }, n: number) =>
    engine.page.evaluate(
      async ([how, count]) => {
        const { engine } = window;
        const tokens = await engine.tokenize('Ann has a red ball. Ann');
        const ids = tokens.map(({ id }) => id);
        await engine.sampler(how);
        const found = [];
        for (let i = 0; i < count; i++) {
          const run = await engine.run({ ids });
          const next = await engine.next(run, 3);
          const [likeliest] = await engine.lens(run, engine.model()!.config.n_layers, ids.length - 1, 1);
          found.push({ ...next, likeliest: likeliest!.id });
          ids.push(next.id);
        }
        return found;
      },
      [draw, n] as const,
    );

  it('is greedy without a temperature, repeats itself by its seed, and tells the alternatives', async () => {
    await openPage(1);
    const greedy = await draws({ temperature: 0, top_k: 0, top_p: 1, seed: 1 }, 6);
    expect(greedy.map(({ id }) => id)).toEqual(greedy.map(({ likeliest }) => likeliest));
    const warm = { temperature: 1.5, top_k: 0, top_p: 1, seed: 7 };
    const first = await draws(warm, 12);
    const ids = (list: typeof first) => list.map(({ id }) => id);
    expect(ids(await draws(warm, 12))).toEqual(ids(first));
    expect(ids(await draws({ ...warm, seed: 8 }, 12))).not.toEqual(ids(first));
    for (const { probability, alternatives } of first) {
      expect(alternatives).toHaveLength(3);
      expect(probability).toBeGreaterThan(0);
      expect(alternatives[0]!.probability).toBeGreaterThanOrEqual(alternatives[2]!.probability);
    }
  });

  it('ends clearly at the end of the window', async () => {
    await openPage(1);
    await pickModel('untied');
    await openPicked('untied');
    const last = await engine.page.evaluate(async () => {
      const { engine } = window;
      await engine.sampler({ temperature: 1, top_k: 0, top_p: 0.9, seed: 3 });
      const ids = [1, 2, 3, 4, 5, 6, 7];
      const run = await engine.run({ ids });
      const { id } = await engine.next(run, 1);
      return engine.run({ ids: [...ids, id] }).catch((problem) => [problem.code, problem.message]);
    });
    expect(last).toEqual(['window_full', "The text has 8 tokens, but the model's window holds 7."]);
    expect((await failure(() => window.engine.sampler({ temperature: -1, top_k: 0, top_p: 1, seed: 1 })))?.code).toBe('bad_argument');
  });
});
