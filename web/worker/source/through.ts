// Reads weights through what is kept: kept bytes first, the others from the source, and those are kept on the way.

import { largestPiece, type Pieces } from '../store/pieces.ts';
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

/** Rooms for pieces, used again and again: fresh memory takes the system longer than the copying. */
const free: Uint8Array[] = [];
const roomForPiece = () => free.pop() ?? new Uint8Array(largestPiece);

/** Bytes [begin, end) of file number `number`, in rising order. New ones are kept in pieces of `pieceBytes`, at most largestPiece; 0: not at all. */
export async function* readThrough(
  source: Source,
  keeping: Keeping | null,
  { number, file, begin, end, pieceBytes }: { number: number; file: SourceFile; begin: number; end: number; pieceBytes: number },
  signal: AbortSignal,
): AsyncGenerator<Piece & { kept: boolean }> {
  let at = begin;
  let room: Uint8Array | null = null;
  try {
    while (at < end) {
      signal.throwIfAborted();
      const expected = keeping?.pieces.reach(number, at) ?? null;
      const bytes = keeping && expected !== null ? await keeping.pieces.take(number, at, end, (room ??= roomForPiece())) : null;
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
  } finally {
    if (room) free.push(room);
  }
}

/** Gathers bytes to pieces; one is written while the next is gathered. */
function collector(keeping: Keeping, number: number, begin: number, pieceBytes: number) {
  let room: Uint8Array | null = null;
  let size = 0;
  let at = begin;
  let writing: Promise<void> = Promise.resolve();

  async function write(full: Uint8Array, length: number): Promise<void> {
    try {
      await keeping.pieces.put(number, { begin: at, bytes: full.subarray(0, length) });
    } catch (reason) {
      keeping.on = false;
      keeping.full(reason);
    } finally {
      free.push(full);
    }
  }

  async function flush(): Promise<void> {
    await writing;
    if (!room) return;
    if (keeping.on) writing = write(room, size);
    else free.push(room);
    at += size;
    size = 0;
    room = null;
  }

  return {
    async end() {
      await flush();
      await writing;
    },
    async add(part: Uint8Array) {
      for (let from = 0; from < part.length && keeping.on; ) {
        room ??= roomForPiece();
        const taken = part.subarray(from, from + pieceBytes - size);
        room.set(taken, size);
        size += taken.length;
        from += taken.length;
        if (size === pieceBytes) await flush();
      }
    },
  };
}
