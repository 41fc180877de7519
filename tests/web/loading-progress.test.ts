// How far a loading is: no byte is counted twice or lost, whatever comes in whichever chunks, also when a typed text turns
// the order round.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { enter, ledgerOf, openReads, progressOf, stepOf, tableFirst } from '../../web/worker/progress.ts';
import { readingOrder, type PlanRange } from '../../web/worker/source/order.ts';
import type { Chunk, Read } from '../../web/worker/source/types.ts';

/** A model's ranges, end to end in file order; sizes in bytes. */
function rangesOf(layers: number, sizes: { table: number; part: number }): PlanRange[] {
  const parts: Pick<PlanRange, 'part' | 'layer' | 'name'>[] = [
    ...Array.from({ length: layers }, (_, layer) => (['attention_in', 'attention_out', 'mlp'] as const).map((part) => ({ part, layer, name: `h.${layer}.${part}` }))).flat(),
    { part: 'last', layer: -1, name: 'ln_f.weight' },
    { part: 'wpe', layer: -1, name: 'wpe.weight' },
    { part: 'wte', layer: -1, name: 'wte.weight' },
  ];
  let at = 100;
  return parts.map((part) => {
    const size = part.part === 'wte' ? 10 * sizes.table : part.part === 'wpe' ? 5 * sizes.table : sizes.part;
    const range = { ...part, file: 0, begin: at, end: (at += size) };
    return part.part === 'wte' || part.part === 'wpe' ? { ...range, row_bytes: sizes.table } : range;
  });
}

const model = fc.record({ layers: fc.integer({ min: 1, max: 5 }), table: fc.integer({ min: 1, max: 40 }), part: fc.integer({ min: 1, max: 300 }) });
const chunksOf = (read: Read, size: number): Chunk[] =>
  Array.from({ length: Math.ceil((read.end - read.begin) / size) }, (_, at) => {
    const begin = read.begin + at * size;
    return { begin, bytes: new Uint8Array(Math.min(size, read.end - begin)), file: read.file, read, from: 'network' as const };
  });

describe('a ledger', () => {
  it('counts every byte once and ends with all of them, also when the table is called for in between', () => {
    fc.assert(
      fc.property(model, fc.boolean(), fc.integer({ min: 1, max: 99 }), fc.nat(60), ({ layers, table, part }, book, size, turnAfter) => {
        const ranges = rangesOf(layers, { table, part });
        const all = ranges.reduce((sum, { begin, end }) => sum + end - begin, 0);
        let ledger = ledgerOf(readingOrder(ranges, book ? [3, 1, 3] : null));
        let done = 0;
        let left = turnAfter;
        const take = () => {
          for (const read of openReads(ledger)) {
            for (const chunk of chunksOf(read, size)) {
              if (left-- === 0) {
                ledger = tableFirst(ledger);
                return true;
              }
              enter(ledger, chunk);
              if (!read.early) done += chunk.bytes.length;
              const progress = progressOf(ledger, '', 0, '');
              expect(progress.done_bytes).toBe(done);
              expect(progress.total_bytes).toBe(all);
              expect(progress.parts.reduce((sum, each) => sum + each.done_bytes, 0)).toBe(done);
            }
          }
          return false;
        };
        while (take());
        expect(done).toBe(all);
        expect(openReads(ledger)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it('lists the parts in the model’s order, and says when each layer can be worked out', () => {
    const ranges = rangesOf(3, { table: 10, part: 100 });
    const typed = progressOf(ledgerOf(readingOrder(ranges, null)), '', 0, '');
    expect(typed.parts.map(({ part }) => part)).toEqual(['tokens', 'positions', 0, 1, 2, 'last']);
    expect(typed.parts.map(({ total_bytes }) => total_bytes)).toEqual([100, 50, 300, 300, 300, 100]);
    // Tables first, then a layer's first part after all of the layer before.
    expect(typed.tokens_at).toBe(150);
    expect(typed.layers_at).toEqual([250, 550, 850]);
    const book = progressOf(ledgerOf(readingOrder(ranges, [0])), '', 0, '');
    expect(book.layers_at).toEqual([100, 400, 700]);
    expect(book.tokens_at).toBe(book.total_bytes);
  });

  it('puts the rest of the table first when a text waits for it', () => {
    const ranges = rangesOf(2, { table: 10, part: 100 });
    const ledger = ledgerOf(readingOrder(ranges, [1]));
    const first = openReads(ledger).find(({ early }) => !early)!;
    enter(ledger, chunksOf(first, 60)[0]!);
    const turned = tableFirst(ledger);
    expect(openReads(turned)[0]).toMatchObject({ part: 'wte', early: false });
    expect(openReads(turned).find(({ part }) => part === 'attention_in')).toMatchObject({ begin: first.begin + 60 });
    expect(progressOf(turned, '', 0, '').layers_at).toEqual([60 + 100 + 40, 60 + 100 + 40 + 200 + 100]);
  });

  it('says what is read in words', () => {
    const read = { file: 0, begin: 0, end: 1, early: false };
    expect(stepOf({ ...read, part: 'mlp', layer: 7 })).toBe('Reading layer 7');
    expect(stepOf({ ...read, part: 'wte', layer: -1 })).toBe('Reading the token table');
  });
});
