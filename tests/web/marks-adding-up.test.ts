// Sums that are written out add up as they are shown.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decimalsAddingUp } from '../../web/marks/adding-up.ts';

it('takes more decimals, or fewer, where the usual ones do not add up', () => {
  expect(decimalsAddingUp([0.5, 0.25], 0.75, [2, 3])).toBe(2);
  expect(decimalsAddingUp([-0.8217, -0.5359, 1.404], 0.0464, [2, 3, 4])).toBe(3); // −0.82 − 0.54 + 1.40 is 0.04, not 0.05
  expect(decimalsAddingUp([0.04, 0.04], 0.08, [1, 0])).toBe(0);
  expect(decimalsAddingUp([1], 2, [2, 3])).toBe(2);
});

it('is right for what it chooses, wherever a choice is right', () => {
  fc.assert(
    fc.property(fc.array(fc.float({ min: -3, max: 3, noNaN: true }), { minLength: 1, maxLength: 6 }), (parts) => {
      const sum = parts.reduce((total, part) => total + part, 0);
      const right = (decimals: number) => parts.reduce((total, part) => total + Math.round(Number(part.toFixed(decimals)) * 10 ** decimals), 0) === Math.round(Number(sum.toFixed(decimals)) * 10 ** decimals);
      const chosen = decimalsAddingUp(parts, sum, [2, 3, 4, 1]);
      expect(right(chosen) || ![2, 3, 4, 1].some(right)).toBe(true);
    }),
  );
});
