// The bundled little model: its files are the trainer's, small enough, and it has learned what its report says.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const program = process.env['LOOKBACK'] ?? fileURLToPath(new URL('../../build/native/lookback', import.meta.url));
const folder = fileURLToPath(new URL('../../web/public/models/little/', import.meta.url));
const FILES = ['config.json', 'model.safetensors', 'vocab.json', 'merges.txt'];
const MOST_BYTES_ON_THE_WIRE = 1_500_000;

/** What ./build.sh train makes from nothing. */
const SHA256 = 'be7bd251a309a49db1d18e02a292975c8e2de86525435916492dc57ab69aec2e';

interface Aim {
  name: string;
  measured: number;
  at_least: number;
  n: number;
}

const report = (...more: string[]) =>
  execFileSync(program, ['report', '--model', folder, ...more], { encoding: 'utf8', maxBuffer: 1 << 24 });

test('the weights are those that training makes', () => {
  expect(createHash('sha256').update(readFileSync(join(folder, 'model.safetensors'))).digest('hex')).toBe(SHA256);
});

test('the vocabulary and the sizes are those of the recipe', () => {
  const fresh = mkdtempSync(join(tmpdir(), 'lookback-little-'));
  try {
    execFileSync(program, ['train', '--out', fresh, '--steps', '1'], { stdio: 'pipe' });
    for (const file of FILES.filter((name) => name !== 'model.safetensors')) {
      expect(readFileSync(join(fresh, file), 'utf8')).toBe(readFileSync(join(folder, file), 'utf8'));
    }
  } finally {
    rmSync(fresh, { recursive: true });
  }
});

test('it is small enough to come along with every page', () => {
  const bytes = FILES.map((file) => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MOST_BYTES_ON_THE_WIRE);
});

test('the report in the repository is what the program measures', () => {
  expect(readFileSync(join(folder, 'report.md'), 'utf8')).toBe(report());
});

test('the aims of the report are reached, on 500 held-out cases and more', () => {
  const { aims } = JSON.parse(report('--json')) as { aims: Aim[] };
  expect(aims.length).toBeGreaterThanOrEqual(12);
  for (const aim of aims) {
    expect(aim.n, aim.name).toBeGreaterThanOrEqual(aim.name.startsWith('the book') ? 7 : 500);
    expect(aim.measured, aim.name).toBeGreaterThanOrEqual(aim.at_least);
  }
});
