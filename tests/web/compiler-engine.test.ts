// The engine at build time: small programs stand in for the native one, and the little model is run by the module that
// the pages load, which must give what the native program gives.

import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildEngine, nativeEngine } from '../../web/compiler/engine.ts';
import { nativeProgram } from '../../web/compiler/native.ts';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'lookback-engine-'))));
afterAll(() => rm(folder, { recursive: true }));

async function program(script: string): Promise<string> {
  const path = join(folder, `program-${Math.random().toString(36).slice(2)}`);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

const ask = (path: string, input: object = {}) => nativeEngine(path).lesson('dot', input as never);

it('passes the lesson’s name and the input, and gives the answer', async () => {
  const path = await program('printf \'{"arguments":"%s %s","input":%s}\' "$1" "$2" "$(cat)"');
  expect(await ask(path, { q: [1, 2] })).toEqual({ arguments: 'lesson dot', input: { q: [1, 2] } });
});

it('asks the same question once', async () => {
  const path = await program(`cat >/dev/null; echo x >>"${join(folder, 'asked')}"; echo '{}'`);
  const engine = nativeEngine(path);
  await Promise.all([engine.lesson('dot', { q: [1, 2], k: [1, 2] }), engine.lesson('dot', { q: [1, 2], k: [1, 2] })]);
  await engine.lesson('dot', { q: [1, 2], k: [1, 3] });
  expect(await readFile(join(folder, 'asked'), 'utf8')).toBe('x\nx\n');
});

it('gives the program’s own sentence when it fails', async () => {
  await expect(ask(await program('cat >/dev/null; echo "q must hold two numbers." >&2; exit 2'))).rejects.toThrow('q must hold two numbers.');
});

it('survives a program that does not read its input', async () => {
  await expect(ask(await program('exit 3'), { text: 'x'.repeat(1_000_000) })).rejects.toThrow('lesson dot ended with code 3.');
});

it('says what came instead of JSON, and when there is no program', async () => {
  await expect(ask(await program('cat >/dev/null; echo hello'))).rejects.toThrow('lesson dot did not answer with JSON but with "hello\n".');
  await expect(ask(join(folder, 'none'))).rejects.toThrow(/^The native program .*none does not start: /);
});

it('hands options to a command as the command line has them, a list as repeats', async () => {
  const path = await program('cat >/dev/null; printf \'["\'; printf "%s|" "$@"; printf \'"]\'');
  const [said] = (await nativeProgram(path, '/little').command('inside', { text: 'a b', head: ['0.1', '2.3'], from: 0 })) as string[];
  expect(said).toBe('inside|--model|/little|--json|--text|a b|--head|0.1|--head|2.3|--from|0|');
});

describe('without the little model', () => {
  it('has none', async () => {
    const engine = nativeEngine('/nowhere');
    expect(engine.model()).toBeNull();
    expect(await engine.inUse()).toBeNull();
    await expect(engine.run({ text: 'x' })).rejects.toThrow('No model is open.');
  });

  it('says where it looked for the engine', async () => {
    const engine = buildEngine(nativeProgram('/nowhere', little), { wasm: folder, little });
    await expect(engine.inUse()).rejects.toThrow(`The engine is missing in ${folder}: build it first`);
  });
});

const root = fileURLToPath(new URL('../../', import.meta.url));
const little = `${root}web/public/models/little`;

describe('with the little model', () => {
  const native = nativeProgram(`${root}build/native/lookback`, little);
  const engine = buildEngine(native, { wasm: `${root}build/wasm/wasm`, little });
  const text = 'The animal didn\'t cross the street because it was too tired 🦉';

  it('gives the native program’s bits', async () => {
    const truth = (await native.command('inside', { text, head: ['0.0', '1.1'], top: 4 })) as any;
    const run = await engine.run({ text });
    const last = run.tokens.length - 1;
    expect(run.tokens.map(({ id }) => id)).toEqual(truth.tokens.map(({ id }: { id: number }) => id));
    expect(await engine.fingerprint(run)).toBe(truth.fingerprint);
    for (const { layer, head, shares } of truth.attention.heads) {
      const { n, pattern } = await engine.head(run, layer, head);
      expect([...pattern.subarray(last * n)]).toEqual(shares.map(Math.fround));
    }
    const { n_layers } = (await engine.inUse())!.config;
    expect((await engine.lens(run, n_layers, last, 4)).map(({ id }) => id)).toEqual(truth.lens.at(-1).top.map(({ id }: { id: number }) => id));
  });

  it('knows it for what it is', async () => {
    const config = JSON.parse(await readFile(`${little}/config.json`, 'utf8'));
    expect(await engine.inUse()).toMatchObject({
      origin: 'little', vocabulary: 'own', notes: [], file_bytes: (await stat(`${little}/model.safetensors`)).size,
      config: { n_layers: config.n_layer, n_heads: config.n_head, d_model: config.n_embd, n_positions: config.n_positions, d_vocab: config.vocab_size },
    });
  });

  it('refuses what a run no longer holds, and a text beyond its window, in a sentence', async () => {
    const first = await engine.run({ text });
    await engine.run({ text: 'another' });
    await expect(engine.head(first, 0, 0)).rejects.toThrow('The text has changed since; ask again.');
    const { n_positions } = (await engine.inUse())!.config;
    await expect(engine.run({ text: ' the'.repeat(n_positions + 1) })).rejects.toThrow(`The text has ${n_positions + 1} tokens, but the model's window holds ${n_positions}.`);
  });
});
