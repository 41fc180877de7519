// The engine without the book when something fails: nothing is lost, and what ends a worker ends nothing else.

import { execFile } from 'node:child_process';
import { copyFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { writeCheckpoint } from './checkpoint.ts';
import type { TestPage } from './engine-page.ts';
import { engineSuite } from './engine-suite.ts';
import { native } from './site.ts';

declare const window: { lookback: TestPage; engine: ReturnType<TestPage['engineWith']> };

const engine = engineSuite('engine-faults');
const { openPage, pick, pickModel, openPicked, printOf, failure, forgiveFailedRequests } = engine;

describe('nothing is lost', () => {
  it('where WebAssembly has no SIMD: a sentence says so', async () => {
    await openPage(1);
    await engine.page.route('**/assets/worker.js', async (route) => {
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
    const before = await engine.page.evaluate(async () => window.engine.fingerprint(await window.engine.run({ text: 'still here' })));

    const config = join('bad', 'config.json');
    const weights = join('bad', 'model.safetensors');
    await writeCheckpoint(join(engine.folder, 'bad'), { shape: { n_layer: 1, n_head: 1, n_embd: 8, n_positions: 8, vocab_size: 5 }, seed: 1 });
    const open = () => failure(() => window.engine.open({ name: 'bad', files: window.lookback.pickedFiles() }));

    await pick(config);
    expect((await open())?.sentence).toBe('There is no model.safetensors among the files.');
    await pick(weights);
    expect((await open())?.sentence).toBe('There is no config.json among the files; it tells the number of layers and heads.');
    await pick(config, weights, 'odd/vocab.json');
    expect((await open())?.sentence).toBe('There is vocab.json, but no merges.txt; they go together.');
    await copyFile(join(engine.folder, weights), join(engine.folder, 'bad/whole'));
    await truncate(join(engine.folder, weights), 900);
    await pick(config, weights);
    expect(await open()).toMatchObject({ code: 'bad_file' });
    await writeFile(join(engine.folder, weights), '<!doctype html><title>Sign in</title>'.padEnd(600));
    await pick(config, weights);
    const html = await open();
    expect(html?.code).toBe('bad_file');
    expect(html?.sentence).toContain('HTML');
    await copyFile(join(engine.folder, 'bad/whole'), join(engine.folder, weights));
    await writeFile(join(engine.folder, config), '{"n_layer": 2, "n_head": 1, "n_embd": 8, "n_positions": 8, "vocab_size": 5}');
    await pick(config, weights);
    expect(await open()).toMatchObject({ code: 'missing_tensor' });

    const after = await engine.page.evaluate(async () => window.engine.fingerprint(await window.engine.run({ text: 'still here' })));
    expect(after).toBe(before);
    expect(await engine.page.evaluate(() => window.engine.model()?.name)).toBe('odd');
  });

  it('when a load is cancelled', async () => {
    await openPage(1);
    await pickModel('odd');
    await openPicked('odd');
    const cancelled = await engine.page.evaluate(async () => {
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
    const burst = await engine.page.evaluate(async () => {
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
    await engine.page.evaluate(async () => Object.assign(window, { run: await window.engine.run({ text: 'one two three' }) }));
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
    const shown = await engine.page.evaluate(async () => (await window.engine.tokenize('a\ud800b')).flatMap((token) => token.pieces.map((piece) => piece.shown)).join('|'));
    const repaired = await engine.page.evaluate(async () => (await window.engine.tokenize('a\ufffdb')).flatMap((token) => token.pieces.map((piece) => piece.shown)).join('|'));
    expect(shown).toBe(repaired);
    expect(await engine.page.evaluate(() => window.engine.tokenize(''))).toEqual([]);
  });
});

describe('what ends a worker', () => {
  const lastWorker = () => engine.page.workers().at(-1)!;

  it('by closing or replacing the model: calls that wait are told, and lessons go on', async () => {
    await openPage(1);
    await pickModel('odd');
    await openPicked('odd');
    const told = await engine.page.evaluate(async () => {
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
    await engine.page.evaluate(() => {
      Object.assign(window, { heard: new Promise((resolve) => window.engine.onModel((model, reason) => reason && resolve([model, reason.code]))) });
    });
    await lastWorker().evaluate('self.close()').catch(() => {});
    // Asked of the dead worker or, where its death is known already, of its successor: either way it ends.
    expect((await failure(() => window.engine.tokenize('hello')))?.code ?? 'answered').toMatch(/worker_lost|answered/);
    expect(await engine.page.evaluate('window.heard')).toEqual([null, 'worker_lost']);
    expect(await printOf('still here')).toBe(before);
    expect(await engine.page.evaluate(() => window.engine.model()?.name)).toBe('odd');
  });

  it.each(['**/wasm/**', '**/assets/worker.js'])('when %s cannot be loaded: a sentence says so, and the next call tries again', async (missing) => {
    await openPage(1);
    await engine.page.route(missing, (route) => route.abort());
    const lesson = () => failure(() => window.engine.lesson('dot', { q: [1, 2], k: [3, 4] }));
    expect(await lesson()).toEqual({
      code: 'no_engine',
      sentence: "The engine's files could not be loaded; check the connection, then change the figure or reload.",
    });
    await engine.page.unroute(missing);
    expect(await lesson()).toBeNull();
    forgiveFailedRequests();
  });

  it('when two models are asked for at once: the later one wins', async () => {
    await openPage(1);
    await pickModel('odd');
    const both = await engine.page.evaluate(async () => {
      const files = window.lookback.pickedFiles();
      const [first, second] = await Promise.allSettled(['first', 'second'].map((name) => window.engine.open({ name, files })));
      return [first!.status === 'rejected' && first!.reason.name, second!.status, window.engine.model()?.name, (await window.engine.run({ text: 'yes' })).tokens.length];
    });
    expect(both).toEqual(['AbortError', 'fulfilled', 'second', 1]);
  });
});

describe('a worker that fails', () => {
  const lesson = () => failure(() => window.engine.lesson('dot', { q: [1, 2], k: [3, 4] }));
  const stopped = { code: 'worker_lost', sentence: 'The engine stopped unexpectedly; your text is kept, and the next change starts it anew.' };

  it('during its start: a sentence says so, and the next call starts another', async () => {
    await openPage(1);
    let hold: (() => void) | null = null;
    await engine.page.route('**/wasm/**/lookback.wasm', async (route) => {
      await new Promise<void>((go) => (hold = go));
      await route.continue().catch(() => {});
    });
    const running = failure(() => window.engine.run({ text: 'hello' }));
    await expect.poll(() => hold !== null).toBe(true);
    await engine.page.workers().at(-1)!.evaluate('self.close()');
    expect(await running).toEqual(stopped);
    await engine.page.unroute('**/wasm/**/lookback.wasm');
    hold!();
    expect(await failure(() => window.engine.run({ text: 'hello' }))).toBeNull();
  });

  it.each(['42', 'undefined', 'null', '{ error: 7 }', '[]'])('by answering %s: a sentence says so, and the next call starts another', async (value) => {
    await openPage(1);
    expect(await lesson()).toBeNull();
    await engine.page.workers().at(-1)!.evaluate(`{ const post = self.postMessage.bind(self); self.postMessage = (message) => post({ ...message, value: ${value} }); }`);
    expect(await lesson()).toEqual({ code: 'engine_failed', sentence: 'The engine failed on this input; it starts anew with the next change.' });
    expect(await lesson()).toBeNull();
  });

  it('while it trains: what was recorded stays, and the training says so', async () => {
    await openPage(1);
    const told = engine.page.evaluate(async () => {
      const training = await window.engine.train('repeats', { seed: 1 });
      training.run();
      while (training.status !== 'lost') {
        Object.assign(window, { at: training.losses.length });
        await new Promise((look) => setTimeout(look, 50));
      }
      return { status: training.status, problem: training.problem, recorded: training.losses.length > 0 };
    });
    await engine.page.waitForFunction(() => (window as unknown as { at?: number }).at! > 0);
    await engine.page.workers().find((worker) => worker.url().endsWith('training.js'))!.evaluate('self.close()');
    expect(await told).toEqual({ status: 'lost', problem: 'The training stopped unexpectedly; what was recorded is kept, and Restart begins again.', recorded: true });
  });
});

describe('a very long text', () => {
  const mixed = "When Mary's owl 🦉 went  to the naïve store,\n\n it said “no”…  漢字 and 12345 times. ";

  it('of a megabyte gives way to the next one before it is cut into tokens', async () => {
    await openPage(1);
    await pickModel('odd');
    await openPicked('odd');
    const [long, next, given] = await engine.page.evaluate(async (part) => {
      const codeOf = (call: Promise<unknown>) => call.then(() => 'done', (error) => (typeof error.code === 'string' ? error.code : error.name));
      const text = part.repeat(Math.ceil(1e6 / part.length));
      const stop = new AbortController();
      const calls = [codeOf(window.engine.run({ text })), codeOf(window.engine.run({ text: 'yes' })), codeOf(window.engine.tokenize(text, { signal: stop.signal }))];
      setTimeout(() => stop.abort(), 20);
      return Promise.all(calls);
    }, mixed);
    expect([long, next, given]).toEqual(['cancelled', 'done', 'AbortError']);
  });

  it.each(['a', 'xq', '=', 'naïve'])('of a megabyte without a space (%s…) gives way in the middle of its one word', async (part) => {
    await openPage(1);
    await pickModel('odd');
    await openPicked('odd');
    const seen = await engine.page.evaluate(async (piece) => {
      const nameOf = (call: Promise<unknown>) => call.then(() => 'done', (error) => (typeof error.code === 'string' ? error.code : error.name));
      const text = piece.repeat(Math.ceil(1e6 / piece.length));
      const stop = new AbortController();
      const given = nameOf(window.engine.tokenize(text, { signal: stop.signal }));
      const long = nameOf(window.engine.run({ text }));
      setTimeout(() => stop.abort(), 20);
      const next = nameOf(window.engine.run({ text: 'yes' }));
      return Promise.all([given, long, next]);
    }, part);
    expect(seen).toEqual(['AbortError', 'cancelled', 'done']);
  });

  it('has the tokens of the native program, wherever it is cut for the work', async () => {
    await openPage(1);
    await pickModel('odd');
    await openPicked('odd');
    const text = mixed.repeat(Math.ceil(30_000 / mixed.length));
    const { stdout } = await promisify(execFile)(native, ['tokens', '--json', '--model', join(engine.folder, 'odd'), '--text', text], { maxBuffer: 1 << 28 });
    const brief = (tokens: { id: number; word: number }[]) => tokens.map(({ id, word }) => `${id} in ${word}`);
    const tokens = await engine.page.evaluate((words) => window.engine.tokenize(words), text);
    expect(brief(tokens)).toEqual(brief(JSON.parse(stdout)));
  });
});

describe('memory that is refused', () => {
  it('to a run: a sentence says so, and a shorter text runs', async () => {
    await writeCheckpoint(join(engine.folder, 'long'), { shape: { n_layer: 4, n_head: 4, n_embd: 64, n_positions: 4096, vocab_size: 300 }, seed: 8 });
    await openPage(1);
    await pickModel('long');
    await openPicked('long');
    const run = (n: number) => engine.page.evaluate((count) => window.engine.run({ ids: Array.from({ length: count }, (_, i) => i % 300) }).then(() => null, (error) => ({ code: error.code, sentence: error.message })), n);
    expect(await run(8)).toBeNull();
    await engine.page.workers().at(-1)!.evaluate("WebAssembly.Memory.prototype.grow = () => { throw new RangeError('Maximum memory size exceeded') }");
    const refused = await run(4096);
    expect(refused?.code).toMatch(/out_of_memory|engine_failed/);
    expect(refused?.sentence).toMatch(/^[^.]+\.$/);
    expect(await run(9)).toBeNull();
  });
});
