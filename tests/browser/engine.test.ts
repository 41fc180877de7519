// The engine in Chromium, without the book: the same bits as the native program, and nothing lost when something fails.

import { copyFile, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { oddShape, shard, writeCheckpoint } from './checkpoint.ts';
import type { TestPage } from './engine-page.ts';
import { inside, little, suiteWithEngine } from './site.ts';

declare const window: { lookback: TestPage; engine: ReturnType<TestPage['engineWith']> };

const suite = suiteWithEngine('engine');
let folder: string;
let page: Page;

beforeAll(async () => {
  ({ folder } = suite);
  await writeCheckpoint(join(folder, 'odd'), { shape: oddShape, seed: 5, vocabulary: true });
  await writeCheckpoint(join(folder, 'untied'), {
    shape: { n_layer: 1, n_head: 1, n_embd: 12, n_positions: 7, vocab_size: 9 },
    seed: 6,
    untied: true,
    prefix: true,
    maskBuffers: true,
  });
});

async function openPage(threads: number): Promise<void> {
  page = await suite.open('engine.html');
  await page.evaluate((count) => {
    window.engine = window.lookback.engineWith(count);
  }, threads);
}

async function pick(...names: string[]): Promise<void> {
  await page.setInputFiles('input', names.map((name) => join(folder, name)));
}
const pickModel = async (name: string) => pick(...(await readdir(join(folder, name))).map((file) => join(name, file)));
const openPicked = (name: string) => page.evaluate((model) => window.engine.open({ name: model, files: window.lookback.pickedFiles() }), name);
const forgiveFailedRequests = () => (suite.complaints = suite.complaints.filter((complaint) => !complaint.includes('ERR_FAILED')));
/** The bits of a text in the model in use. */
const printOf = (words: string) => page.evaluate(async (part) => window.engine.fingerprint(await window.engine.run({ text: part })), words);
/** The code and the sentence of a call that fails. */
const failure = (call: () => Promise<unknown>) =>
  page.evaluate(`(${call.toString()})().then(() => null, (error) => ({ code: error.code ?? error.name, sentence: error.message }))`) as Promise<{
    code: string;
    sentence: string;
  } | null>;

const text = 'When Mary and John went to the store, John gave a drink to 🦉 naïve';

describe('the same bits', () => {
  it.each([1, 2])('as the native program, with %i threads', async (threads) => {
    await openPage(threads);
    await pickModel('odd');
    const model = await openPicked('odd');
    expect(model).toMatchObject({ name: 'odd', vocabulary: 'own', notes: [], config: { n_layers: 2, n_heads: 3, d_model: 33, d_head: 11, n_positions: 96 } });

    const truth = await inside('--model', join(folder, 'odd'), '--text', text, '--head', '1.2', '--head', '0.0', '--top', '5');
    const got = await page.evaluate(async (words) => {
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
    const prints = await page.evaluate(async (words) => {
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
    const truth = await inside('--model', join(folder, 'untied'), '--ids', '0,8,3,3,1');
    expect(await page.evaluate(async () => window.engine.fingerprint(await window.engine.run({ ids: [0, 8, 3, 3, 1] })))).toBe(truth.fingerprint);
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
    page.on('request', (request) => asked.push(request.url()));
    const config = JSON.parse(await readFile(join(little, 'config.json'), 'utf8'));
    expect(await page.evaluate(() => window.engine.model())).toBeNull();
    const sentence = 'The animal didn\'t cross the street because it was too tired 🦉';
    expect(await printOf(sentence)).toBe((await inside('--model', little, '--text', sentence)).fingerprint);
    expect(await page.evaluate(() => window.engine.model())).toMatchObject({
      name: 'Little model', origin: 'little', vocabulary: 'own', notes: [],
      config: { n_layers: config.n_layer, n_heads: config.n_head, d_model: config.n_embd, n_positions: config.n_positions, d_vocab: config.vocab_size },
    });
    expect(new Set(asked.map((address) => new URL(address).origin + '/'))).toEqual(new Set([suite.site.address]));
  });

  it('gives way to the reader’s files, comes back, and survives files that are none', async () => {
    await openPage(1);
    await pickModel('odd');
    const first = await page.evaluate(async () => {
      const files = window.lookback.pickedFiles();
      // Both asked for at once: the reader's wins, and who waited for the little one is served by it.
      const [waiting, opened] = await Promise.all([window.engine.inUse(), window.engine.open({ name: 'odd', files })]);
      return [waiting?.name, opened.name, opened.origin];
    });
    expect(first).toEqual(['odd', 'odd', 'disk']);
    const back = await page.evaluate(async () => (await window.engine.openLittle()).origin);
    expect(back).toBe('little');
    const before = await printOf('still here');
    await pick('untied/config.json');
    expect((await failure(() => window.engine.open({ name: 'bad', files: window.lookback.pickedFiles() })))?.code).toBe('bad_file');
    expect(await printOf('still here')).toBe(before);
  });

  it('that cannot be fetched is a sentence, and the next call tries again', async () => {
    await openPage(1);
    await page.route('**/models/little-*/**', (route) => route.abort());
    const run = () => failure(() => window.engine.run({ text: 'hello' }));
    const missing = { code: 'no_model', sentence: 'The little model could not be loaded from this site; check the connection, then change the figure or reload.' };
    expect(await run()).toEqual(missing);
    expect(await failure(() => window.engine.lesson('dot', { q: [1, 2], k: [3, 4] }))).toBeNull();
    await page.unroute('**/models/little-*/**');
    expect(await run()).toBeNull();
    forgiveFailedRequests();
  });
});

describe('precisions', () => {
  it('cost what an offer says, and the same model opens in each', async () => {
    await openPage(1);
    await pickModel('odd');
    const told = await page.evaluate(async () => {
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
    await shard(join(folder, 'odd'), join(folder, 'shards'));
    await openPage(1);
    await pickModel('shards');
    expect(await openPicked('shards')).toMatchObject({ name: 'shards', vocabulary: 'own', notes: [] });
    expect(await printOf(text)).toBe((await inside('--model', join(folder, 'odd'), '--text', text)).fingerprint);
    await pick(...['config.json', 'model.safetensors.index.json', 'model-2.safetensors', 'vocab.json', 'merges.txt'].map((name) => join('shards', name)));
    // A single file is taken as whole, so it is the core that misses what lies in the other.
    expect((await failure(() => window.engine.open({ name: 'half', files: window.lookback.pickedFiles() })))?.code).toBe('missing_tensor');
  });
});

describe('generation', () => {
  const draws = (draw: { temperature: number; top_k: number; top_p: number; seed: number }, n: number) =>
    page.evaluate(
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
    const last = await page.evaluate(async () => {
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

describe('nothing is lost', () => {
  it('where WebAssembly has no SIMD: a sentence says so', async () => {
    await openPage(1);
    await page.route('**/assets/worker.js', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, body: `WebAssembly.validate = () => false;${await answer.text()}` });
    });
    expect(await failure(() => window.engine.lesson('dot', { q: [1, 2], k: [3, 4] }))).toEqual({
      code: 'no_engine',
      sentence:
        'This browser has no WebAssembly SIMD, which the figures need to compute. The text and the printed figures are complete without it.',
    });
  });

  it('when another model cannot be opened: the one before stays', async () => {
    await openPage(1);
    await pickModel('odd');
    await openPicked('odd');
    const before = await page.evaluate(async () => window.engine.fingerprint(await window.engine.run({ text: 'still here' })));

    const config = join('bad', 'config.json');
    const weights = join('bad', 'model.safetensors');
    await writeCheckpoint(join(folder, 'bad'), { shape: { n_layer: 1, n_head: 1, n_embd: 8, n_positions: 8, vocab_size: 5 }, seed: 1 });
    const open = () => failure(() => window.engine.open({ name: 'bad', files: window.lookback.pickedFiles() }));

    await pick(config);
    expect((await open())?.sentence).toBe('There is no model.safetensors among the files.');
    await pick(weights);
    expect((await open())?.sentence).toBe('There is no config.json among the files; it tells the number of layers and heads.');
    await pick(config, weights, 'odd/vocab.json');
    expect((await open())?.sentence).toBe('There is vocab.json, but no merges.txt; they go together.');
    await copyFile(join(folder, weights), join(folder, 'bad/whole'));
    await truncate(join(folder, weights), 900);
    await pick(config, weights);
    expect(await open()).toMatchObject({ code: 'bad_file' });
    await writeFile(join(folder, weights), '<!doctype html><title>Sign in</title>'.padEnd(600));
    await pick(config, weights);
    const html = await open();
    expect(html?.code).toBe('bad_file');
    expect(html?.sentence).toContain('HTML');
    await copyFile(join(folder, 'bad/whole'), join(folder, weights));
    await writeFile(join(folder, config), '{"n_layer": 2, "n_head": 1, "n_embd": 8, "n_positions": 8, "vocab_size": 5}');
    await pick(config, weights);
    expect(await open()).toMatchObject({ code: 'missing_tensor' });

    const after = await page.evaluate(async () => window.engine.fingerprint(await window.engine.run({ text: 'still here' })));
    expect(after).toBe(before);
    expect(await page.evaluate(() => window.engine.model()?.name)).toBe('odd');
  });

  it('when a load is cancelled', async () => {
    await openPage(1);
    await pickModel('odd');
    await openPicked('odd');
    const cancelled = await page.evaluate(async () => {
      const abort = new AbortController();
      let bytes = 0;
      const opening = window.engine.open(
        { name: 'other', files: window.lookback.pickedFiles() },
        {
          signal: abort.signal,
          onProgress: (progress) => {
            bytes = progress.done_bytes;
            if (bytes > 0) abort.abort();
          },
        },
      );
      const reason = await opening.catch((error: Error) => error.name);
      return { reason, started: bytes > 0, model: window.engine.model()?.name, works: (await window.engine.run({ text: 'yes' })).tokens.length };
    });
    expect(cancelled).toEqual({ reason: 'AbortError', started: true, model: 'odd', works: 1 });
  });

  it('in a burst of changes: only the last text is computed to the end', async () => {
    await openPage(1);
    await pickModel('odd');
    await openPicked('odd');
    const burst = await page.evaluate(async () => {
      const words = Array.from({ length: 200 }, (_, i) => `${'word '.repeat(40)}${i}`);
      const runs = await Promise.allSettled(words.map((part) => window.engine.run({ text: part })));
      const last = runs.at(-1)!;
      return {
        last: last.status,
        stopped: runs.filter((run) => run.status === 'rejected').every((run) => (run as PromiseRejectedResult).reason.code === 'cancelled'),
        pattern: last.status === 'fulfilled' ? (await window.engine.head(last.value, 1, 0)).n : 0,
        stale: await window.engine.head({ pass: 1 } as never, 0, 0).catch((error) => error.code),
      };
    });
    expect(burst).toMatchObject({ last: 'fulfilled', stopped: true, stale: 'stale' });
    expect(burst.pattern).toBeGreaterThan(40);
  });

  it('when a lens is asked for what is not there', async () => {
    await openPage(1);
    await pickModel('odd');
    await openPicked('odd');
    await page.evaluate(async () => Object.assign(window, { run: await window.engine.run({ text: 'one two three' }) }));
    type WithRun = typeof window & { run: never };
    expect((await failure(() => window.engine.head((window as WithRun).run, 2, 0)))?.sentence).toBe(
      'There is no layer 2 head 0; layers 0 to 1 and heads 0 to 2 were expected.',
    );
    expect((await failure(() => window.engine.cell((window as WithRun).run, 0, 0, 3, 0)))?.sentence).toBe(
      'There is no position 3; the text has 3 tokens, counted from 0.',
    );
    expect((await failure(() => window.engine.head((window as WithRun).run, -1, 0)))?.code).toBe('bad_argument');
    expect((await failure(() => window.engine.activation((window as WithRun).run, 'blocks.0.attn.hook')))?.code).toBe('bad_argument');
  });

  it('when text holds half a surrogate pair or nothing at all', async () => {
    await openPage(1);
    await pickModel('odd');
    await openPicked('odd');
    const shown = await page.evaluate(async () => (await window.engine.tokenize('a\ud800b')).flatMap((token) => token.pieces.map((piece) => piece.shown)).join('|'));
    const repaired = await page.evaluate(async () => (await window.engine.tokenize('a\ufffdb')).flatMap((token) => token.pieces.map((piece) => piece.shown)).join('|'));
    expect(shown).toBe(repaired);
    expect(await page.evaluate(() => window.engine.tokenize(''))).toEqual([]);
  });
});

describe('what ends a worker', () => {
  const lastWorker = () => page.workers().at(-1)!;

  it('by closing or replacing the model: calls that wait are told, and lessons go on', async () => {
    await openPage(1);
    await pickModel('odd');
    await openPicked('odd');
    const told = await page.evaluate(async () => {
      const { engine } = window;
      const codeOf = (call: Promise<unknown>) => call.then(() => 'answered', (error) => `${error.code}: ${error.message}`);
      const files = window.lookback.pickedFiles();
      const run = await engine.run({ text: 'one two three' });
      const waiting = codeOf(engine.head(run, 0, 0));
      const lesson = codeOf(engine.lesson('dot', { q: [1, 2], k: [3, 4] }));
      engine.close();
      const closed = await waiting;
      await engine.open({ name: 'again', files });
      // Texts without end keep the worker busy until the next model is whole.
      let replaced = false;
      const opening = engine.open({ name: 'third', files }).then(() => (replaced = true));
      let last = '';
      for (let i = 0; !replaced; i++) last = await codeOf(engine.run({ text: `${'word '.repeat(40)}${i}` }));
      await opening;
      return { closed, lesson: await lesson, last: ['answered', 'closed: The model was closed.'].includes(last), model: engine.model()?.name };
    });
    expect(told).toEqual({ closed: 'closed: The model was closed.', lesson: 'answered', last: true, model: 'third' });
  });

  it('by dying without a word: calls and listeners are told, and the next call finds the same model again', async () => {
    await openPage(1);
    await pickModel('odd');
    await openPicked('odd');
    const before = await printOf('still here');
    await page.evaluate(() => {
      Object.assign(window, { heard: new Promise((resolve) => window.engine.onModel((model, reason) => reason && resolve([model, reason.code]))) });
    });
    await lastWorker().evaluate('self.close()').catch(() => {});
    // Asked of the dead worker or, where its death is known already, of its successor: either way it ends.
    expect((await failure(() => window.engine.tokenize('hello')))?.code ?? 'answered').toMatch(/worker_lost|answered/);
    expect(await page.evaluate('window.heard')).toEqual([null, 'worker_lost']);
    expect(await printOf('still here')).toBe(before);
    expect(await page.evaluate(() => window.engine.model()?.name)).toBe('odd');
  });

  it.each(['**/wasm/**', '**/assets/worker.js'])('when %s cannot be loaded: a sentence says so, and the next call tries again', async (missing) => {
    await openPage(1);
    await page.route(missing, (route) => route.abort());
    const lesson = () => failure(() => window.engine.lesson('dot', { q: [1, 2], k: [3, 4] }));
    expect(await lesson()).toEqual({
      code: 'no_engine',
      sentence: "The engine's files could not be loaded; check the connection, then change the figure or reload.",
    });
    await page.unroute(missing);
    expect(await lesson()).toBeNull();
    forgiveFailedRequests();
  });

  it('when two models are asked for at once: the later one wins', async () => {
    await openPage(1);
    await pickModel('odd');
    const both = await page.evaluate(async () => {
      const files = window.lookback.pickedFiles();
      const [first, second] = await Promise.allSettled(['first', 'second'].map((name) => window.engine.open({ name, files })));
      return [first!.status === 'rejected' && first!.reason.name, second!.status, window.engine.model()?.name, (await window.engine.run({ text: 'yes' })).tokens.length];
    });
    expect(both).toEqual(['AbortError', 'fulfilled', 'second', 1]);
  });
});
