// The six stages of a head: their words, formulas and shapes. One table, from which the compiled page, the stage line,
// titles and tables all speak.

import { outputMatrix } from '../../marks/lowered.ts';
import { fixed, plain } from '../../marks/number.ts';

export const stageNames = ['raw', 'scaled', 'masked', 'shares', 'blend', 'output'] as const;
export type Stage = (typeof stageNames)[number];

/** Sizes of a text and a head. */
export interface Sizes {
  n: number;
  d_head: number;
  d_model: number;
}

export interface StageWords {
  name: string;
  /** What is done, in a few signs. */
  short(sizes: Sizes): string;
  /** Rows and columns of what comes out. */
  shape(sizes: Sizes): readonly [number, number];
  /** One sentence with the sizes of the text at hand. */
  says(sizes: Sizes): string;
  /** What a cell holds, for legends and tables. */
  holds(sizes: Sizes): string;
  /** Whether rows and columns are both tokens. */
  square: boolean;
}

const root = ({ d_head }: Sizes) => `√${d_head}`;
const square = ({ n }: Sizes) => [n, n] as const;
const hidden = ({ n }: Sizes) => (n * (n - 1)) / 2;
const s = (count: number, noun: string) => `${fixed(count, 0)} ${noun}${count === 1 ? '' : 's'}`;

export const stageWords: Record<Stage, StageWords> = {
  raw: {
    name: 'Score',
    short: () => 'q · k',
    shape: square,
    says: (sizes) => `Every query meets every key: ${s(sizes.n * sizes.n, 'square')}, each the sum of ${s(sizes.d_head, 'product')}.`,
    holds: () => 'score q · k',
    square: true,
  },
  scaled: {
    name: 'Scale',
    short: (sizes) => `÷ ${root(sizes)}`,
    shape: square,
    says: (sizes) => `Every score is divided by ${root(sizes)} = ${plain(Math.sqrt(sizes.d_head))}. The pattern stays, the numbers shrink.`,
    holds: (sizes) => `score ÷ ${root(sizes)}`,
    square: true,
  },
  masked: {
    name: 'Mask',
    short: () => 'hide later',
    shape: square,
    says: (sizes) => `${s(sizes.n, 'token')}: ${s(sizes.n * sizes.n, 'square')}, ${fixed(hidden(sizes), 0)} hidden. A token sees itself and what stands before it.`,
    holds: (sizes) => `score ÷ ${root(sizes)}`,
    square: true,
  },
  shares: {
    name: 'Share',
    short: () => 'softmax',
    shape: square,
    says: (sizes) => `Softmax turns the ${fixed(sizes.n * sizes.n - hidden(sizes), 0)} scores in sight into shares. Each row adds up to 100\u202F%.`,
    holds: () => 'share of attention',
    square: true,
  },
  blend: {
    name: 'Blend',
    short: () => '× V',
    shape: ({ n, d_head }) => [n, d_head],
    says: (sizes) => `Each token adds up the values in its sight, each by its share: ${s(sizes.n, 'row')} of ${s(sizes.d_head, 'number')}.`,
    holds: () => 'number of the blend',
    square: false,
  },
  output: {
    name: 'Write',
    short: () => `× ${outputMatrix}`,
    shape: ({ n, d_model }) => [n, d_model],
    says: (sizes) => `${outputMatrix} makes ${fixed(sizes.d_model, 0)} numbers of each blend; they are added to the token’s row.`,
    holds: () => 'number that is added',
    square: false,
  },
};

/** "[14 × 768]" */
export function shapeText([rows, columns]: readonly [number, number]): string {
  return `[${fixed(rows, 0)} × ${fixed(columns, 0)}]`;
}

/** Whether the mask hides a cell in this stage. */
export function isHidden(stage: Stage, row: number, column: number): boolean {
  return column > row && (stage === 'masked' || stage === 'shares');
}
