// Running a list of reads: every byte arrives however the source behaves, and whoever stops in the middle can go on.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunks } from '../../web/worker/source/chunks.ts';
import type { Chunk, Read, Source, WeightsFile } from '../../web/worker/source/types.ts';

const contents = [0, 1].map((file) => Uint8Array.from({ length: 200 }, (_, at) => (at * 7 + file * 91) & 255));
const files = contents.map((content, at): WeightsFile => ({ name: String(at), size: content.length, identity: null, sha256: null, header: new Uint8Array() }));

/** Waits a little before each part, puts it in the place of the one before, and has only streams after `rangesFor` reads. */
function slowSource(rangesFor: number) {
  const state = { open: 0, reads: [] as [number, number][] };
  const source: Source = {
    host: 'test',
    anyOrder: () => state.reads.length <= rangesFor,
    find: async () => null,
    small: async () => null,
    close: () => {},
    async *read(file, begin, end, signal) {
      state.reads.push([begin, end]);
      state.open++;
      const room = new Uint8Array(13);
      try {
        for (let at = begin; at < end; at += 13) {
          await new Promise((resolve) => setTimeout(resolve, 0));
          signal.throwIfAborted();
          const part = contents[Number(file.name)]!.subarray(at, Math.min(at + 13, end));
          room.set(part);
          yield room.subarray(0, part.length);
          room.fill(0xee);
        }
      } finally {
        state.open--;
      }
    },
  };
  return { source, state };
}

const read = fc.record({ file: fc.nat(1), begin: fc.nat(199), size: fc.integer({ min: 1, max: 60 }), early: fc.boolean() })
  .map(({ file, begin, size, early }): Read => ({ file, begin, end: Math.min(begin + size, 200), part: 'mlp', layer: 0, early }));

function taken(into: Set<string>, { file, begin, bytes }: Chunk): void {
  for (const [at, byte] of bytes.entries()) {
    expect(byte).toBe(contents[file]![begin + at]);
    into.add(`${file}:${begin + at}`);
  }
}
const missing = (came: Set<string>, reads: Read[]) =>
  reads.filter(({ early }) => !early).flatMap(({ file, begin, end }) => Array.from({ length: end - begin }, (_, at) => `${file}:${begin + at}`)).filter((byte) => !came.has(byte));

describe('a list of reads', () => {
  it('brings every byte, also from a source that turns out to know no ranges', async () => {
    await fc.assert(fc.asyncProperty(fc.array(read, { maxLength: 12 }), fc.nat(14), async (reads, rangesFor) => {
      const { source, state } = slowSource(rangesFor);
      const came = new Set<string>();
      for await (const chunk of chunks(source, null, files, reads, new AbortController().signal)) taken(came, chunk);
      expect(missing(came, reads)).toEqual([]);
      expect(state.open).toBe(0);
    }), { numRuns: 60 });
  });

  it('ends its connections when it is left or aborted, and can be begun anew', async () => {
    await fc.assert(fc.asyncProperty(fc.array(read, { minLength: 1, maxLength: 8 }), fc.nat(5), fc.boolean(), async (reads, stop, abort) => {
      const { source, state } = slowSource(Infinity);
      const came = new Set<string>();
      const controller = new AbortController();
      let count = 0;
      const leave = async () => {
        for await (const chunk of chunks(source, null, files, reads, controller.signal)) {
          taken(came, chunk);
          if (count++ < stop) continue;
          if (!abort) return;
          controller.abort();
        }
      };
      await leave().catch((reason) => expect(reason.name).toBe('AbortError'));
      expect(state.open).toBe(0);
      for await (const chunk of chunks(source, null, files, reads, new AbortController().signal)) taken(came, chunk);
      expect(missing(came, reads)).toEqual([]);
    }), { numRuns: 60 });
  });

  it('asks for the next read while the present one comes', async () => {
    const { source, state } = slowSource(Infinity);
    const reads = [0, 60, 120].map((begin): Read => ({ file: 0, begin, end: begin + 60, part: 'mlp', layer: 0, early: false }));
    for await (const { begin } of chunks(source, null, files, reads, new AbortController().signal)) {
      expect(state.reads.length).toBe(Math.min(Math.floor(begin / 60) + 2, 3));
    }
  });
});
