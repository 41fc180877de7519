// The changes that a reader makes to the search playground, as they go through a link.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyChanges, withChange } from '../../web/figures/search-changes.ts';
import { texts } from '../../web/state/schema.ts';

const weights = fc.array(fc.integer({ min: 0, max: 20 }).map((half) => half / 2), { minLength: 1, maxLength: 15 });
const change = fc.record({ query: fc.string(), key: fc.string({ unit: 'grapheme' }), value: fc.string(), queryWeights: weights, keyWeights: weights }, { requiredKeys: [] });
const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 30 }), change), { maxLength: 12 });

describe('changes to rows', () => {
  it('are found again, the latest of each kind, also after the way through a link', () => {
    const field = texts({ length: 400, most: 200, initial: [] });
    fc.assert(
      fc.property(steps, (made) => {
        const expected = new Map<number, object>();
        let entries: string[] = [];
        for (const [row, changes] of made) {
          entries = withChange(entries, row, changes);
          expected.set(row, { ...expected.get(row), ...changes });
        }
        const read = field.parse(field.format(entries));
        for (const [row, changes] of expected) expect(applyChanges(read, row)).toEqual(changes);
        expect(applyChanges(read, 31)).toEqual({});
      }),
    );
  });

  it('give equal entries for equal states, in whatever order they were made', () => {
    const one = withChange(withChange([], 10, { key: 'b' }), 2, { value: 'v', key: '' });
    const two = withChange(withChange([], 2, { key: '', value: 'v' }), 10, { key: 'b' });
    expect(one).toEqual(['2k:', '2v:v', '10k:b']);
    expect(two).toEqual(one);
  });

  it('are taken back by null', () => {
    expect(withChange(['3k:a', '3y:1 2'], 3, { key: 'c', keyWeights: null })).toEqual(['3k:c']);
  });

  it('that make no sense are left out', () => {
    fc.assert(fc.property(fc.array(fc.string({ unit: 'binary' })), fc.nat(20), (entries, row) => void applyChanges(entries, row)));
    expect(applyChanges(['', 'k:x', '3', '3z:x', '3y:1 NaN', '3y:1 99', '-3k:x', '3y:', '__proto__'], 3)).toEqual({});
    expect(applyChanges(['3k:a:b'], 3)).toEqual({ key: 'a:b' });
  });
});
