// The check in double precision: right by hand-made numbers, tight enough to notice a wrong number, and never alarmed by
// what single precision does to a row.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agrees, proveBlend, proveDot, proveRow, proveScaled, proveWrite } from '../../web/proof/head-row.ts';

/** A row as single precision works it out, each operation rounded. */
function single(query: Float32Array, keys: Float32Array[]) {
  const f = Math.fround;
  const root = f(Math.sqrt(query.length));
  const raw = keys.map((key) => query.reduce((sum, q, i) => f(sum + f(q * key[i]!)), 0));
  const scaled = raw.map((score) => f(score / root));
  const maximum = Math.max(...scaled);
  const exponentials = scaled.map((score) => f(Math.exp(f(score - maximum))));
  const sum = exponentials.reduce((all, e) => f(all + e), 0);
  return { raw, scaled, maximum, exponentials, sum, shares: exponentials.map((e) => f(e / sum)) };
}

const number = fc.float({ min: -30, max: 30, noNaN: true });
const rows = fc.integer({ min: 1, max: 24 }).chain((d_head) =>
  fc.record({
    query: fc.array(number, { minLength: d_head, maxLength: d_head }).map((values) => Float32Array.from(values)),
    keys: fc.array(fc.array(number, { minLength: d_head, maxLength: d_head }).map((values) => Float32Array.from(values)), { minLength: 1, maxLength: 12 }),
  }),
);

describe('the check in double precision', () => {
  it('works a small row out as by hand', () => {
    // q · k = 4, 0, 8; ÷ √4 = 2, 0, 4; e^(s − 4) = e^−2, e^−4, 1.
    const keys = [[1, 1, 0, 0], [0, 0, 1, -1], [2, 1, 1, 0]];
    const query = [2, 2, 2, 2];
    const row = proveRow({ query, key: (at) => keys[at]!, row: 2 });
    expect(row.root).toBe(2);
    expect(row.scaled.map(({ value }) => value)).toEqual([2, 0, 4]);
    expect(row.maximum.value).toBe(4);
    const total = Math.exp(-2) + Math.exp(-4) + 1;
    expect(row.sum.value).toBeCloseTo(total, 14);
    expect(row.shares.map(({ value }) => value)).toEqual([Math.exp(-2) / total, Math.exp(-4) / total, 1 / total]);
    const { products, sum } = proveBlend(row, [10, 20, 30]);
    expect(products[2]).toBe(row.shares[2]!.value * 30);
    expect(sum.value).toBeCloseTo((10 * Math.exp(-2) + 20 * Math.exp(-4) + 30) / total, 12);
    const exact = (value: number) => ({ value, bound: 0 });
    const written = proveWrite([exact(2), exact(-3), exact(0.5)], [4, 5, 6]);
    expect(written.products).toEqual([8, -15, 3]);
    expect(written.sum.value).toBe(-4);
    expect(written.sum.bound).toBeGreaterThan(26 * 3 * 2 ** -24);
    expect(written.sum.bound).toBeLessThan(26 * 4 * 2 ** -24);
  });

  it('agrees with single precision, whatever the row', () => {
    fc.assert(
      fc.property(rows, ({ query, keys }) => {
        const core = single(query, keys);
        const proved = proveRow({ query, key: (at) => keys[at]!, row: keys.length - 1 });
        keys.forEach((key, at) => {
          const raw = proveDot(query, key);
          expect(agrees(core.raw[at]!, raw)).toBe(true);
          expect(agrees(core.scaled[at]!, proveScaled(raw, query.length))).toBe(true);
          expect(agrees(core.exponentials[at]!, proved.exponentials[at]!)).toBe(true);
          expect(agrees(core.shares[at]!, proved.shares[at]!)).toBe(true);
        });
        expect(agrees(core.maximum, proved.maximum)).toBe(true);
        expect(agrees(core.sum, proved.sum)).toBe(true);
        const blend = core.shares.reduce((sum, share, at) => Math.fround(sum + Math.fround(share * keys[at]![0]!)), 0);
        expect(agrees(blend, proveBlend(proved, keys.map((key) => key[0]!)).sum)).toBe(true);
        // Written: the whole blend, the keys as values once more, times the query as a column of weights.
        const blends = Array.from(query, (_, i) => core.shares.reduce((sum, share, at) => Math.fround(sum + Math.fround(share * keys[at]![i]!)), 0));
        const out = blends.reduce((sum, z, i) => Math.fround(sum + Math.fround(z * query[i]!)), 0);
        expect(agrees(out, proveWrite(blends.map((_, i) => proveBlend(proved, keys.map((key) => key[i]!)).sum), query).sum)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('notices numbers that are a little wrong', () => {
    const query = Float32Array.from({ length: 64 }, (_, i) => Math.sin(i + 1));
    const keys = Array.from({ length: 14 }, (_, at) => Float32Array.from({ length: 64 }, (_unused, i) => Math.sin(i + 1) * (1 + at / 14) + 0.1 * Math.cos(i * (at + 2))));
    const core = single(query, keys);
    const proved = proveRow({ query, key: (at) => keys[at]!, row: 13 });
    const wrong = 1.0001;
    expect(agrees(core.raw[3]! * wrong, proveDot(query, keys[3]!))).toBe(false);
    expect(agrees(core.scaled[3]! * wrong, proved.scaled[3]!)).toBe(false);
    expect(agrees(core.sum * wrong, proved.sum)).toBe(false);
    expect(agrees(core.shares[3]! * 1.001, proved.shares[3]!)).toBe(false);
    // A row that forgot the mask, or one token of it, has other shares.
    const shorter = single(query, keys.slice(0, 13));
    expect(agrees(shorter.shares[3]!, proved.shares[3]!)).toBe(false);
  });
});
