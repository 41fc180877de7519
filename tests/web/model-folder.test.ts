// The native program reads models from folders: whole files, shards, in every precision.

import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeCheckpoint } from '../browser/checkpoint.ts';
import { inShards } from './shards.ts';

const program = fileURLToPath(new URL('../../build/native/lookback', import.meta.url));
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lookback-folder-'));
  await writeCheckpoint(join(folder, 'whole'), { shape: { n_layer: 2, n_head: 3, n_embd: 33, n_positions: 20, vocab_size: 60 }, seed: 9, maskBuffers: true });
});
afterAll(() => rm(folder, { recursive: true }));

interface Seen {
  fingerprint: string;
  precision: string;
}
function inside(model: string, ...options: string[]): Seen {
  const out = execFileSync(program, ['inside', '--model', join(folder, model), '--ids', '3,1,4,1,59', '--json', ...options], { encoding: 'utf8', stdio: 'pipe' });
  return JSON.parse(out) as Seen;
}
function refusal(model: string, ...options: string[]): string {
  try {
    inside(model, ...options);
  } catch (problem) {
    return String((problem as { stderr: string }).stderr);
  }
  throw new Error('The program took it.');
}

async function sharded(name: string, change: (files: Uint8Array[], index: { weight_map: Record<string, string> }) => void = () => {}) {
  const place = join(folder, name);
  await mkdir(place);
  await copyFile(join(folder, 'whole/config.json'), join(place, 'config.json'));
  const { files, index } = inShards(await readFile(join(folder, 'whole/model.safetensors')));
  const parsed = JSON.parse(index) as { weight_map: Record<string, string> };
  change(files, parsed);
  await writeFile(join(place, 'model.safetensors.index.json'), JSON.stringify(parsed));
  for (const [at, bytes] of files.entries()) await writeFile(join(place, `part-${at}.safetensors`), bytes);
}

it('gives the same bits from shards as from one file', async () => {
  await sharded('shards');
  expect(inside('shards').fingerprint).toBe(inside('whole').fingerprint);
});

it('names what is wrong with shards', async () => {
  await sharded('lacks', (files) => files.pop());
  expect(refusal('lacks')).toContain('There is no file');
  await sharded('moved', (_, index) => (index.weight_map['wte.weight'] = 'part-1.safetensors'));
  expect(refusal('moved')).toContain('places the tensor “wte.weight” in “part-1.safetensors”, but “part-0.safetensors” holds it.');
  await sharded('outside', (_, index) => (index.weight_map['wte.weight'] = '../whole/model.safetensors'));
  expect(refusal('outside')).toContain('expected the plain name of a .safetensors file');
  await sharded('cut', (files) => (files[1] = files[1]!.subarray(0, -5)));
  expect(refusal('cut')).toMatch(/part-1\.safetensors.*The file is cut short/);
});

it('keeps the matrices as it is told', () => {
  const seen = ['f32', 'f16', 'int8'].map((precision) => inside('whole', '--precision', precision));
  expect(seen[0]!.fingerprint).toBe(inside('whole').fingerprint);
  expect(seen.map(({ precision }) => precision)).toEqual(['f32', 'f16', 'int8']);
  expect(new Set(seen.map(({ fingerprint }) => fingerprint)).size).toBe(3);
  expect(refusal('whole', '--precision', 'f64')).toContain('There is no precision “f64”; expected f32, f16 or int8.');
});
