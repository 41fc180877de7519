// What is kept of a model, on the shelf that needs no browser: pieces by hash, the record, and the hash of the whole file.

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openPieces } from '../../web/worker/store/pieces.ts';
import { memoryShelf } from '../../web/worker/store/shelves.ts';
import { keyOf, storeOn } from '../../web/worker/store/store.ts';
import type { ModelRecord, Shelf } from '../../web/worker/store/types.ts';
import { isKnownMask, maskRows, tensorsOf, wholeHash } from '../../web/worker/store/whole-hash.ts';
import { type Keeping, readThrough } from '../../web/worker/source/through.ts';
import type { Source, SourceFile } from '../../web/worker/source/types.ts';

const bytesOf = (size: number) => Uint8Array.from({ length: size }, (_, at) => (at * 37 + (at >> 8)) & 255);
const file: SourceFile = { name: 'model.safetensors', size: null, identity: null, sha256: null };
const signal = new AbortController().signal;

/** Serves `content` in small parts, each in the place of the one before, and counts; fails after `failAfter` bytes. */
function sourceOf(content: Uint8Array, part = 7) {
  const served = { bytes: 0, failAfter: Infinity };
  const source = {
    host: 'test', anyOrder: () => true,
    async *read(_file: SourceFile, begin: number, end: number) {
      const room = new Uint8Array(part);
      for (let at = begin; at < end; at += part) {
        if (served.bytes >= served.failAfter) throw new Error('cut');
        const bytes = content.subarray(at, Math.min(at + part, end));
        served.bytes += bytes.length;
        room.set(bytes);
        yield room.subarray(0, bytes.length);
        room.fill(0xee);
      }
    },
  } as unknown as Source;
  return { source, served };
}

const folder = 'm';
async function keepingOn(shelf: Shelf) {
  const pieces = await openPieces(shelf, folder, true);
  const told = { full: 0, damaged: 0 };
  const keeping: Keeping = { pieces, on: true, full: () => void told.full++, damaged: () => void told.damaged++ };
  return { keeping, told };
}

async function readAll(source: Source, keeping: Keeping | null, begin: number, end: number, pieceBytes = 50) {
  const out: number[] = [];
  let at = begin;
  for await (const piece of readThrough(source, keeping, { number: 0, file, begin, end, pieceBytes }, signal)) {
    expect(piece.begin).toBe(at);
    at += piece.bytes.length;
    out.push(...piece.bytes);
  }
  return Uint8Array.from(out);
}

describe('reading through what is kept', () => {
  const content = bytesOf(300);
  const stretch = fc.tuple(fc.nat(300), fc.nat(300)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);

  it('gives exactly the bytes asked for, and asks the source for each byte once', async () => {
    await fc.assert(fc.asyncProperty(fc.array(stretch, { maxLength: 6 }), fc.integer({ min: 9, max: 70 }), async (stretches, part) => {
      const shelf = memoryShelf();
      const { source, served } = sourceOf(content, part);
      const seen = new Set<number>();
      for (const [begin, end] of stretches) {
        const { keeping, told } = await keepingOn(shelf); // as after a reload
        expect(await readAll(source, keeping, begin, end)).toEqual(content.slice(begin, end));
        for (let at = begin; at < end; at++) seen.add(at);
        expect(told).toEqual({ full: 0, damaged: 0 });
      }
      expect(served.bytes).toBe(seen.size);
      const { keeping } = await keepingOn(shelf);
      expect(keeping.pieces.count(0, 0, 300)).toBe(seen.size);
    }), { numRuns: 60 });
  });

  it('keeps what came before a failure', async () => {
    const shelf = memoryShelf();
    const { source, served } = sourceOf(content);
    served.failAfter = 100;
    const { keeping } = await keepingOn(shelf);
    await expect(readAll(source, keeping, 0, 300)).rejects.toThrow('cut');
    served.failAfter = Infinity;
    const before = served.bytes;
    expect(await readAll(source, (await keepingOn(shelf)).keeping, 0, 300)).toEqual(content);
    expect(served.bytes).toBe(300);
    expect(before).toBeGreaterThanOrEqual(100);
  });

  it('fetches a damaged or torn piece again', async () => {
    for (const harm of [(bytes: Uint8Array) => bytes.with(5, bytes[5]! ^ 1), (bytes: Uint8Array) => bytes.slice(0, 20)]) {
      const shelf = memoryShelf();
      const { source, served } = sourceOf(content);
      await readAll(source, (await keepingOn(shelf)).keeping, 0, 300);
      const [name] = await shelf.names(folder);
      await shelf.put(folder, name!, harm((await shelf.get(folder, name!))!));
      expect(await readAll(source, (await keepingOn(shelf)).keeping, 0, 300)).toEqual(content);
      expect(served.bytes).toBeGreaterThan(300);
      expect(served.bytes).toBeLessThan(300 + 60); // that piece alone
    }
  });

  it('goes on without keeping where there is no room, and does not keep early rows', async () => {
    const { source } = sourceOf(content);
    const full = await keepingOn(memoryShelf(10));
    expect(await readAll(source, full.keeping, 0, 300)).toEqual(content);
    expect(full.told.full).toBe(1);
    const early = await keepingOn(memoryShelf());
    await readAll(source, early.keeping, 10, 20, 0);
    expect(early.keeping.pieces.names()).toEqual([]);
  });
});

// A file with two masks and three tensors, as published files mix them; values are any.
function safetensors(mask: (bytes: Uint8Array) => Uint8Array = (bytes) => bytes) {
  const side = 5;
  const shapes: [string, number[]][] = [['h.0.attn.bias', [1, 1, side, side]], ['h.0.attn.c_attn.bias', [9]], ['transformer.h.1.attn.bias', [1, 1, side, side]], ['wte.weight', [3, 4]]];
  const header: Record<string, unknown> = {};
  const data: Uint8Array[] = [];
  let at = 0;
  for (const [name, shape] of shapes) {
    const size = 4 * shape.reduce((all, one) => all * one, 1);
    header[name] = { dtype: 'F32', shape, data_offsets: [at, (at += size)] };
    data.push(shape.length === 4 ? mask(maskRows(side, 0, side)) : bytesOf(size));
  }
  const words = new TextEncoder().encode(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(words.length));
  return { header: words, bytes: Uint8Array.from(Buffer.concat([length, words, ...data])) };
}

describe('the hash of the whole file', () => {
  const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

  it('is that of the file whose masks were never fetched', async () => {
    const { header, bytes } = safetensors();
    const asked: number[] = [];
    const got = await wholeHash(bytes.length, header, async function* (begin, end) {
      asked.push(end - begin);
      yield bytes.subarray(begin, begin + 3);
      yield bytes.subarray(begin + 3, end);
    });
    expect(got).toBe(hashOf(bytes));
    expect(asked).toEqual([36, 48]);
  });

  it('differs when a mask is another, or a bit is', async () => {
    const { header, bytes } = safetensors((mask) => mask.with(3, 1));
    const good = safetensors().bytes;
    const read = (of: Uint8Array) => async function* (begin: number, end: number) { yield of.subarray(begin, end); };
    expect(await wholeHash(bytes.length, header, read(bytes))).not.toBe(hashOf(bytes));
    expect(await wholeHash(good.length, header, read(good.with(good.length - 1, 1)))).not.toBe(hashOf(good));
    expect(await wholeHash(bytes.length, header, async function* () { yield null; })).toBeNull();
    expect(await wholeHash(bytes.length + 1, header, read(bytes))).toBeNull();
  });

  it('takes for a mask what the header calls one', () => {
    const tensors = tensorsOf(safetensors().header);
    expect(tensors.filter(isKnownMask).map(({ name }) => name)).toEqual(['h.0.attn.bias', 'transformer.h.1.attn.bias']);
    expect(isKnownMask({ ...tensors[0]!, dtype: 'U8' })).toBe(false);
    expect(isKnownMask({ ...tensors[0]!, shape: [1, 1, 5, 4] })).toBe(false);
    expect([...new Float32Array(maskRows(3, 1, 3).buffer)]).toEqual([1, 1, 0, 1, 1, 1]);
  });
});

describe('the store', () => {
  const origin = { kind: 'hub', repo: 'a/b', revision: 'main' } as const;
  const record: ModelRecord = {
    name: 'a/b', origin, host: 'huggingface.co', files: [{ ...file, size: 300, identity: 'etag:1' }], headers: [bytesOf(40)],
    config: bytesOf(30), vocabulary: { tokens: bytesOf(12), merges: bytesOf(13) }, wordless: '',
  };
  const say = () => {};

  it('has a model again as it was, whole only when that was said last', async () => {
    const shelf = memoryShelf();
    const store = storeOn(shelf);
    const key = keyOf(origin);
    const first = await store.open(key, signal, say);
    expect([first.record, first.whole]).toEqual([null, false]);
    await first.begin(record);
    await first.pieces.put(0, { begin: 48, bytes: bytesOf(50) });
    const second = await storeOn(shelf).open(key, signal, say);
    expect(second.record).toEqual(record);
    expect([second.whole, second.pieces.count(0, 0, 300)]).toEqual([false, 50]);
    expect(await store.list()).toMatchObject([{ key, name: 'a/b', whole: false }]);
    await second.publish(true);
    expect(await store.list()).toMatchObject([{ key, whole: true, confirmed: true }]);
    expect((await store.list())[0]!.bytes).toBeGreaterThan(145);
    await store.remove(key);
    expect(await store.list()).toEqual([]);
  });

  it('trusts no record of which a part is another', async () => {
    const shelf = memoryShelf();
    const store = storeOn(shelf);
    const open = () => store.open(keyOf(origin), signal, say);
    for (const part of ['config', 'tokens', 'header-0', 'record.json']) {
      const kept = await open();
      await kept.begin(record);
      await kept.publish(false);
      const [place] = await shelf.folders();
      await shelf.put(place!, part, (await shelf.get(place!, part))!.with(3, 0));
      const again = await open();
      expect([part, again.record, again.whole]).toEqual([part, null, false]);
    }
  });
});
