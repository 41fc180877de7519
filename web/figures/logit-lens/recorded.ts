// What GPT-2 small gave for the book's sentence, for readers who have not opened it: computed with the published weights
// (Radford et al. 2019). Chances in per cent, the target's to two decimals, guesses to whole ones.

import { textPieces } from '../../marks/token.ts';
import type { Depth, Lens } from './work.ts';

export const sentence = 'Maya lives in Paris, the capital of';
const target = ' France';

/** After 0, 1, … 12 layers: the chance of “ France”, and the three first guesses. */
const rows: readonly [number, ...[string, number][]][] = [
  [0, ['destro', 65], ['mathemat', 26], ['challeng', 8]],
  [0, ['the', 63], ['course', 10], ['a', 2]],
  [0, ['the', 82], ['course', 7], ['a', 1]],
  [0, ['the', 75], ['course', 14], ['a', 1]],
  [0, ['the', 82], ['course', 2], ['Dam', 1]],
  [0, ['the', 88], ['a', 1], ['his', 1]],
  [0.01, ['the', 55], ['town', 5], ['British', 3]],
  [0.07, ['the', 36], ['South', 6], ['Pennsylvania', 5]],
  [0.09, ['the', 66], ['North', 6], ['South', 3]],
  [19.23, ['the', 39], ['France', 19], ['Europe', 8]],
  [87.64, ['France', 88], ['Europe', 6], ['the', 2]],
  [88.34, ['France', 88], ['the', 5], ['Europe', 2]],
  [28.81, ['France', 29], ['the', 25], ['a', 5]],
];

/** Ids are not recorded; each word gets one of its own. */
const idOf = (word: string) => -1 - [...new Set(rows.flatMap(([, ...guesses]) => guesses.map(([name]) => name)))].indexOf(word);

const depths = rows.map(([chance, ...guesses]): Depth => {
  const rank = guesses.findIndex(([word]) => word === target.trim());
  return {
    guesses: guesses.map(([word, percent]) => ({ id: idOf(word), pieces: textPieces(` ${word}`), logit: NaN, probability: percent / 100 })),
    chance: chance / 100,
    rank: rank < 0 ? null : rank,
  };
});

export const recorded: Lens = { position: -1, target: { id: idOf(target.trim()), pieces: textPieces(target), whole: '', note: '' }, depths };
