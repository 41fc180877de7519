// Two copies of a figure: what they differ in, in words, and that a link holds both.

import { expect, it } from 'vitest';
import { besideSentence } from '../../web/figures/beside-words.ts';
import { canBeside, defineFigure } from '../../web/figures/definition.ts';
import { formatLink, parseLink } from '../../web/state/link.ts';
import { choice, initialState, integer, text } from '../../web/state/schema.ts';

const schema = {
  text: text({ most: 100, initial: 'A dog' }),
  layer: integer({ min: 0, max: 9, initial: 0 }),
  head: integer({ min: 0, max: 9, initial: 0 }),
  row: integer({ min: -1, max: 9, initial: -1 }),
  col: integer({ min: -1, max: 9, initial: -1 }),
  model: choice(['any', 'little'], 'any'),
  odd: integer({ min: 0, max: 9, initial: 0 }),
};
const same = initialState(schema);
const said = (other: Partial<typeof same>, base: 0 | 1 = 0) => besideSentence(schema, same, { ...same, ...other }, base);

it('names what differs, counts as the reader does, and says a thing once', () => {
  expect(said({})).toBe('A and B are equal so far; change one of them.');
  expect(said({ model: 'little' })).toBe(said({}));
  expect(said({ text: 'A cat' })).toBe('A and B differ in the text; all else is the same.');
  expect(said({ layer: 2, head: 3 })).toBe('A and B differ in the layer (0 and 2) and the head (0 and 3); all else is the same.');
  expect(said({ text: '', head: 3 }, 1)).toBe('A and B differ in the text and the head (1 and 4); all else is the same.');
  expect(said({ text: 'x', row: 2, col: 1, odd: 4 })).toBe('A and B differ in the text, the open cell and what is open; all else is the same.');
});

it('a link holds both states and that there are two', () => {
  const link = parseLink('one-head&one-head.text=a%20%26%20b&one-head.beside=1&one-head-beside.head=3&one-head-beside.text=');
  expect(link.figures.get('one-head')).toEqual(new Map([['text', 'a & b'], ['beside', '1']]));
  expect(link.figures.get('one-head-beside')).toEqual(new Map([['head', '3'], ['text', '']]));
  expect(parseLink(formatLink(link))).toEqual(link);
});

it('is for figures that ask the model, unless they say that a second shows nothing', () => {
  expect(canBeside({})).toBe(false);
  expect(canBeside({ model: () => null })).toBe(true);
  expect(canBeside({ model: () => null, alone: true })).toBe(false);
  const named = (key: string) => () => defineFigure({ name: 'a-figure', schema: { [key]: schema.odd } } as unknown as Parameters<typeof defineFigure>[0]);
  expect(named('odd')).not.toThrow();
  expect(named('beside')).toThrow('"beside"');
});
