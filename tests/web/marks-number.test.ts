// Numbers as they are displayed.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fixed, formatNumber, ordinal, plain, score, share, signed, written, type NumberKind } from '../../web/marks/number.ts';

const narrow = '\u202F';
const minus = '\u2212';

describe('shares', () => {
  it.each([
    [0, '0'], [1, '100'], [0.364, '36'], [0.365, '37'], [0.0949, '9'], [0.0099, '1'], [0.0094, '0.9'], [0.004, '0.4'], [0.0006, '0.1'], [0.996, '100'],
  ])('%f is %s %%', (value, text) => expect(share(value)).toBe(`${text}${narrow}%`));
  it('says that something tiny is not nothing', () => expect(share(1e-9)).toBe(`<${narrow}0.1${narrow}%`));
});

describe('scores', () => {
  it.each([
    [4.254, '4.25'], [-0.001, '0.00'], [-0, '0.00'], [-1.5, `${minus}1.50`], [12345.678, `12${narrow}345.68`], [-Infinity, `${minus}∞`],
  ])('%f is %s', (value, text) => expect(score(value)).toBe(text));
  it.each([[1.02, '+1.02'], [0.001, '0.00'], [-0.004, '0.00'], [-3, `${minus}3.00`], [10, '+10.00'], [Infinity, '+∞']])('%f with its sign is %s', (value, text) => expect(signed(value)).toBe(text));
});

describe('other numbers', () => {
  it('parts thousands by a narrow space', () => {
    expect(fixed(548105171, 0)).toBe(`548${narrow}105${narrow}171`);
    expect(fixed(999, 0)).toBe('999');
    expect(fixed(-1024, 0)).toBe(`${minus}1${narrow}024`);
  });
  it('are as short as they can be', () => {
    expect([0.5, 0.1 + 0.2, 2.71828, 1234.5678, 0.00012345, 3].map(plain)).toEqual(['0.5', '0.3', '2.718', `1${narrow}235`, '0.0001234', '3']);
    expect(plain(-2.5e-7)).toBe(`${minus}2.50${narrow}×${narrow}10⁻⁷`);
    expect(plain(3e12)).toBe(`3.00${narrow}×${narrow}10¹²`);
  });
  it('hold in a field every digit they have', () => {
    expect([200000, -4, 0, 1.25, -0.01, 1234.5].map(written)).toEqual([`200${narrow}000`, `${minus}4`, '0', '1.25', `${minus}0.01`, `1${narrow}234.5`]);
  });
  it('have exponents of one font: a face has all raised digits or none', () => {
    const sheet = readFileSync(join(import.meta.dirname, '../../web/styles/fonts.css'), 'utf8');
    const ranges = [...sheet.matchAll(/unicode-range: ([^;]*);/g)].map(([, list]) => list!.split(', ').map((range) => range.replace('U+', '').split('-').map((end) => parseInt(end, 16))));
    expect(ranges.length).toBe(5);
    for (const face of ranges) {
      const raised = [...'⁰¹²³⁴⁵⁶⁷⁸⁹⁻'].filter((sign) => face.some(([first, last = first]) => sign.codePointAt(0)! >= first! && sign.codePointAt(0)! <= last!));
      expect([0, 11]).toContain(raised.length);
    }
  });
  it('count places from 0 or 1', () => expect([ordinal(8, 0), ordinal(8, 1)]).toEqual(['8', '9']));
});

it('no number of any kind shows NaN, a hyphen for a minus, or a minus before nothing', () => {
  const kinds: NumberKind[] = ['number', 'share', 'score', 'signed', 'integer', 'fixed1', 'fixed3'];
  fc.assert(
    fc.property(fc.constantFrom(...kinds), fc.double(), (kind, value) => {
      const text = formatNumber(value, kind);
      expect(text).not.toMatch(/NaN|-|e\+/);
      if (text.startsWith(minus)) expect(text).toMatch(/[1-9∞]/);
    }),
    { numRuns: 5000 },
  );
});

it('a number that is displayed is within half a unit of its last digit', () => {
  fc.assert(
    fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), (value) => {
      const read = Number(score(value).replaceAll(narrow, '').replace(minus, '-'));
      expect(Math.abs(read - value)).toBeLessThanOrEqual(0.005 + 1e-9);
    }),
  );
});
