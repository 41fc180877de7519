// A list of reads, run: rows several at once, the others one after the other with the next one already asked for.

import { largestPiece } from '../store/pieces.ts';
import { fileOrder } from './order.ts';
import { type Keeping, readThrough } from './through.ts';
import type { Chunk, Read, Source, WeightsFile } from './types.ts';

const ROWS_AT_ONCE = 6; // as many as a browser asks of one host over HTTP/1.1

/** A row is kept with its table, not by itself. Large pieces: making a file takes longer than to write a megabyte. */
const pieceBytesOf = ({ early }: Read) => (early ? 0 : largestPiece);

/** All reads, one after the other; early rows several at once. A source that only streams is read in file order. */
export async function* chunks(source: Source, keeping: Keeping | null, files: WeightsFile[], reads: Read[], signal: AbortSignal): AsyncGenerator<Chunk> {
  async function* one(read: Read): AsyncGenerator<Chunk> {
    const { file: number, begin, end } = read;
    for await (const { kept, ...piece } of readThrough(source, keeping, { number, file: files[number]!, begin, end, pieceBytes: pieceBytesOf(read) }, signal)) {
      yield { ...piece, file: number, read, from: kept ? 'store' : source.host ? 'network' : 'disk' };
    }
  }
  const all = async (read: Read) => {
    const out: Chunk[] = [];
    for await (const chunk of one(read)) out.push({ ...chunk, bytes: chunk.bytes.slice() });
    return out;
  };

  let left = source.anyOrder() ? reads : fileOrder(reads);
  let streaming = !source.anyOrder();
  let next: Started | null = null;
  try {
    while (left.length > 0) {
      const others = left.findIndex(({ early }) => !early);
      const rows = left.slice(0, Math.min(others < 0 ? left.length : others, ROWS_AT_ONCE));
      if (rows.length > 0) {
        for (const row of await Promise.all(rows.map(all))) yield* row;
        left = left.slice(rows.length);
      } else {
        const current: Started = next ?? started(one(left[0]!));
        left = left.slice(1);
        next = left[0]?.early === false && source.host && source.anyOrder() ? started(one(left[0])) : null;
        yield* current.rest();
      }
      if (streaming || source.anyOrder()) continue;
      streaming = true;
      await next?.end();
      next = null;
      left = fileOrder(left);
    }
  } finally {
    await next?.end();
  }
}

interface Started {
  rest(): AsyncGenerator<Chunk>;
  end(): Promise<unknown>;
}

/** A read whose first bytes are asked for already: the way to a host and back takes as long as many a read. */
function started(read: AsyncGenerator<Chunk>): Started {
  const first = read.next();
  first.catch(() => {}); // heard of in rest(), or not wanted any more
  return {
    async *rest() {
      try {
        for (let step = await first; !step.done; step = await read.next()) yield step.value;
      } finally {
        await read.return(undefined);
      }
    },
    end: () => first.catch(() => {}).then(() => read.return(undefined)),
  };
}
