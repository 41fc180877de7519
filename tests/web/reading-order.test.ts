// In which order weights are asked for: every byte once, the first picture early, and nothing that tells what was typed.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileOrder, type PlanRange, readingOrder } from '../../web/worker/source/order.ts';
import type { Read } from '../../web/worker/source/types.ts';

interface Sizes { n_layer: number; d: number; n_positions: number; d_vocab: number; files?: number; seed?: number }

const MASK = 'mask';

/** The tensors as published files hold them, sorted by name, with the header's 14,283 bytes and 8 more before them. */
function layout({ n_layer, d, n_positions, d_vocab, files = 1 }: Sizes): PlanRange[] {
  const tensors: [string, number, string, number][] = [];
  for (let layer = 0; layer < n_layer; layer++) {
    const add = (name: string, values: number, part: string) => tensors.push([`h.${layer}.${name}`, values, part, layer]);
    add('attn.bias', n_positions * n_positions, MASK);
    add('attn.c_attn.weight', 3 * d * d, 'attention_in');
    add('attn.c_attn.bias', 3 * d, 'attention_in');
    add('attn.c_proj.weight', d * d, 'attention_out');
    add('attn.c_proj.bias', d, 'attention_out');
    for (const name of ['ln_1.weight', 'ln_1.bias']) add(name, d, 'attention_in');
    for (const name of ['ln_2.weight', 'ln_2.bias']) add(name, d, 'mlp');
    add('mlp.c_fc.weight', 4 * d * d, 'mlp');
    add('mlp.c_fc.bias', 4 * d, 'mlp');
    add('mlp.c_proj.weight', 4 * d * d, 'mlp');
    add('mlp.c_proj.bias', d, 'mlp');
  }
  tensors.push(['ln_f.weight', d, 'last', -1], ['ln_f.bias', d, 'last', -1], ['wpe.weight', n_positions * d, 'wpe', -1], ['wte.weight', d_vocab * d, 'wte', -1]);
  tensors.sort(([a], [b]) => (a < b ? -1 : 1));
  const at = Array<number>(files).fill(8 + 14283);
  return tensors.flatMap(([name, values, part, layer], number) => {
    const file = number % files;
    const begin = at[file]!;
    const end = (at[file] = begin + 4 * values);
    const table = part === 'wte' || part === 'wpe';
    return part === MASK ? [] : [{ file, name, begin, end, part: part as PlanRange['part'], layer, ...(table ? { row_bytes: 4 * d } : {}) }];
  });
}

const bytes = (reads: Read[]) => reads.reduce((sum, { begin, end }) => sum + end - begin, 0);
const gpt2Small: Sizes = { n_layer: 12, d: 768, n_positions: 1024, d_vocab: 50257 };

const sizes = fc.record({
  n_layer: fc.integer({ min: 1, max: 5 }), d: fc.integer({ min: 1, max: 9 }), n_positions: fc.integer({ min: 1, max: 12 }),
  d_vocab: fc.integer({ min: 1, max: 40 }), files: fc.integer({ min: 1, max: 3 }),
});
const ids = fc.option(fc.array(fc.integer({ min: -2, max: 45 }), { maxLength: 20 }), { nil: null });

/** What a reader of `reads` has of each range afterwards: how often each byte came, without early rows. */
function covered(ranges: PlanRange[], reads: Read[]): boolean {
  const late = reads.filter(({ early }) => !early);
  return bytes(late) === ranges.reduce((sum, { begin, end }) => sum + end - begin, 0) &&
    ranges.every((range) => {
      const inside = late.filter((read) => read.file === range.file && read.begin < range.end && read.end > range.begin);
      let at = range.begin;
      for (const { begin, end } of inside.sort((a, b) => a.begin - b.begin)) if (begin <= at) at = Math.max(at, end);
      return at >= range.end;
    });
}

describe('any layout', () => {
  it('is read whole, each byte once, also as a stream', () => {
    fc.assert(fc.property(sizes, ids, (shape, tokens) => {
      const ranges = layout(shape);
      const reads = readingOrder(ranges, tokens);
      expect(covered(ranges, reads)).toBe(true);
      const stream = fileOrder(reads);
      expect(covered(ranges, stream)).toBe(true);
      for (let at = 1; at < stream.length; at++) {
        const [before, after] = [stream[at - 1]!, stream[at]!];
        expect(after.file > before.file || (after.file === before.file && after.begin >= before.end)).toBe(true);
      }
    }));
  });

  it('comes in the order in which a pass computes', () => {
    fc.assert(fc.property(sizes, ids, (shape, tokens) => {
      const reads = readingOrder(layout(shape), tokens).filter(({ early }) => !early);
      const stage = ({ part, layer }: Read) => 3 * layer + ['attention_in', 'attention_out', 'mlp'].indexOf(part);
      const stages = reads.filter(({ layer }) => layer >= 0).map(stage);
      expect(stages).toEqual([...stages].sort((a, b) => a - b));
      const tables = reads.map(({ part }) => part === 'wte' || part === 'wpe');
      expect(tables.lastIndexOf(tokens ? false : true)).toBeLessThan(tables.indexOf(tokens ? true : false));
    }));
  });

  it('gives rows by themselves for the book’s own sentences alone, and only of their tokens', () => {
    fc.assert(fc.property(sizes, ids, (shape, tokens) => {
      const ranges = layout(shape);
      const early = readingOrder(ranges, tokens).filter((read) => read.early);
      if (tokens === null) expect(early).toEqual([]);
      else for (const part of ['wte', 'wpe']) {
        const table = ranges.find((range) => range.part === part)!;
        const rows = early.filter((read) => read.part === part)
          .flatMap(({ begin, end }) => Array.from({ length: (end - begin) / table.row_bytes! }, (_, at) => (begin - table.begin) / table.row_bytes! + at));
        const wanted = part === 'wte' ? tokens.filter((id) => id >= 0 && id < shape.d_vocab) : tokens.map((_, at) => at).filter((at) => at < shape.n_positions);
        expect(rows).toEqual([...new Set(wanted)].sort((a, b) => a - b));
      }
    }));
  });
});

describe('GPT-2 small', () => {
  const ranges = layout(gpt2Small);

  it('is 548,105,171 bytes with its masks, of which 497,759,232 are read', () => {
    expect(Math.max(...ranges.map(({ end }) => end))).toBe(548_105_171);
    expect(bytes(readingOrder(ranges, null))).toBe(497_759_232);
  });

  it('shows its first grid after 8 MB at most', () => {
    // “When Mary and John went to the store, John gave a drink to”: 14 tokens.
    const reads = readingOrder(ranges, [2215, 5335, 290, 1757, 1816, 284, 262, 3650, 11, 1757, 2921, 257, 4144, 284]);
    const firstLayer = reads.findLastIndex(({ part, layer }) => part === 'attention_in' && layer === 0);
    const before = reads.slice(0, firstLayer + 1);
    expect(before.every(({ early, part, layer }) => early || (part === 'attention_in' && layer === 0))).toBe(true);
    const config = 1000;
    const beginning = 65_536; // with the header
    expect(config + beginning + bytes(before)).toBeLessThan(8_000_000);
    // Its vocabulary comes with the book; the requests are few.
    expect(reads.length).toBeLessThan(80);
  });

  it('reads the tables whole before the layers where the reader typed', () => {
    const reads = readingOrder(ranges, null);
    expect(reads.slice(0, 2).map(({ part, begin, end }) => [part, end - begin])).toEqual([['wpe', 3_145_728], ['wte', 154_389_504]]);
  });
});
