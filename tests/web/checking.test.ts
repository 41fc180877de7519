// What makes an answer right, and numbers that a device has kept: whatever was typed or stored, nothing throws.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isNear, readAnswer, redraw } from '../../web/reader/checking.ts';
import { drawFresh, parseFresh } from '../../web/state/fresh.ts';

describe('answers', () => {
  it.each([['0.5', 0.5], ['0,5', 0.5], ['1/2', 0.5], [' 73 % ', 73], ['−3', -3], ['4\u202f722\u202f432', 4722432], ['1e3', 1000]])('reads %s', (typed, value) => {
    expect(readAnswer(typed)).toBe(value);
  });

  it.each(['', 'x', '1/0', '1/2/3', '1e999', '--1', '0x10', '9'.repeat(101)])('takes %s for no number', (typed) => {
    expect(readAnswer(typed)).toBeNaN();
  });

  it('are right up to the tolerance and no further', () => {
    expect([isNear('7.3', 7.4, 0.1), isNear('7.29', 7.4, 0.1), isNear('45', 45, 0), isNear('45.01', 45, 0), isNear('no', 45, 100)]).toEqual([true, false, true, false, false]);
  });
});

describe('kept numbers', () => {
  const ranges = parseFresh('/q/0=4..9 /k/1=0.1..0.9:0.1');
  const input = { q: [2, 1], k: [3, -3] };

  it('come back as they were drawn', () => {
    fc.assert(fc.property(fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { minLength: 2, maxLength: 2 }), (random) => {
      const drawn = drawFresh(input, ranges, () => random.pop() ?? 0);
      expect(redraw(input, ranges, JSON.parse(JSON.stringify(drawn)))).toEqual(drawn);
    }));
  });

  it('are refused when they are anything else, and bring nothing with them', () => {
    expect(redraw(input, ranges, { q: [5, 1e9], k: ['x', 0.5], more: 1 })).toEqual({ q: [5, 1], k: [3, 0.5] });
    for (const odd of [null, 0, 'x', [], {}, { q: [3, 1], k: [3, 0.5] }, { q: [5], k: [3, '0.5'] }, { q: { 0: 5 }, k: null }]) expect(redraw(input, ranges, odd)).toBeNull();
    fc.assert(fc.property(fc.jsonValue(), (odd) => redraw(input, ranges, odd) === null || true));
  });
});
