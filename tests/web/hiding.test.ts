// Names of hidden controls in links: any string is read, and what is written is read back.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatHidden, parseHidden } from '../../web/figures/hiding.ts';

it('reads any string as names', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.array(fc.constantFrom(',', 'a', '-', ' ', 'B', '9', '\u0000')).map((parts) => parts.join(''))), (text) => {
      const names = parseHidden(text);
      for (const name of names) expect(name).toMatch(/^[a-z0-9-]{1,60}$/);
      expect(new Set(names).size).toBe(names.length);
      expect(parseHidden(formatHidden(names))).toEqual(names);
    }),
    { numRuns: 2000 },
  );
});

it('leaves out what could not be a name, and takes no more than a hundred', () => {
  expect(parseHidden('stretch, Add-a-token,,"],stretch,ü')).toEqual(['stretch', 'add-a-token']);
  expect(parseHidden(Array.from({ length: 500 }, (_, at) => `n${at}`).join(','))).toHaveLength(100);
});
