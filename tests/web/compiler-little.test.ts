// The little model as the build finds it: a folder whose name follows its content, and a sentence where a file is missing.

import { appendFile, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { copyLittle, findLittle, littleFiles } from '../../web/compiler/little.mjs';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lookback-little-'));
  for (const name of littleFiles) await writeFile(join(folder, name), name);
});
afterAll(() => rm(folder, { recursive: true }));

it('has another folder in the site when any of its files changes', async () => {
  const first = await findLittle(folder);
  expect(first).toEqual(await findLittle(folder));
  expect(first.bytes).toBe(littleFiles.join('').length);
  const seen = new Set([first.folder]);
  for (const name of littleFiles) {
    await appendFile(join(folder, name), '!');
    seen.add((await findLittle(folder)).folder);
  }
  expect(seen.size).toBe(1 + littleFiles.length);
  for (const name of seen) expect(name).toMatch(/^models\/little-[0-9a-f]{8}\/$/);
});

it('is copied into that folder and nothing else is', async () => {
  await writeFile(join(folder, 'notes.md'), 'about it');
  const little = await findLittle(folder);
  const site = join(folder, 'site');
  await copyLittle(little, site);
  expect((await readdir(join(site, little.folder))).sort()).toEqual([...littleFiles].sort());
});

it('is missed by the name of the file that is not there', async () => {
  await rm(join(folder, 'vocab.json'));
  await expect(findLittle(folder)).rejects.toThrow(`The little model has no vocab.json: ${folder} was expected to hold config.json, model.safetensors, vocab.json, merges.txt.`);
});

it('weighs no more than a page may fetch', async () => {
  const { source, bytes } = await findLittle(fileURLToPath(new URL('../../web/public/models/little', import.meta.url)));
  expect(bytes).toBeGreaterThan((await stat(join(source, 'model.safetensors'))).size);
  expect(bytes).toBeLessThanOrEqual(1.5e6);
});
