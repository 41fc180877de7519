// What the figure order-blind can be asked.

import { choice, integer, number, text, type StateOf } from '../../state/schema.ts';

export const schema = {
  /** A model reads the texts, or the sum is looked at in a toy world. */
  mode: choice(['model', 'toy'], 'model'),
  /** Longer than any window, so that the core can say what its window is. */
  one: text({ most: 20_000, initial: 'The dog chased the cat.' }),
  two: text({ most: 20_000, initial: 'The cat chased the dog.' }),
  /** The same for models without a vocabulary. */
  oneids: text({ most: 8_000, initial: '0, 1, 2, 3' }),
  twoids: text({ most: 8_000, initial: '0, 2, 1, 3' }),
  /** What is added for a token's place: its learned row, none, or the row of another place as `seed` deals them. */
  positions: choice(['none', 'learned', 'shuffled'], 'none'),
  seed: integer({ min: 1, max: 9_999, initial: 1 }),
  /** What is opened, counted from 0; beyond the model's, the last. `col` is the number that is spelled out. */
  layer: integer({ min: 0, max: 999, initial: 0 }),
  head: integer({ min: 0, max: 999, initial: 0 }),
  col: integer({ min: 0, max: 99_999, initial: 0 }),
  /** The toy world's texts (empty: the book's), what their last token asks for, and how long the numbers of a place are. */
  toyone: text({ most: 400, initial: '' }),
  toytwo: text({ most: 400, initial: '' }),
  query: text({ most: 120, initial: 'a person or an animal' }),
  places: number({ min: 0, max: 2, step: 0.1, initial: 0 }),
  /** The feature whose sum is written out; where nothing is added to it, the first that has something. */
  feature: integer({ min: 0, max: 99, initial: 7 }),
};

export type State = StateOf<typeof schema>;

/** Keys that need no computation. */
export const viewOnly = ['layer', 'head', 'col', 'feature'] as const;
