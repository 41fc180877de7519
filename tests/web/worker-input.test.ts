// What a page may ask the engine to run: anything else is one sentence, not a wrong number.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkedInput } from '../../web/worker/input.ts';

const sentenceOf = (input: unknown) => {
  const outcome = checkedInput(input);
  return 'ok' in outcome ? null : outcome.sentence;
};

it('lets good input through as it is', () => {
  const edits = { positions: 'shuffled', seed: 7, silenced: [{ layer: 0, head: 1 }], replaced: [{ layer: 1, head: 0, row: 1, shares: [0.5, -2] }] };
  for (const input of [{ text: '' }, { text: 'a', edits: {} }, { ids: [] }, { ids: [0, 50256], edits }]) expect(checkedInput(input)).toEqual({ ok: input });
});

it.each([
  [undefined, 'A text or token ids were expected to run.'],
  [[], 'A text or token ids were expected to run.'],
  [{}, 'Either a text or token ids were expected to run, one of the two.'],
  [{ text: 'a', ids: [1] }, 'Either a text or token ids were expected to run, one of the two.'],
  [{ text: 5 }, '“5” is no text.'],
  [{ ids: 5 }, 'Token ids were expected as a list of whole numbers.'],
  [{ ids: [1, NaN] }, '“NaN” is no token id; whole numbers from 0 were expected.'],
  [{ ids: ['a'] }, '“a” is no token id; whole numbers from 0 were expected.'],
  [{ ids: [4294967296] }, '“4294967296” is no token id; whole numbers from 0 were expected.'],
  [{ ids: [1.5] }, '“1.5” is no token id; whole numbers from 0 were expected.'],
  [{ text: 'a', edits: 'none' }, '“none” are no edits; an object was expected.'],
  [{ text: 'a', edits: { postions: 'none' } }, 'There is no edit “postions”; known are positions, seed, silenced, replaced.'],
  [{ text: 'a', edits: { positions: ['none'] } }, 'The positions of an edit are learned, none or shuffled.'],
  [{ text: 'a', edits: { seed: -1 } }, 'The seed of an edit is a whole number from 0.'],
  [{ text: 'a', edits: { silenced: 5 } }, 'The edit “silenced” is a list.'],
  [{ text: 'a', edits: { silenced: [null] } }, 'Each entry of the edit “silenced” has layer, head, whole numbers from 0.'],
  [{ text: 'a', edits: { replaced: [{ layer: 0, head: 0, row: -1, shares: [] }] } }, 'Each entry of the edit “replaced” has layer, head, row, whole numbers from 0.'],
  [{ text: 'a', edits: { replaced: [{ layer: 0, head: 0, row: 0 }] } }, 'The shares of an edit are lists of finite numbers.'],
  [{ text: 'a', edits: { replaced: [{ layer: 0, head: 0, row: 0, shares: ['1'] }] } }, 'The shares of an edit are lists of finite numbers.'],
  [{ text: 'a', edits: { replaced: [{ layer: 0, head: 0, row: 0, shares: [1e300] }] } }, 'The shares of an edit are lists of finite numbers.'],
])('%j: %s', (input, sentence) => {
  expect(sentenceOf(input)).toBe(sentence);
});

it('never throws', () => {
  fc.assert(fc.property(fc.anything(), fc.anything(), (value, edits) => {
    for (const input of [value, { text: 'a', edits: value }, { ids: value, edits }]) expect(sentenceOf(input)).not.toBe('');
  }));
});
