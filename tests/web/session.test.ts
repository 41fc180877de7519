// The module's session as the worker uses it, in Node.js: a model that computes while it arrives, shards, storages, the
// sampler, and how much memory a load takes.

import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Outcome } from '../../web/engine/protocol.ts';
import type { Edits, HeadGrids, LayerGallery, SumArithmetic } from '../../web/engine/types.ts';
import type { EngineModule, FileRange, LoadPlan, Precision, Session } from '../../web/worker/module.ts';
import { writeCheckpoint, type CheckpointShape } from '../browser/checkpoint.ts';
import { headerOf, inShards } from './shards.ts';

const wasm = fileURLToPath(new URL('../../build/wasm/wasm/', import.meta.url));
const shape: CheckpointShape = { n_layer: 3, n_head: 2, n_embd: 24, n_positions: 12, vocab_size: 50 };
const ids = [7, 49, 0, 7, 21];
const utf8 = (text: string) => new TextEncoder().encode(text);

let folder: string;
let config: Uint8Array;
let file: Uint8Array;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lookback-session-'));
  await writeCheckpoint(folder, { shape, seed: 5, maskBuffers: true });
  config = await readFile(join(folder, 'config.json'));
  file = await readFile(join(folder, 'model.safetensors'));
});
afterAll(() => rm(folder, { recursive: true }));

async function engine(): Promise<EngineModule> {
  const { default: create } = await import(pathToFileURL(join(wasm, 'lookback.mjs')).href);
  return create({ wasmBinary: await readFile(join(wasm, 'lookback.wasm')) });
}
const fresh = async (): Promise<Session> => new (await engine()).Session(1);

function value<T>(outcome: Outcome<T>): T {
  if ('ok' in outcome) return outcome.ok;
  throw new Error(`${outcome.error}: ${outcome.sentence}`);
}
const errorOf = (outcome: Outcome<unknown>) => ('ok' in outcome ? null : outcome.error);

const planFor = (session: Session, precision: Precision = 'f32', bytes = file) =>
  session.plan(config, [headerOf(bytes)], [bytes.length], precision);

function send(session: Session, begin: number, end: number, bytes = file, number = 0): void {
  value(session.staging(end - begin)).set(bytes.subarray(begin, end));
  value(session.write(number, begin, end - begin));
}
const sendAll = (session: Session, ranges: FileRange[]) => ranges.forEach(({ begin, end }) => send(session, begin, end));

async function whole(precision: Precision = 'f32'): Promise<Session> {
  const session = await fresh();
  const { ranges } = value(planFor(session, precision));
  value(session.allocate());
  sendAll(session, ranges);
  value(session.finish());
  return session;
}
function run(session: Session, text = ids, edits: Edits | null = null): void {
  value(session.beginPass(text, edits));
  while (value(session.step()));
}

it('computes each half step as soon as its weights are there, and ends with the same bits', async () => {
  const complete = await whole();
  run(complete);
  const session = await fresh();
  expect(session.layersBegun()).toBe(0);
  const { ranges, bytes_to_read, config: sizes } = value(planFor(session));
  expect(sizes).toMatchObject({ n_layers: 3, n_heads: 2, d_head: 12, d_vocab: 50, tied_head: true });
  expect(ranges.reduce((sum, { begin, end }) => sum + end - begin, 0)).toBe(bytes_to_read);
  expect(ranges.some(({ name }) => name.endsWith('.attn.bias'))).toBe(false);
  expect(errorOf(session.beginPass(ids, null))).toBe('bad_argument'); // there is no memory yet
  value(session.allocate());
  expect(errorOf(session.beginPass(ids, null))).toBe('not_yet');

  const of = (part: FileRange['part'], layer = -1) => ranges.filter((range) => range.part === part && range.layer === layer);
  const [wte] = of('wte'), [wpe] = of('wpe');
  expect(wte!.row_bytes).toBe(96);
  for (const id of new Set(ids)) send(session, wte!.begin + id * 96, wte!.begin + (id + 1) * 96);
  send(session, wpe!.begin, wpe!.begin + ids.length * wpe!.row_bytes!);
  expect(value(session.beginPass(ids, null))).toBe(9);
  expect(session.step()).toEqual({ error: 'not_yet', sentence: "The weights of layer 0's queries, keys and values have not come yet." });
  expect(errorOf(session.head(0, 0))).toBe('not_yet');
  for (let layer = 0; layer < 3; layer++) {
    sendAll(session, of('attention_in', layer));
    expect(session.layersBegun()).toBe(layer);
    expect(value(session.step())).toBe(true);
    expect(errorOf(session.step())).toBe('not_yet');
    expect(session.layersBegun()).toBe(layer + 1);
    const early = value(session.head(layer, 1)) as HeadGrids;
    const late = value(complete.head(layer, 1)) as HeadGrids;
    expect(early.pattern).toEqual(late.pattern);
    expect(early.z).toEqual(late.z);
    expect(early.output).toBeNull();
    expect(session.activation(utf8(`blocks.${layer}.attn.hook_q`))).toEqual(complete.activation(utf8(`blocks.${layer}.attn.hook_q`)));
    expect(session.cell(layer, 0, 3, 1)).toEqual(complete.cell(layer, 0, 3, 1));
    expect(session.gallery(layer, 64)).toEqual(complete.gallery(layer, 64));
    expect(session.blended(layer, 1, 3, 11)).toEqual(complete.blended(layer, 1, 3, 11));
    expect(session.written(layer, 1, 3, 23)).toEqual({ error: 'not_yet', sentence: `What the heads of layer ${layer} write has not come yet.` });
    expect(errorOf(session.activation(utf8(`blocks.${layer}.hook_resid_mid`)))).toBe('not_yet');
    expect(session.activation(utf8('hook_pos_embed'))).toEqual(complete.activation(utf8('hook_pos_embed')));
    sendAll(session, of('attention_out', layer));
    expect(value(session.step())).toBe(true);
    expect(value(session.head(layer, 1))).toEqual(late);
    expect((value(session.written(layer, 1, 3, 23)) as SumArithmetic).sum).toBe(late.output![3 * 24 + 23]);
    sendAll(session, of('mlp', layer));
    expect(value(session.step())).toBe(layer < 2);
  }
  expect(session.fingerprint()).toBe(complete.fingerprint());
  expect(errorOf(session.lens(3, 4, 3))).toBe('not_yet'); // most of the token table is still to come
  expect(errorOf(session.next(1))).toBe('not_yet');
  expect(errorOf(session.finish())).toBe('bad_file');
  sendAll(session, of('last'));
  sendAll(session, of('wte')); // with the rows that came before
  expect(session.lens(3, 4, 3)).toEqual(complete.lens(3, 4, 3));
  for (const name of ['wpe', 'wpe_cosines.1']) expect(session.activation(utf8(name))).toEqual({ error: 'not_yet', sentence: 'The position table has not come whole yet.' });
  sendAll(session, of('wpe'));
  for (const name of ['wpe', 'wpe_cosines.1']) expect(session.activation(utf8(name))).toEqual(complete.activation(utf8(name)));
  value(session.finish());
  expect(session.fingerprint()).toBe(complete.fingerprint());
  run(session, [...ids, 3]);
  run(complete, [...ids, 3]);
  expect(session.fingerprint()).toBe(complete.fingerprint());
});

it('names a wrong number, layer or grid in one sentence', async () => {
  const session = await whole();
  expect(errorOf(session.gallery(0, 64))).toBe('bad_argument'); // there is no text yet
  run(session);
  expect(session.blended(0, 0, 0, 12)).toEqual({ error: 'bad_argument', sentence: 'There is no number 12; numbers 0 to 11 were expected.' });
  expect(session.written(2, 1, 0, 24)).toEqual({ error: 'bad_argument', sentence: 'There is no number 24; numbers 0 to 23 were expected.' });
  for (const wrong of [session.written(2, 1, 0, -1), session.written(3, 0, 0, 0), session.blended(0, 2, 0, 0), session.blended(0, 0, ids.length, 0), session.gallery(3, 64), session.gallery(-1, 64), session.gallery(0, 0)]) {
    expect(errorOf(wrong)).toBe('bad_argument');
  }
  const { block, side } = value(session.gallery(2, 2)) as LayerGallery;
  expect([block, side]).toEqual([Math.ceil(ids.length / 2), 2]);
});

it('goes on with a pass that finish() found under way', async () => {
  const complete = await whole();
  run(complete);
  const session = await fresh();
  const { ranges } = value(planFor(session));
  value(session.allocate());
  sendAll(session, ranges);
  value(session.beginPass(ids, null));
  value(session.step());
  value(session.finish());
  while (value(session.step()));
  expect(session.fingerprint()).toBe(complete.fingerprint());
});

it('gives up a text with its model', async () => {
  const session = await whole();
  run(session);
  value(planFor(session)); // only asks
  expect('ok' in session.head(0, 0)).toBe(true);
  value(session.allocate());
  expect(errorOf(session.head(0, 0))).toBe('bad_argument');
  expect(session.step()).toEqual({ ok: false });
  value(planFor(session)); // another loading takes the place of one that was under way
  expect(errorOf(session.beginPass(ids, null))).toBe('bad_argument');
});

it('reads shards by their index', async () => {
  const { files, index } = inShards(file);
  const session = await fresh();
  expect(errorOf(session.shards(utf8('{"weight_map":{"wte.weight":"../x.safetensors"}}')))).toBe('bad_file');
  expect(value(session.shards(utf8(index)))).toEqual({ files: ['part-0.safetensors', 'part-1.safetensors'] });
  const plan = (order: Uint8Array[]) => session.plan(config, order.map(headerOf), order.map(({ length }) => length), 'f32');
  expect(errorOf(plan([files[1]!, files[0]!]))).toBe('bad_file');
  expect(errorOf(plan([files[0]!]))).toBe('bad_file');
  const { ranges } = value(plan(files));
  value(session.allocate());
  for (const range of ranges) send(session, range.begin, range.end, files[range.file]!, range.file);
  value(session.finish());
  run(session);
  const complete = await whole();
  run(complete);
  expect(session.fingerprint()).toBe(complete.fingerprint());
});

it('keeps weights in three storages, each nearer to the exact numbers than the next', async () => {
  const kept: number[] = [], patterns: Float32Array[] = [];
  for (const precision of ['f32', 'f16', 'int8'] as const) {
    kept.push(value(planFor(await fresh(), precision)).kept_bytes);
    const session = await whole(precision);
    run(session);
    patterns.push((value(session.head(2, 1)) as HeadGrids).pattern);
  }
  expect(kept[0]).toBeGreaterThan(kept[1]!);
  expect(kept[1]).toBeGreaterThan(kept[2]!);
  const farthest = (at: number) => Math.max(...patterns[at]!.map((share, i) => Math.abs(share - patterns[0]![i]!)));
  expect(farthest(1)).toBeGreaterThan(0);
  expect(farthest(1)).toBeLessThan(0.002);
  expect(farthest(2)).toBeGreaterThan(farthest(1));
  expect(farthest(2)).toBeLessThan(0.05);
  expect(planFor(await fresh(), 'f64' as Precision)).toEqual({
    error: 'bad_argument',
    sentence: 'There is no precision “f64”; expected f32, f16 or int8.',
  });
});

it('draws the next token by a seed, with the chances of the likeliest', async () => {
  const session = await whole();
  expect(errorOf(session.next(3))).toBe('bad_argument');
  run(session);
  const text = [...ids];
  value(session.sampler(0, 0, 1, 1));
  const greedy = value(session.next(3));
  expect(greedy.alternatives.map(({ probability }) => probability)).toEqual([1, 0, 0]);
  expect(greedy.alternatives[0]!.id).toBe(greedy.id);
  const guesses = value(session.lens(3, 4, 50) as Outcome<{ id: number; probability: number }[]>);
  expect(guesses[0]!.id).toBe(greedy.id);

  const draws = (seed: number) => {
    value(session.sampler(1, 0, 1, seed));
    return Array.from({ length: 40 }, () => value(session.next(50)));
  };
  const first = draws(3);
  expect(draws(3)).toEqual(first);
  expect(draws(4).map(({ id }) => id)).not.toEqual(first.map(({ id }) => id));
  for (const { alternatives } of first.slice(0, 2))
    alternatives.forEach(({ id, probability }, at) => {
      expect(id).toBe(guesses[at]!.id);
      expect(probability).toBeCloseTo(guesses[at]!.probability, 5);
    });

  // To the last place of the window and one beyond.
  value(session.sampler(0.8, 5, 0.9, 7));
  while (text.length < 12) {
    text.push(value(session.next(0)).id);
    run(session, text);
  }
  text.push(value(session.next(0)).id);
  expect(errorOf(session.beginPass(text, null))).toBe('window_full');
  const wrongs: [number, number, number, number][] = [[-1, 0, 1, 1], [1, 0, 0, 1], [1, 0, 2, 1], [Number.NaN, 0, 1, 1], [1, 0, 1, -1], [1, 0, 1, 0.5]];
  for (const wrong of wrongs)
    expect(errorOf(session.sampler(...wrong))).toBe('bad_argument');
});

describe('memory', () => {
  // Wide enough that the weights count for more than what the module begins with.
  const large: CheckpointShape = { n_layer: 3, n_head: 12, n_embd: 768, n_positions: 256, vocab_size: 12_000 };
  let place: string;
  let size: number;
  beforeAll(async () => {
    place = await mkdtemp(join(tmpdir(), 'lookback-large-'));
    size = await writeCheckpoint(place, { shape: large, seed: 6 });
  }, 120_000);
  afterAll(() => rm(place, { recursive: true }));

  it.each(['f32', 'f16', 'int8'] as const)('%s: at most 1.05 × the weights, the trace and 20 MB', async (precision) => {
    const reader = await open(join(place, 'model.safetensors'));
    const beginning = new Uint8Array(100_000);
    await reader.read(beginning, 0, beginning.length, 0);
    const module = await engine();
    const session = new module.Session(1);
    const plan: LoadPlan = value(session.plan(await readFile(join(place, 'config.json')), [headerOf(beginning)], [size], precision));
    value(session.allocate());
    for (const range of plan.ranges)
      for (let begin = range.begin; begin < range.end; begin += 4 << 20) {
        const length = Math.min(4 << 20, range.end - begin);
        await reader.read(value(session.staging(length)), 0, length, begin);
        value(session.write(0, begin, length));
      }
    await reader.close();
    value(session.finish());
    run(session, Array.from({ length: 200 }, (_, at) => at % 7));
    // The heap never shrinks, so what it has now is the most it had.
    expect(module.heapBytes()).toBeGreaterThan(plan.kept_bytes + session.traceBytes());
    expect(module.heapBytes()).toBeLessThan(1.05 * plan.kept_bytes + session.traceBytes() + 20e6);
  });

  it('refuses what does not fit, and names a precision that does', async () => {
    const big = { n_layer: 36, n_head: 20, n_embd: 1280, n_positions: 1024, vocab_size: 50257 }; // GPT-2 large
    const entries: Record<string, object> = {};
    let offset = 0;
    const add = (name: string, ...sides: number[]) => {
      const end = offset + 4 * sides.reduce((all, side) => all * side, 1);
      entries[name] = { dtype: 'F32', shape: sides, data_offsets: [offset, end] };
      offset = end;
    };
    const d = big.n_embd;
    add('wte.weight', big.vocab_size, d);
    add('wpe.weight', big.n_positions, d);
    for (let layer = 0; layer < big.n_layer; layer++) {
      const h = `h.${layer}`;
      for (const name of ['ln_1', 'ln_2']) (add(`${h}.${name}.weight`, d), add(`${h}.${name}.bias`, d));
      for (const [name, from, to] of [['attn.c_attn', d, 3 * d], ['attn.c_proj', d, d], ['mlp.c_fc', d, 4 * d], ['mlp.c_proj', 4 * d, d]] as const)
        (add(`${h}.${name}.weight`, from, to), add(`${h}.${name}.bias`, to));
    }
    add('ln_f.weight', d);
    add('ln_f.bias', d);
    const header = utf8(JSON.stringify(entries));
    const json = utf8(JSON.stringify({ model_type: 'gpt2', activation_function: 'gelu_new', ...big }));
    const session = await fresh();
    const ask = (precision: Precision) => session.plan(json, [header], [8 + header.length + offset], precision);
    expect(ask('f32')).toEqual({
      error: 'out_of_memory',
      sentence:
        'As f32 this model needs 3.10 GB for its weights and 949.0 MB for a text that fills its window; this program has 4.03 GB. As f16 it fits, with 1.55 GB for its weights.',
    });
    expect('ok' in ask('f16')).toBe(true);
    expect('ok' in ask('int8')).toBe(true);
  });
});

describe('what if', () => {
  it('passes with edits, and without them again', async () => {
    const session = await whole();
    run(session);
    const plain = session.fingerprint();
    const seen = new Set([plain]);
    for (const edits of [{ positions: 'none' }, { positions: 'shuffled' }, { positions: 'shuffled', seed: 2 }, { silenced: [{ layer: 1, head: 0 }] }, { replaced: [{ layer: 0, head: 1, row: 2, shares: [0.5, 0, 0.5] }] }] satisfies Edits[]) {
      run(session, ids, edits);
      seen.add(session.fingerprint());
    }
    expect(seen.size).toBe(6);
    run(session, ids, {});
    expect(session.fingerprint()).toBe(plain);
  });

  it('shows the edit in the head', async () => {
    const session = await whole();
    const head = (layer: number, at: number) => value(session.head(layer, at) as Outcome<HeadGrids>);
    run(session, ids, { silenced: [{ layer: 1, head: 0 }], replaced: [{ layer: 0, head: 1, row: 2, shares: [0.5, 0, 0.25] }] });
    expect(head(1, 0).z.every((number) => number === 0)).toBe(true);
    expect(head(1, 1).z.some((number) => number !== 0)).toBe(true);
    expect(Array.from(head(0, 1).pattern.subarray(10, 15))).toEqual([0.5, 0, 0.25, 0, 0]);
  });

  it('refuses what fits nothing', async () => {
    const session = await whole();
    run(session);
    const refused: [object, string][] = [
      [{ positions: 'upside down' }, 'The positions of an edit are learned, none or shuffled.'],
      [{ silenced: [{ layer: -1, head: 0 }] }, 'The seed, layers, heads and places of an edit are whole numbers from 0.'],
      [{ silenced: [{ layer: 0, head: 2 }] }, 'There is no head 0.2 to edit; layers 0 to 2 and heads 0 to 1 were expected.'],
      [{ replaced: [{ layer: 0, head: 0, row: 1, shares: [1] }] }, 'The new shares of head 0.0 at place 1 must be 2 finite numbers, one for each place that it sees.'],
    ];
    for (const [edits, sentence] of refused) expect(session.beginPass(ids, edits as Edits)).toEqual({ error: 'bad_argument', sentence });
    expect(session.beginPass(ids, null)).toEqual({ ok: 0 });
  });
});
