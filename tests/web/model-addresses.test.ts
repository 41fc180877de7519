// What a reader types to name a model: checked before anything is asked.

import { describe, expect, it } from 'vitest';
import { addressOrigin, bytesToFetch, folderOf, hubOrigin, knownModels, nameOf } from '../../web/worker/source/known.ts';
import { ModelError, type Origin } from '../../web/worker/source/types.ts';

type Remote = Extract<Origin, { kind: 'hub' | 'address' }>;
const code = (work: () => unknown) => {
  try {
    work();
    return null;
  } catch (reason) {
    expect(reason).toBeInstanceOf(ModelError);
    expect((reason as Error).message).toMatch(/^\S.*[.]$/s);
    return (reason as ModelError).code;
  }
};

describe('a repository of the hub', () => {
  it.each([
    ['gpt2', '', 'gpt2', 'main'], [' openai-community/gpt2 ', ' main ', 'openai-community/gpt2', 'main'],
    ['a_b/c.d-e', 'refs/pr/3', 'a_b/c.d-e', 'refs/pr/3'], ['x/y', 'v1.0', 'x/y', 'v1.0'],
  ])('takes %j at %j', (repo, revision, name, at) => {
    expect(hubOrigin(repo, revision)).toEqual({ kind: 'hub', repo: name, revision: at });
  });

  it.each([
    ['', 'main'], ['a/b/c', 'main'], ['../secret', 'main'], ['a/..', 'main'], ['a..b/c', 'main'], ['a b/c', 'main'], ['a/b?x', 'main'], ['a/b#x', 'main'],
    ['/b', 'main'], ['a/', 'main'], ['https://x/y', 'main'], ['a\\b', 'main'], ['a/b', '../x'], ['a/b', 'x y'], ['a/b', '/x'], ['a/b', 'x/'], ['a/b', 'x//y'],
    ['a/b', 'x?y'], ['a/b', '%2e%2e'], ['ä/b', 'main'], [`${'a'.repeat(97)}/b`, 'main'],
  ])('refuses %j at %j', (repo, revision) => {
    expect(code(() => hubOrigin(repo, revision))).toBe('bad_address');
  });

  it('keeps the revision in one part of the path', () => {
    expect(folderOf(hubOrigin('a/b', 'refs/pr/3') as Remote).folder).toBe('https://huggingface.co/a/b/resolve/refs%2Fpr%2F3/');
  });
});

describe('an address', () => {
  it.each([
    ['https://example.org/m/model.safetensors?key=1#x', 'https://example.org/m/model.safetensors?key=1'],
    ['example.org/m', 'https://example.org/m'], ['http://localhost:8000/m/', 'http://localhost:8000/m/'],
  ])('takes %j', (typed, url) => expect(addressOrigin(typed)).toEqual({ kind: 'address', url }));

  it.each(['', 'http://example.org/', 'http://[::1]:8000/', 'javascript:alert(1)', 'file:///etc/passwd', 'https://me:word@example.org/', 'https://', 'data:,x', 'blob:https://a/b', 'https://huggingface.co/a/%zz', 'https://a.example/%zz/'])(
    'refuses %j', (typed) => expect(code(() => addressOrigin(typed))).toBe('bad_address'));

  it.each([
    ['https://huggingface.co/openai-community/gpt2', 'openai-community/gpt2', 'main'],
    ['huggingface.co/a/b/tree/v2', 'a/b', 'v2'],
    ['https://huggingface.co/a/b/blob/main/model.safetensors', 'a/b', 'main'],
    ['https://huggingface.co/a/b/resolve/refs%2Fpr%2F1/model.safetensors?download=true', 'a/b', 'refs/pr/1'],
  ])('of the hub’s pages is a repository: %j', (typed, repo, revision) => expect(addressOrigin(typed)).toEqual({ kind: 'hub', repo, revision }));

  it('is told apart into folder, file and query', () => {
    const of = (url: string) => folderOf({ kind: 'address', url });
    expect(of('https://x.org/m/odd%20name.safetensors?k=1')).toEqual({ folder: 'https://x.org/m/', weights: 'odd name.safetensors', query: '?k=1' });
    expect(of('https://x.org/m')).toEqual({ folder: 'https://x.org/m/', weights: null, query: '' });
    expect(['https://x.org/m/tiny.safetensors', 'https://x.org/m/model.safetensors', 'https://x.org/'].map((url) => nameOf({ kind: 'address', url }))).toEqual(['tiny', 'm', 'x.org']);
  });
});

it('knows what the known models cost', () => {
  expect(knownModels.map((model) => [model.name, bytesToFetch(model)])).toEqual([
    ['GPT-2 small', 4 * 124_439_808], ['DistilGPT-2', 4 * 81_912_576], ['GPT-2 medium', 4 * 354_823_168], ['GPT-2 large', 4 * 774_030_080],
  ]);
});
