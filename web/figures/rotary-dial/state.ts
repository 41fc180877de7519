// The state of rotary-dial, and what follows from it before the core is asked.

import type { RotaryInput, RotaryOutput } from '../../engine/lessons-rotary.ts';
import { fixed } from '../../marks/number.ts';
import { choice, integer, numbers, type StateOf } from '../../state/schema.ts';
import type { ViewContext } from '../definition.ts';

const entries = { min: -4, max: 4, step: 0.1, least: 8, most: 8 };

export const schema = {
  /** Place of the query, place of the key. Each is a factor of the angle, so places count from 0 here. */
  m: integer({ min: 0, max: 100_000, initial: 9 }),
  n: integer({ min: 0, max: 100_000, initial: 4 }),
  base: integer({ min: 2, max: 10_000_000, initial: 10_000 }),
  /** How many numbers query and key have. */
  d: choice(['2', '4', '6', '8'], '8'),
  /** The first `d` count. */
  q: numbers({ ...entries, initial: [1.4, 0.6, 1, -0.8, 0.5, 1.2, 1.6, 0.2] }),
  k: numbers({ ...entries, initial: [1.2, -0.4, 0.6, 1, 1.1, 0.7, 0.9, 1.3] }),
};

export type State = StateOf<typeof schema>;
export type View = ViewContext<State, RotaryOutput>;

/** The base of the paper, and a larger one, as models for long texts have it. */
export const usualBases = [10_000, 500_000];
/** How much further on the same distance is tried. */
const shifts = [1, 10, 100, 1000];

export function inputOf({ m, n, base, d, q, k }: State): RotaryInput {
  const bases = usualBases.includes(base) ? usualBases : [...usualBases, base];
  return { q: q.slice(0, Number(d)), k: k.slice(0, Number(d)), m, n, base, bases, shifts };
}

/** "5 places after", "1 place before", "at the place of". */
export function apart(distance: number): string {
  if (distance === 0) return 'at the place of';
  const size = Math.abs(distance);
  return `${fixed(size, 0)} place${size === 1 ? '' : 's'} ${distance > 0 ? 'after' : 'before'}`;
}
