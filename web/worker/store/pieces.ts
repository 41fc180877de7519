// The stretches of weights that are kept of one model. A piece's name says which bytes it holds and their sum, so the
// folder is its own manifest: a piece is there as soon as its write ended, and one that was torn or changed is found out.

import type { Piece } from '../source/types.ts';
import { checksum } from './digest.ts';
import type { Shelf } from './types.ts';

interface Kept {
  begin: number;
  end: number;
  sum: string;
  name: string;
}

export interface Pieces {
  /** Where the kept stretch ends that holds byte `at`; null when none does. */
  reach(file: number, at: number): number | null;
  /** Where the next kept stretch after `at` begins; Infinity when there is none. */
  next(file: number, at: number): number;
  /**
   * Kept bytes from `at` on, at most up to `end` and as many as `room` holds, where they lie then; null when they are not
   * there, or no longer what they were.
   */
  take(file: number, at: number, end: number, room: Uint8Array): Promise<Uint8Array | null>;
  /** Keeps a copy; `bytes` may be written over once it has resolved. Rejects when there is no room. */
  put(file: number, piece: Piece): Promise<void>;
  /** Bytes that are kept of [begin, end). */
  count(file: number, begin: number, end: number): number;
  /** Names with sizes, for the record of what was published. */
  names(): string[];
}

/** Bytes of the largest piece that is written. */
export const largestPiece = 4 << 20;

const pattern = /^piece-(\d+)-(\d+)-(\d+)-([0-9a-f]{32})$/;

/** Bytes that a name stands for; null when it is no piece's. */
export function pieceSize(name: string): number | null {
  const match = pattern.exec(name);
  return match && Number(match[3]) - Number(match[2]);
}

/** What the folder holds now. `tidy`: pieces that a killed tab left torn are removed first. */
export async function openPieces(shelf: Shelf, folder: string, tidy: boolean): Promise<Pieces> {
  const files: Kept[][] = [];
  /** The piece that was read last, and its place. */
  let latest: { name: string; bytes: Uint8Array } | null = null;
  let place: Uint8Array | null = null;
  /** Settles when that is free. */
  let free: Promise<unknown> = Promise.resolve();
  const of = (file: number) => (files[file] ??= []);
  const insert = (file: number, kept: Kept) => of(file).push(kept) && of(file).sort((a, b) => a.begin - b.begin);
  const holding = (file: number, at: number) => of(file).find((kept) => kept.begin <= at && at < kept.end);

  for (const name of await shelf.names(folder)) {
    const match = pattern.exec(name);
    if (!match) continue;
    const [file, begin, end] = match.slice(1, 4).map(Number) as [number, number, number];
    if (tidy && (await shelf.size(folder, name)) !== end - begin) await shelf.remove(folder, name);
    else insert(file, { begin, end, sum: match[4]!, name });
  }

  async function bytesOf(file: number, kept: Kept): Promise<Uint8Array | null> {
    if (latest?.name === kept.name) return latest.bytes;
    latest = null;
    place ??= new Uint8Array(largestPiece);
    const bytes = await shelf.get(folder, kept.name, place).catch(() => null);
    if (bytes && bytes.length === kept.end - kept.begin && (await checksum(bytes)) === kept.sum) {
      latest = { name: kept.name, bytes };
      return bytes;
    }
    files[file] = of(file).filter((one) => one !== kept);
    await shelf.remove(folder, kept.name).catch(() => {});
    return null;
  }

  return {
    reach: (file, at) => holding(file, at)?.end ?? null,
    next: (file, at) => of(file).find((kept) => kept.begin > at)?.begin ?? Infinity,
    take(file, at, end, room) {
      const taken = free.then(async () => {
        const kept = holding(file, at);
        const bytes = kept && (await bytesOf(file, kept));
        if (!bytes) return null;
        const size = Math.min(end - at, kept.end - at, room.length);
        room.set(bytes.subarray(at - kept.begin, at - kept.begin + size));
        return room.subarray(0, size);
      });
      free = taken.catch(() => {});
      return taken;
    },
    async put(file, { begin, bytes }) {
      const sum = await checksum(bytes);
      const end = begin + bytes.length;
      const name = `piece-${file}-${begin}-${end}-${sum}`;
      await shelf.put(folder, name, bytes);
      insert(file, { begin, end, sum, name });
    },
    count(file, begin, end) {
      let count = 0;
      let at = begin;
      for (const kept of of(file)) {
        const from = Math.max(kept.begin, at);
        const to = Math.min(kept.end, end);
        if (to > from) {
          count += to - from;
          at = to;
        }
      }
      return count;
    },
    names: () => files.flatMap((list) => (list ?? []).map(({ name }) => name)),
  };
}
