// The trace of the latest pass as a file (core/lens/saved_trace.hpp). Each of its pieces is worked out when its turn comes,
// and handed to the browser, which may keep it outside of memory.

import type { Outcome } from '../engine/protocol.ts';
import { breather } from './breathing.ts';
import type { Session } from './module.ts';

/** Bytes of a file that a page can put together where memory is short. */
const MOST = 256e6;
/** Bytes that are handed over together. */
const PART = 4 << 20;

const tooLarge = (sentence: string) => ({ error: 'out_of_memory', sentence });
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0);

/** `ended`: an outcome as soon as the file is not wanted or not possible any more. */
export async function savedTrace(session: Session, ended: () => Outcome<never> | null, most = MOST): Promise<Outcome<Blob>> {
  const gone = ended();
  if (gone) return gone;
  const plan = session.planTrace();
  if (!('ok' in plan)) return plan;
  const { header, pieces, bytes } = plan.ok;
  if (bytes > most) {
    return tooLarge(`The trace of this text has ${megabytes(bytes)} MB, more than the ${megabytes(most)} MB that a page puts together; the program saves it (lookback inside --save-trace), and that of a shorter text fits.`);
  }
  const file: Blob[] = [];
  let part: BlobPart[] = [header];
  let size = 0;
  const breath = breather();
  try {
    for (const piece of pieces) {
      await breath();
      const stop = ended();
      if (stop) return stop;
      const found = session.activation(new TextEncoder().encode(piece)) as Outcome<{ data: Float32Array<ArrayBuffer> }>;
      if (!('ok' in found)) return found;
      part.push(found.ok.data);
      size += found.ok.data.byteLength;
      if (size < PART) continue;
      file.push(new Blob(part));
      part = [];
      size = 0;
    }
    return { ok: new Blob([...file, ...part], { type: 'application/octet-stream' }) };
  } catch (problem) {
    if (problem instanceof RangeError) return tooLarge('The browser has too little memory for the trace of this text; that of a shorter one may fit.');
    throw problem;
  }
}

