// Reads weights through what is kept: kept bytes first, the others from the source, and those are kept on the way.

import type { Pieces } from '../store/pieces.ts';
import type { Piece, Source, SourceFile } from './types.ts';

export interface Keeping {
  pieces: Pieces;
  /** Whether new bytes are kept; off once there was no room. */
  on: boolean;
  /** Called when a write failed. */
  full(reason: unknown): void;
  /** Called when a kept piece is no longer what it was. */
  damaged(): void;
}

/** Bytes [begin, end) of file number `number`, in rising order. New ones are kept in pieces of `pieceBytes`; 0: not at all. */
export async function* readThrough(
  source: Source,
  keeping: Keeping | null,
  { number, file, begin, end, pieceBytes }: { number: number; file: SourceFile; begin: number; end: number; pieceBytes: number },
  signal: AbortSignal,
): AsyncGenerator<Piece & { kept: boolean }> {
  let at = begin;
  while (at < end) {
    signal.throwIfAborted();
    const expected = keeping?.pieces.reach(number, at) ?? null;
    const bytes = keeping && expected !== null ? await keeping.pieces.take(number, at, end) : null;
    if (bytes) {
      yield { begin: at, bytes, kept: true };
      at += bytes.length;
      continue;
    }
    if (expected !== null) {
      keeping!.damaged();
      continue; // it is gone now, and what lies there comes from the source
    }
    const stop = keeping ? Math.min(end, keeping.pieces.next(number, at)) : end;
    const basket = keeping?.on && pieceBytes > 0 ? collector(keeping, number, at, pieceBytes) : null;
    try {
      for await (const part of source.read(file, at, stop, signal)) {
        await basket?.add(part);
        const place = at;
        at += part.length;
        yield { begin: place, bytes: part, kept: false };
      }
    } finally {
      await basket?.end(); // also what came before a cut: it need not come again
    }
  }
}

/** Gathers bytes to pieces; one is written while the next is gathered. */
function collector(keeping: Keeping, number: number, begin: number, pieceBytes: number) {
  let parts: Uint8Array[] = [];
  let size = 0;
  let at = begin;
  let writing: Promise<void> = Promise.resolve();

  async function flush(): Promise<void> {
    await writing;
    if (size === 0 || !keeping.on) return;
    const bytes = new Uint8Array(size);
    let filled = 0;
    for (const part of parts) {
      bytes.set(part, filled);
      filled += part.length;
    }
    const piece = { begin: at, bytes };
    at += size;
    parts = [];
    size = 0;
    writing = keeping.pieces.put(number, piece).catch((reason) => {
      keeping.on = false;
      keeping.full(reason);
    });
  }

  return {
    async end() {
      await flush();
      await writing;
    },
    async add(part: Uint8Array) {
      if (!keeping.on) return;
      parts.push(part);
      size += part.length;
      if (size >= pieceBytes) await flush();
    },
  };
}
