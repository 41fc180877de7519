// Fresh numbers of exercises: always within their range, on its steps, and nothing else changes.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { drawFresh, parseFresh } from '../../web/state/fresh.ts';
import { at, put } from '../../web/state/pointer.ts';

it('draws every number of a range and no other', () => {
  const [range] = parseFresh('/a/0=0.1..0.5:0.1');
  expect(range).toEqual({ pointer: '/a/0', from: 0.1, to: 0.5, step: 0.1 });
  const drawn = Array.from({ length: 100 }, (_, index) => at(drawFresh({ a: [7] }, [range!], () => index / 100), '/a/0'));
  expect([...new Set(drawn)]).toEqual([0.1, 0.2, 0.3, 0.4, 0.5]);
});

it('stays within any range and leaves the rest as it was', () => {
  const ranges = fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: 1, max: 60 }), fc.constantFrom(0.1, 0.5, 1, 2));
  fc.assert(
    fc.property(ranges, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), ([from, more, step], random) => {
      const input = { x: [1, { y: 2 }], z: 'z' };
      const drawn = drawFresh(input, parseFresh(`/x/1/y=${from}..${from + more}:${step}`), () => random) as typeof input;
      const number = (drawn.x[1] as { y: number }).y;
      expect(number).toBeGreaterThanOrEqual(from);
      expect(number).toBeLessThanOrEqual(from + more);
      expect(put(drawn, '/x/1/y', 2)).toEqual(input);
      expect(input).toEqual({ x: [1, { y: 2 }], z: 'z' });
    }),
  );
});

it.each(['', '/a', '/a=1', '/a=3..1', '/a=1..2:0', 'a=1..2'])('refuses %j', (text) => {
  expect(() => parseFresh(text)).toThrow('must be a place and a range');
});
