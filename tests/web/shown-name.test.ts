// Names that others chose do not turn the page's own words around.

import { expect, it } from 'vitest';
import { shownName } from '../../web/engine/shown-name.ts';
import { modelSource } from '../../web/reader/handed-files.ts';
import { addressOrigin, hubOrigin, nameOf } from '../../web/worker/source/known.ts';
import { readListing } from '../../web/worker/source/listing.ts';
import type { Source } from '../../web/worker/source/types.ts';

it('shows what turns text around as its code point, and what nobody sees', () => {
  const turning = ['\u061C', '\u200E', '\u200F', '\u202A', '\u202B', '\u202C', '\u202D', '\u202E', '\u2066', '\u2067', '\u2068', '\u2069'];
  for (const sign of [...turning, '\u200B', '\u00A0', '\n', '\u0000', '\uFEFF']) {
    const shown = shownName(`gpt${sign}2`);
    expect(shown).toMatch(/^gpt⟨U\+[0-9A-F]{4}⟩2$/);
    expect(shownName(shown)).toBe(shown);
  }
  expect(shownName('my model 2')).toBe('my model 2');
});

it('keeps the direction of a name to itself', () => {
  expect(shownName('מודל 2')).toBe('\u2068מודל 2\u2069');
  expect(shownName('نموذج')).toBe('\u2068نموذج\u2069');
});

it('wherever a name comes in', async () => {
  const file = (name: string, folder: string) => ({ folder, file: new File([], name) });
  expect(modelSource([file('config.json', 'a/\u202Eredlof'), file('model.safetensors', 'a/\u202Eredlof')]).name).toBe('⟨U+202E⟩redlof');
  const address = (typed: string) => nameOf(addressOrigin(typed) as Parameters<typeof nameOf>[0]);
  expect(address('https://example.org/a%E2%80%AEb/')).toBe('a⟨U+202E⟩b');
  expect(address('https://example.org/a/b%E2%80%AEc.safetensors')).toBe('b⟨U+202E⟩c');
  expect(() => hubOrigin('a/\u202Eb', 'main')).toThrow('“a/⟨U+202E⟩b” is not the name');
  expect(() => hubOrigin('a/b', '\u202Eniam')).toThrow('“⟨U+202E⟩niam” is not a revision');
  expect(() => addressOrigin('http://example.org/\u202E')).toThrow('“http://example.org/⟨U+202E⟩” does not begin');
  const bare: Source = {
    host: null, anyOrder: () => true, close: () => {}, find: async () => null, async *read() {},
    small: async (name) => (name === 'config.json' || name.endsWith('.index.json') ? new TextEncoder().encode('{}') : null),
  };
  const core = { headerLength: () => 2, shards: () => ['\u202E1.safetensors'] };
  await expect(readListing(bare, null, false, core, new AbortController().signal)).rejects.toThrow('There is no ⟨U+202E⟩1.safetensors among the files');
  await expect(readListing(bare, '\u202E.safetensors', false, core, new AbortController().signal)).rejects.toThrow('There is no ⟨U+202E⟩.safetensors');
});
