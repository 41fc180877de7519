// A model without a vocabulary says which file is to blame.

import { expect, it } from 'vitest';
import { modelFiles } from '../../web/engine/model-files.ts';
import type { Session } from '../../web/worker/module.ts';
import { readListing } from '../../web/worker/source/listing.ts';
import type { CoreChecks, Source } from '../../web/worker/source/types.ts';
import { loadVocabulary } from '../../web/worker/vocabulary.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const core: CoreChecks = { headerLength: () => 2, shards: () => [] };

function sourceOf(files: Record<string, string>): Source {
  const all: Record<string, string> = { 'config.json': '{}', 'model.safetensors': '12345678{}', ...files };
  return {
    host: 'example.org',
    anyOrder: () => true,
    close: () => {},
    find: async (name) => (name in all ? { name, size: 10, identity: null, sha256: null, beginning: bytes(all[name]!) } : null),
    small: async (name) => (name in all ? bytes(all[name]!) : null),
    async *read({ name }, begin, end) {
      yield bytes(all[name]!).subarray(begin, end);
    },
  };
}

/** What a reader is told, with a model of so many tokens. */
async function told(files: Record<string, string>, d_vocab = 60): Promise<string[]> {
  const listing = await readListing(sourceOf(files), null, true, core, new AbortController().signal);
  const session = { loadVocabulary: () => ({ ok: d_vocab }) } as unknown as Session;
  const outcome = await loadVocabulary(session, listing, d_vocab, async () => ({ tokens: bytes('{}'), merges: bytes('') }));
  return 'ok' in outcome ? outcome.ok.notes : [outcome.sentence];
}

const html = '<!doctype html><title>Not found</title>';

it.each([
  ['neither file', {}, 'There is no vocab.json and merges.txt'],
  ['pages in place of both', { 'vocab.json': html, 'merges.txt': html }, 'There is no vocab.json and merges.txt'],
  ['no merges.txt', { 'vocab.json': '{}' }, 'There is vocab.json, but no merges.txt'],
  ['no vocab.json', { 'merges.txt': '#version' }, 'There is merges.txt, but no vocab.json'],
  ['a page in place of merges.txt', { 'vocab.json': '{}', 'merges.txt': html }, 'merges.txt is an HTML page, such as an error page of a web server'],
  ['a pointer in place of vocab.json', { 'vocab.json': 'version https://git-lfs', 'merges.txt': '' }, 'vocab.json is a Git LFS pointer, a short text that stands for the real file'],
])('%s', async (_, files, why) => {
  expect(await told(files)).toEqual([`${why}, so this model takes token ids instead of text.`]);
});

it('says it also where GPT-2’s own words take their place', async () => {
  expect(await told({ 'vocab.json': '{}' }, 50257)).toEqual(["There is vocab.json, but no merges.txt; GPT-2's own, which comes with the book, is used."]);
  expect(await told({}, 50257)).toEqual(["There is no vocabulary among the files; GPT-2's own, which comes with the book, is used."]);
  expect(await told({ 'vocab.json': '{}', 'merges.txt': '#version' })).toEqual([]);
});

it.each([['vocab.json', 'merges.txt'], ['merges.txt', 'vocab.json'], ['encoder.json', 'vocab.bpe'], ['vocab.bpe', 'encoder.json']])('of picked files %s wants %s', (there, missing) => {
  const files = ['config.json', 'model.safetensors', there].map((name) => ({ name }) as File);
  expect(modelFiles(files)).toEqual({ error: 'bad_file', sentence: `There is ${there}, but no ${missing}; they go together.` });
});
