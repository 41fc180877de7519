// The surface of the three wasm modules under random calls (embind-calls.mjs). SECONDS_EACH=1800 SEED=0 hunts longer.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeCheckpoint } from '../browser/checkpoint.ts';
import { writeVocabulary } from '../browser/hostile-model.ts';

const seconds = Number(process.env['SECONDS_EACH'] ?? 0);
const program = fileURLToPath(new URL('embind-calls.mjs', import.meta.url));
/** A call that takes this long does not end. */
const patience = seconds * 1000 + 180_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lookback-calls-'));
  const vocab_size = await writeVocabulary(folder);
  await writeCheckpoint(folder, { shape: { n_layer: 3, n_head: 2, n_embd: 24, n_positions: 12, vocab_size }, seed: 5 });
});
afterAll(() => rm(folder, { recursive: true }));

it.each([
  ['lookback', 500],
  ['lessons', 300],
  ['training', 40],
])('%s answers any call by a value or a refusal, and gives the same bits afterwards', async (module, runs) => {
  const args = ['--module', module, '--folder', folder, '--runs', String(runs), '--seconds', String(seconds), '--seed', process.env['SEED'] ?? '1'];
  const { stdout } = await promisify(execFile)('node', [program, ...args], { timeout: patience, maxBuffer: 1 << 26 }).catch(async (failure) => {
    if (!failure.killed) throw new Error(failure.stderr || failure.message);
    throw new Error(`${module}: no end of ${(await readFile(join(folder, 'last'), 'utf8')).trim()}`);
  });
  const seen = JSON.parse(stdout);
  console.log(module, seen);
  expect(seen.same).toBe(true);
  for (const count of ['answered', 'refused', 'mistyped']) expect(seen[count], count).toBeGreaterThan(runs / 10);
  // What sessions took was given back.
  expect(seen.bytes).toBeLessThan(200e6);
}, patience + 10_000);
